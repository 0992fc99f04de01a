'use client'

/** Where a person writes, sends, queues, steers, and stops (U1–U4). */
import { useCallback, useEffect, useRef } from 'react'
import { QueuePanel } from '@/components/composer/queue-panel'
import { SendButton } from '@/components/composer/send-button'
import { StopButton } from '@/components/composer/stop-button'
import { StoppingLine } from '@/components/composer/stopping-line'
import { useComposerState } from '@/components/composer/use-composer-state'
import { isComposing, useEnterKey } from '@/components/composer/use-enter-key'
import { useQueueActions } from '@/components/composer/use-queue-actions'
import { useRestoredPrompt } from '@/components/composer/use-restored-prompt'
import { useSend } from '@/components/composer/use-send'
import { useStop } from '@/components/composer/use-stop'
import { useStopKey } from '@/components/composer/use-stop-key'
import { useConnection } from '@/components/live/use-connection'
import { useDraft } from '@/components/live/use-draft'
import type { SessionStart } from '@/lib/client/session-start'
import type { TurnPhase } from '@/lib/client/turn-phase'
import type { Session } from '@/lib/contract/session'

export interface ComposerProps {
  readonly session: Session
  /** What the page was rendered with. */
  readonly start?: SessionStart
}

const boxName = 'data-composer-box'

export function Composer({ session, start }: ComposerProps) {
  const { store, phase, queue, pending } = useComposerState(session, start)
  const { status } = useConnection()
  const [draft, setDraft] = useDraft(session.id)
  const stop = useStop(session, phase)
  const sender = useSend(session, store)
  const running = phase.kind !== 'idle'
  const actions = useQueueActions(session, store, queue, running)
  const box = useRef<HTMLTextAreaElement>(null)
  const section = useRef<HTMLElement>(null)
  useRestoredPrompt(store, stop.askedFor)

  const since = stoppingSince(session, stop.askedAt, phase)
  const blocked = blockedReason(session, status.state)
  const hasText = draft.text.trim() !== ''
  const send = useCallback(
    (delivery: 'follow-up' | 'steer') => {
      if (hasText && blocked === null) sender.send(draft, delivery)
      box.current?.focus()
    },
    [hasText, blocked, sender, draft],
  )
  const { press } = stop
  const pressStop = useCallback((keep: 'keep' | 'clear') => press(keep), [press])
  useStopKey(useStopOnEscape(running, pressStop), `[${boxName}]`)
  useKeptFocus(section, box)
  const keys = useEnterKey(() => send('follow-up'))
  const problem = stop.problem !== null ? `Not stopped. ${stop.problem}` : sender.problem

  return (
    <section
      ref={section}
      aria-label="Composer"
      className="border-line border-t bg-surface px-2 pt-2 pb-2 tablet:px-4 tablet:pb-4"
    >
      <div className="mx-auto max-w-(--width-column)">
        <QueuePanel queue={queue} pending={running ? pending : []} running={running} actions={actions} />
        {since !== null && <StoppingLine session={session} since={since} />}
        {problem !== null && (
          <p role="alert" className="mb-2 px-1 text-sm text-state-failed">
            {problem}
          </p>
        )}
        <div className="rounded-composer border border-line-control bg-raised focus-within:outline-2 focus-within:outline-focus focus-within:outline-offset-2">
          <textarea
            ref={box}
            {...{ [boxName]: '' }}
            aria-label="Message"
            placeholder={running ? 'Queue a message' : 'Message'}
            value={draft.text}
            onChange={(event) => {
              setDraft({ ...draft, text: event.target.value, clientId: null })
              sender.forgive()
            }}
            rows={Math.min(8, draft.text.split('\n').length)}
            className="field-sizing-content block max-h-60 min-h-10 w-full resize-none bg-transparent px-3 pt-2 text-prose outline-none"
            {...keys}
            onKeyDown={(event) => {
              const steers =
                event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isComposing(event.nativeEvent)
              if (steers) {
                event.preventDefault()
                send(running ? 'steer' : 'follow-up')
              } else keys.onKeyDown(event)
            }}
          />
          <div className="flex items-center gap-2 px-2 pb-2">
            <p className="min-w-0 grow truncate pl-1 text-ink-faint text-xs">
              {blocked ??
                (draft.replaces === null ? <KeyHint running={running} /> : 'Takes the place of the stopped turn.')}
            </p>
            {(!running || hasText) && (
              <SendButton mode={running ? 'queue' : 'send'} disabled={!hasText || blocked !== null} send={send} />
            )}
            {running && <StopButton stoppingSince={since} press={pressStop} waiting={queue.length} />}
          </div>
        </div>
      </div>
    </section>
  )
}

/** Nothing to say under a finger. */
function KeyHint({ running }: { running: boolean }) {
  const text = running ? 'Esc stops. Enter queues, Ctrl+Enter steers.' : 'Enter sends, Shift+Enter breaks the line.'
  return <span className="touch:hidden">{text}</span>
}

function blockedReason(session: Session, connection: 'open' | 'connecting' | 'lost'): string | null {
  if (connection === 'lost') return 'The server does not answer. Your text is kept.'
  if (session.kind === 'one-shot') return 'This agent does one task and takes no messages.'
  return null
}

/** Since when the turn is being stopped, epoch ms: pressed here, or as the log says. */
function stoppingSince(session: Session, askedAt: number | null, phase: TurnPhase): number | null {
  if (askedAt !== null) return askedAt
  if (phase.kind !== 'stopping') return null
  return Date.parse(phase.since ?? session.waitingOn[0]?.since ?? session.updatedAt)
}

function useStopOnEscape(running: boolean, press: (keep: 'keep' | 'clear') => void): (() => void) | null {
  const stop = useCallback(() => press('keep'), [press])
  return running ? stop : null
}

/** What one pressed may be gone with it (Stop, Resume, Remove): the focus then goes to the box, not to nowhere (U10). */
function useKeptFocus(
  section: { readonly current: HTMLElement | null },
  box: { readonly current: HTMLTextAreaElement | null },
): void {
  const last = useRef<Element | null>(null)
  useEffect(() => {
    const note = (event: FocusEvent) => {
      const inside = event.target instanceof Element && section.current?.contains(event.target)
      last.current = inside ? (event.target as Element) : null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [section])
  useEffect(() => {
    const gone = last.current !== null && !last.current.isConnected
    if (!gone) return
    last.current = null
    if (document.activeElement === document.body) box.current?.focus()
  })
}
