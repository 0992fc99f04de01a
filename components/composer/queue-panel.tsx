'use client'

/** The queue: what waits for its turn, and everything that can be done with it (U4). */
import { useState } from 'react'
import type { QueueActions } from '@/components/composer/queue-actions'
import { QueueRow } from '@/components/composer/queue-row'
import type { WaitingMessage } from '@/components/composer/use-composer-state'
import { Button } from '@/components/ui/button'
import { StateMark } from '@/components/ui/state-mark'
import type { PendingSend } from '@/lib/client/pending-sends'

export interface QueuePanelProps {
  readonly queue: readonly WaitingMessage[]
  /** Sent from here and not in the log yet. */
  readonly pending: readonly PendingSend[]
  readonly running: boolean
  readonly actions: QueueActions
}

export function QueuePanel({ queue, pending, running, actions }: QueuePanelProps) {
  const [busy, setBusy] = useState(false)
  if (queue.length === 0 && pending.length === 0) return null
  const run = (action: () => Promise<void>) => {
    setBusy(true)
    void action().finally(() => setBusy(false))
  }
  const paused = !running && queue.length > 0
  return (
    <section aria-label="Queue" className="mb-2 rounded-card border border-line bg-ground px-1 pt-1 pb-1">
      <header className="flex min-h-control-small items-center gap-2 pl-2">
        {paused ? (
          <StateMark state="paused" text={`Paused, ${queue.length} waiting`} />
        ) : (
          <h2 className="font-medium text-ink-muted text-xs">Queue: {queue.length + pending.length} waiting</h2>
        )}
        <span className="ml-auto inline-flex gap-1">
          {paused && (
            <Button size="small" disabled={busy} onClick={() => run(actions.resume)}>
              Resume
            </Button>
          )}
          {queue.length > 0 && (
            <Button look="ghost" size="small" disabled={busy} onClick={() => run(actions.clear)}>
              Clear
            </Button>
          )}
        </span>
      </header>
      <ol className="scroll-thin max-h-52 overflow-y-auto">
        {queue.map((message, at) => (
          <QueueRow
            key={message.messageId}
            message={message}
            at={at}
            count={queue.length}
            running={running}
            actions={actions}
          />
        ))}
        {pending.map((send) => (
          <PendingQueueRow key={send.clientId} send={send} actions={actions} />
        ))}
      </ol>
    </section>
  )
}

function PendingQueueRow({ send, actions }: { send: PendingSend; actions: QueueActions }) {
  const failed = send.state === 'failed'
  return (
    <li className="flex min-h-control-small flex-wrap items-center gap-2 px-2 text-sm" data-pending={send.state}>
      <span className="min-w-0 grow truncate text-ink-muted">{send.text}</span>
      <span className={failed ? 'text-state-failed text-xs' : 'text-ink-faint text-xs'}>
        {failed ? `Not sent. ${send.reason}` : 'sending'}
      </span>
      {failed && (
        <>
          <Button size="small" onClick={() => actions.retry(send)}>
            Try again
          </Button>
          <Button look="ghost" size="small" onClick={() => actions.dismiss(send)}>
            Discard
          </Button>
        </>
      )}
    </li>
  )
}
