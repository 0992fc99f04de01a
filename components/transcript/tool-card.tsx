'use client'

/** A tool call: what it is about, what it prints, how long it takes and how it ended. */
import { Ban, Check, ChevronRight, CircleDashed, type LucideIcon, Square, TimerOff, Unplug, X } from 'lucide-react'
import { memo, type ReactNode, useContext, useState } from 'react'
import { PlanList, planItems } from '@/components/transcript/plan-list'
import { inputDetail, inputLine } from '@/components/transcript/tool-input'
import { viewOfOutput } from '@/components/transcript/tool-output'
import { FoldingContext, useTranscriptActions } from '@/components/transcript/transcript-context'
import { opensByDefault, toolWord } from '@/components/transcript/turn-words'
import { Button } from '@/components/ui/button'
import { Elapsed } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { StateIcon } from '@/components/ui/state-icon'
import { durationText } from '@/lib/client/format'
import type { OutputText, ToolItem, ToolState } from '@/lib/projection/transcript-view'

export const ToolCard = memo(function ToolCard({ item }: { item: ToolItem }) {
  const { isOpen, setOpen } = useContext(FoldingContext)
  const plan = item.name === 'update_plan' ? planItems(item.input) : null
  const open = isOpen(item.key, opensByDefault(item.state))
  const detail = inputDetail(item.input)
  const hasBody = item.output.length > 0 || detail !== null
  return (
    <article
      aria-label={`${item.name}: ${toolWord(item.state)}`}
      data-tool-state={item.state}
      className="my-2 overflow-hidden rounded-card border border-line bg-raised"
    >
      <header className="flex min-h-9 items-center gap-2 pr-1.5">
        <button
          type="button"
          aria-expanded={open && hasBody}
          disabled={!hasBody}
          onClick={() => setOpen(item.key, !open)}
          className="focus-inset motion flex min-h-9 min-w-0 grow items-center gap-1.5 rounded-control py-1 pl-2 text-left text-sm enabled:hover:bg-hover"
        >
          <ChevronRight
            aria-hidden="true"
            className={cn('size-4 shrink-0 text-ink-faint', open && hasBody && 'rotate-90', !hasBody && 'invisible')}
          />
          <span className="shrink-0 font-medium">{item.name}</span>
          <code className="min-w-0 truncate text-ink-muted">{plan ? '' : inputLine(item.input, item.rawInput)}</code>
        </button>
        <ToolEnd item={item} />
        {item.state === 'running' && <EndButton item={item} />}
      </header>
      {plan && <PlanList items={plan} />}
      {open && hasBody && !plan && (
        <div className="border-line border-t bg-sunken px-3 py-2">
          {detail !== null && <Printed text={detail} className="mb-2 max-h-60 text-ink-muted" label="Input" />}
          {item.output.length > 0 && <Output output={item.output} truncated={item.truncated} />}
        </div>
      )}
    </article>
  )
})

function ToolEnd({ item }: { item: ToolItem }) {
  const { state } = item
  return (
    <span className={cn('inline-flex shrink-0 items-center gap-1.5 text-xs', inkOf(state))}>
      <ToolMark state={state} />
      <span>{item.state === 'running' && item.endAsked ? 'Ending' : toolWord(state)}</span>
      {state === 'running' && item.startedAt && <Elapsed since={item.startedAt} className="min-w-7" />}
      {item.durationMs !== null && state !== 'skipped' && (
        <span className="figures text-ink-faint">{durationText(item.durationMs)}</span>
      )}
    </span>
  )
}

const marks: Partial<Record<ToolState, LucideIcon>> = {
  writing: CircleDashed,
  waiting: CircleDashed,
  ok: Check,
  error: X,
  denied: Ban,
  'timed-out': TimerOff,
  aborted: Square,
  skipped: CircleDashed,
  orphaned: Unplug,
}

function ToolMark({ state }: { state: ToolState }) {
  const Icon = marks[state]
  if (!Icon) return <StateIcon state="running" />
  return <Icon aria-hidden="true" className={cn('size-3.5', state === 'aborted' && 'fill-current')} />
}

/** Red is for failure only; what was stopped or never begun is grey. */
function inkOf(state: ToolState): string {
  switch (state) {
    case 'running':
      return 'text-state-running'
    case 'ok':
      return 'text-state-done'
    case 'error':
    case 'timed-out':
      return 'text-state-failed'
    case 'orphaned':
      return 'text-state-orphaned'
    default:
      return 'text-state-stopped'
  }
}

function EndButton({ item }: { item: ToolItem }) {
  const { endCall } = useTranscriptActions()
  const [asked, setAsked] = useState(false)
  const { callId } = item
  if (callId === null) return null
  const waiting = asked || item.endAsked
  return (
    <Button
      size="small"
      disabled={waiting}
      onClick={() => {
        setAsked(true)
        void endCall(callId).finally(() => setAsked(false))
      }}
      aria-label="End this command"
    >
      {waiting ? 'Ending' : 'End'}
    </Button>
  )
}

function Output({ output, truncated }: { output: OutputText; truncated: boolean }) {
  const [show, setShow] = useState<'ends' | 'all'>('ends')
  const view = viewOfOutput(output, show)
  return (
    <>
      <Printed text={view.head} label="Output" />
      {view.tail !== null && (
        <>
          <Gap>
            {view.hidden > 0 && (
              <Button look="ghost" size="small" onClick={() => setShow('all')}>
                {view.hidden} more lines, show all
              </Button>
            )}
            {view.dropped > 0 && <span>{Math.round(view.dropped / 1000)}k characters left out</span>}
          </Gap>
          <Printed text={view.tail} label="End of the output" />
        </>
      )}
      {show === 'all' && (
        <Button look="ghost" size="small" onClick={() => setShow('ends')}>
          Show less
        </Button>
      )}
      {truncated && <p className="mt-1 text-ink-faint text-xs">The tool cut its output.</p>}
    </>
  )
}

function Gap({ children }: { children: ReactNode }) {
  return <div className="my-1 flex items-center gap-3 text-ink-faint text-xs">{children}</div>
}

function Printed({ text, label, className }: { text: string; label: string; className?: string }) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: wide output must be reachable to be scrolled by keyboard
      tabIndex={0}
      aria-label={label}
      className={cn('scroll-thin focus-inset max-h-[70vh] overflow-auto', className)}
    >
      <pre className="text-sm leading-5">{text}</pre>
    </section>
  )
}
