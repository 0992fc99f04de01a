'use client'

/** The short lines of a transcript: where it began, what waits, what was folded away, what is under way. */
import { ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useContext } from 'react'
import { MessageText } from '@/components/transcript/message-row'
import { FoldingContext } from '@/components/transcript/transcript-context'
import { Button } from '@/components/ui/button'
import { Elapsed, useNow } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { Notice } from '@/components/ui/notice'
import { StateMark } from '@/components/ui/state-mark'
import type { PendingSend } from '@/lib/client/pending-sends'
import type { EventData } from '@/lib/contract/events'
import {
  type CompactionItem,
  type NoteItem,
  promptOf,
  type RetryItem,
  type TurnView,
} from '@/lib/projection/transcript-view'

/** Where a copied session came from. */
export const OriginRow = memo(function OriginRow({ created }: { created: EventData<'session.created'> }) {
  const { forkedFrom } = created
  if (!forkedFrom) return null
  const href = `/s/${encodeURIComponent(forkedFrom.sessionId)}?turn=${encodeURIComponent(forkedFrom.turnId)}`
  return (
    <p className="py-3 text-ink-muted text-sm">
      Forked from{' '}
      <a href={href} className="text-accent underline underline-offset-2">
        another session
      </a>
      .
    </p>
  )
})

/** A provider could not answer: why, and when it is tried again. */
export const RetryRow = memo(function RetryRow({ item }: { item: RetryItem }) {
  return (
    <p className="my-2 text-ink-muted text-sm">
      {item.over ? `Tried again after attempt ${item.attempt}: ${item.reason}` : <RetryWait item={item} />}
    </p>
  )
})

function RetryWait({ item }: { item: RetryItem }) {
  const seconds = Math.max(0, Math.ceil((Date.parse(item.until) - useNow(1000)) / 1000))
  return (
    <span className="figures">
      {item.reason} {seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again now.'}
    </span>
  )
}

export const NoteRow = memo(function NoteRow({ item }: { item: NoteItem }) {
  return <Notice className="my-2">{item.text}</Notice>
})

export const CompactionRow = memo(function CompactionRow({ item }: { item: CompactionItem }) {
  const { isOpen, setOpen } = useContext(FoldingContext)
  const open = isOpen(item.key, false)
  return (
    <div className="my-2">
      <Disclosure open={open} toggle={() => setOpen(item.key, !open)}>
        Earlier turns were summarised for the model
      </Disclosure>
      {open && <p className="mt-1 whitespace-pre-wrap pl-5 text-ink-muted text-sm">{item.summary}</p>}
    </div>
  )
})

/** A turn that another one took the place of. */
export const ReplacedRow = memo(function ReplacedRow({
  turn,
  rowKey,
  open,
}: {
  turn: TurnView
  rowKey: string
  open: boolean
}) {
  const { setOpen } = useContext(FoldingContext)
  const prompt = promptOf(turn).replace(/\s+/g, ' ').trim()
  return (
    <div className="mt-4">
      <Disclosure open={open} toggle={() => setOpen(rowKey, !open)}>
        Earlier version: “{prompt.length > 60 ? `${prompt.slice(0, 60)}…` : prompt}”
      </Disclosure>
    </div>
  )
})

/** The turn that runs: it stands where its footer will be, and is as high. */
export const WorkingRow = memo(function WorkingRow({ stopping, startedAt }: { stopping: boolean; startedAt: string }) {
  return (
    <div className="mt-2 mb-4 flex min-h-control items-center gap-2 text-ink-muted text-xs">
      <StateMark state={stopping ? 'stopping' : 'running'} />
      <Elapsed since={startedAt} />
    </div>
  )
})

/** What was just sent, before the log has it. */
export function PendingRow({ send, retry, dismiss }: { send: PendingSend; retry: () => void; dismiss: () => void }) {
  const failed = send.state === 'failed'
  return (
    <article aria-label="You" className="mt-6 mb-3" data-pending={send.state}>
      <header className="mb-1 flex h-control-small items-center gap-2 text-ink-faint text-xs">
        <span className="font-medium text-ink-muted">You</span>
        <span>{failed ? 'not sent' : 'sending'}</span>
      </header>
      <div className={cn(!failed && 'opacity-70')}>
        <MessageText text={send.text} />
      </div>
      {failed && (
        <div className="mt-1 flex items-center gap-2 text-sm">
          <span className="text-state-failed">{send.reason}</span>
          <Button size="small" onClick={retry} className="ml-auto">
            Try again
          </Button>
          <Button size="small" look="ghost" onClick={dismiss}>
            Discard
          </Button>
        </div>
      )}
    </article>
  )
}

function Disclosure({ open, toggle, children }: { open: boolean; toggle: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={toggle}
      className="motion inline-flex min-h-control-small max-w-full items-center gap-1 rounded-control pr-2 text-left text-ink-muted text-sm hover:text-ink"
    >
      <ChevronRight aria-hidden="true" className={cn('size-4 shrink-0', open && 'rotate-90')} />
      <span className="min-w-0 truncate">{children}</span>
    </button>
  )
}
