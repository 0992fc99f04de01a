'use client'

/** The transcript of a session: a virtual list of rows that follows the newest, opens at a turn, and stays where a person reads (U9). */
import { ArrowDown } from 'lucide-react'
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import { useConnection } from '@/components/live/use-connection'
import { RowView } from '@/components/transcript/row-view'
import { PendingRow } from '@/components/transcript/small-rows'
import { ActionsContext, FactsContext, FoldingContext } from '@/components/transcript/transcript-context'
import { useFollow } from '@/components/transcript/use-follow'
import { useSession, useSessionStore } from '@/components/transcript/use-session'
import { useBoundActions } from '@/components/transcript/use-transcript-actions'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { toast } from '@/components/ui/toast'
import { useAwake, useSettled } from '@/components/ui/use-awake'
import type { PendingSend } from '@/lib/client/pending-sends'
import type { SessionStart } from '@/lib/client/session-start'
import type { TurnId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import { type Row, replacedKey, rowsOf } from '@/lib/projection/transcript-rows'

export interface TranscriptProps {
  readonly session: Session
  /** What the page was rendered with. */
  readonly start?: SessionStart
  /** Opens here and marks it for a moment. */
  readonly targetTurnId?: TurnId | null
}

type ListRow = Row | { readonly kind: 'pending'; readonly key: string; readonly send: PendingSend }

/** Distance (px) from an end of what is loaded at which more is asked for. */
const loadWithin = 900
/** Rows of the first paint: more than any screen shows. */
const firstRows = 24
/** How long (ms) a turn that an address led to stays marked. */
const markFor = 2_000

export function Transcript({ session, start, targetTurnId = null }: TranscriptProps) {
  const store = useSessionStore(session.id, start)
  const view = useSession(session.id, start)
  const actions = useBoundActions(session, store)
  const { status } = useConnection()
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(
    // An address may lead to a turn that is folded away.
    () => new Map(targetTurnId === null ? [] : [[replacedKey(targetTurnId), true]]),
  )
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const { following, toEnd, rest } = useFollow(scroller, content, targetTurnId === null ? 'follow' : 'rest', view.atEnd)
  const marked = useTarget(targetTurnId)

  const folding = useMemo(
    () => ({
      isOpen: (key: string, fallback: boolean) => chosen.get(key) ?? fallback,
      setOpen: (key: string, open: boolean) => setChosen((known) => new Map(known).set(key, open)),
    }),
    [chosen],
  )
  const open = useMemo(() => new Set([...chosen].flatMap(([key, isOpen]) => (isOpen ? [key] : []))), [chosen])
  const turnRows = useMemo(() => rowsOf(view.transcript, open), [view.transcript, open])
  const idle = session.activity === 'idle' && view.transcript.turns.at(-1)?.state !== 'running'
  const awake = useAwake()
  const settled = useSettled()
  const rows = useMemo<readonly ListRow[]>(() => {
    if (!settled) return firstPaint(turnRows, targetTurnId)
    // While a turn runs, what was sent waits in the queue panel.
    if (view.pending.length === 0 || !view.atEnd || !idle) return turnRows
    return [...turnRows, ...view.pending.map((send) => ({ kind: 'pending' as const, key: send.clientId, send }))]
  }, [settled, turnRows, targetTurnId, view.pending, view.atEnd, idle])
  const shift = useShift(rows)

  const lastTurnId = view.atEnd ? (view.transcript.turns.at(-1)?.turnId ?? null) : null
  const blocked = status.state === 'lost' ? 'The server does not answer.' : null
  const facts = useMemo(() => ({ lastTurnId, idle, blocked }), [lastTurnId, idle, blocked])

  useOpenAt(targetTurnId, rows, settled && view.phase === 'ready', list, store)
  useOwnSend(view.pending, idle, toEnd)

  const loadMore = useCallback(() => {
    const now = list.current
    if (!now || !store) return
    // The list's own figures: to ask the box would make the browser lay out at every step.
    if (now.scrollOffset < loadWithin) void store.loadOlder()
    if (now.scrollSize - now.viewportSize - now.scrollOffset < loadWithin) void store.loadNewer()
  }, [store])
  // A first page that does not fill the view, or a jump to its edge, wants more without any scrolling.
  useEffect(() => {
    if (view.phase === 'ready' && view.loading === null) loadMore()
  }, [view.phase, view.loading, loadMore])

  const toNewest = useCallback(() => {
    store?.backToLive()
    toEnd()
  }, [store, toEnd])
  const keys = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    if (event.key === 'End') {
      event.preventDefault()
      toNewest()
    }
    if (event.key === 'Home') {
      event.preventDefault()
      rest()
      void store?.showStart().then(() => {
        list.current?.scrollTo(0)
      })
    }
  }

  return (
    <ActionsContext value={actions}>
      <FoldingContext value={folding}>
        <FactsContext value={facts}>
          <div className="relative min-h-0 grow">
            {/* biome-ignore lint/a11y/useSemanticElements: a region that scrolls; its rows are articles */}
            <div
              ref={scroller}
              role="region"
              aria-label="Transcript"
              // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls it with the keyboard
              tabIndex={0}
              onKeyDown={keys}
              data-transcript=""
              data-phase={view.phase}
              className={cn(
                'focus-inset absolute inset-0 overflow-y-auto overscroll-contain [overflow-anchor:none]',
                // Until scripts run, this alone shows the end of what does not fit.
                !awake && targetTurnId === null && 'flex flex-col-reverse',
              )}
            >
              <div
                ref={content}
                className={cn('pt-2 pb-4', !awake && 'mb-auto shrink-0 [&>*]:h-auto! [&>*]:[contain:none]!')}
              >
                <Virtualizer
                  ref={list}
                  data={rows}
                  scrollRef={scroller}
                  shift={shift}
                  onScroll={loadMore}
                  startMargin={8}
                  {...(!settled && { ssrCount: firstRows })}
                >
                  {(row) =>
                    row.kind === 'pending' ? (
                      <div key={row.key} className="mx-auto w-full max-w-(--width-column) px-4 text-prose">
                        <PendingRow
                          send={row.send}
                          retry={() => void store?.send(session, row.send).catch(() => {})}
                          dismiss={() => store?.dismiss(row.send.clientId)}
                        />
                      </div>
                    ) : (
                      <RowView key={row.key} row={row} marked={row.turnId !== null && row.turnId === marked} />
                    )
                  }
                </Virtualizer>
              </div>
            </div>
            {view.phase === 'failed' && (
              <div className="absolute inset-x-4 top-4 mx-auto max-w-(--width-column)">
                <Notice tone="failure" actions={<Button onClick={() => store?.retry()}>Try again</Button>}>
                  This session could not be read. {view.reason}
                </Notice>
              </div>
            )}
            {view.loading !== null && (
              <p className="-translate-x-1/2 pointer-events-none absolute top-2 left-1/2 rounded-full border border-line bg-raised px-3 py-1 text-ink-muted text-xs shadow-float">
                {view.loading === 'newer' ? 'Loading newer' : 'Loading older'}
              </p>
            )}
            {(!following || !view.atEnd) && (
              <Button
                size="small"
                onClick={toNewest}
                className="-translate-x-1/2 absolute bottom-3 left-1/2 rounded-full shadow-float"
              >
                <ArrowDown aria-hidden="true" />
                Back to the newest
              </Button>
            )}
          </div>
        </FactsContext>
      </FoldingContext>
    </ActionsContext>
  )
}

/** What the server paints: the rows of the turn that was asked for, else the newest. The others join once the list can measure. */
function firstPaint(rows: readonly Row[], target: TurnId | null): readonly Row[] {
  const at = target === null ? -1 : rows.findIndex((row) => row.turnId === target)
  return at === -1 ? rows.slice(-firstRows) : rows.slice(at, at + firstRows)
}

/** True in the one render in which rows were added in front: the list then keeps its place from the end. */
function useShift(rows: readonly ListRow[]): boolean {
  const [before, setBefore] = useState(rows)
  const [shift, setShift] = useState(false)
  if (before === rows) return shift
  const first = before[0]
  const at = first ? rows.findIndex((row) => row.key === first.key) : -1
  setBefore(rows)
  setShift(at > 0)
  return at > 0
}

/** The turn to mark, for a moment after its address was opened. */
function useTarget(target: TurnId | null): TurnId | null {
  const [over, setOver] = useState<TurnId | null>(null)
  useEffect(() => {
    if (target === null) return
    const timer = setTimeout(() => setOver(target), markFor)
    return () => clearTimeout(timer)
  }, [target])
  return over === target ? null : target
}

/** Brings the turn of the address into view, once. */
function useOpenAt(
  target: TurnId | null,
  rows: readonly ListRow[],
  ready: boolean,
  list: { readonly current: VirtualizerHandle | null },
  store: ReturnType<typeof useSessionStore>,
): void {
  const opened = useRef<TurnId | null>(null)
  const asked = useRef<TurnId | null>(null)
  useLayoutEffect(() => {
    if (target === null || !ready || opened.current === target) return
    const at = rows.findIndex((row) => row.kind !== 'pending' && row.turnId === target)
    if (at !== -1) {
      opened.current = target
      list.current?.scrollToIndex(at, { align: 'start' })
      return
    }
    if (asked.current === target) return
    asked.current = target
    void store?.showTurn(target).then((found) => {
      if (!found) toast({ text: 'The turn of this address is not in this session.' })
    })
  }, [target, rows, ready, list, store])
}

/** Who sends from an idle session wants to see the answer. */
function useOwnSend(pending: readonly PendingSend[], idle: boolean, toEnd: () => void): void {
  const newest = pending.at(-1)?.clientId
  useEffect(() => {
    if (newest !== undefined && idle) toEnd()
  }, [newest, idle, toEnd])
}
