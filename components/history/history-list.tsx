'use client'

/** The turns of the history in each of its states: on their way, failed, none, and as rows with more to come. */
import { HistoryRow } from '@/components/history/history-row'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { TurnRow } from '@/lib/contract/session'

export type HistoryState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly kind: 'ready'
      readonly turns: readonly TurnRow[]
      readonly more: (() => void) | null
      readonly loadingMore: boolean
    }

export function HistoryList({
  state,
  query,
  filtered,
  onClear,
}: {
  state: HistoryState
  query: string
  filtered: boolean
  onClear: () => void
}) {
  switch (state.kind) {
    case 'loading':
      return <SkeletonRows rows={5} label="Loading turns" />
    case 'failed':
      return (
        <Notice
          tone="failure"
          actions={
            <Button size="small" onClick={state.retry}>
              Try again
            </Button>
          }
        >
          The history could not be loaded. {state.message}
        </Notice>
      )
    case 'ready':
      if (state.turns.length > 0) return <Rows state={state} query={query} />
      return filtered ? (
        <EmptyState title="No turn matches" actions={<Button onClick={onClear}>Clear the filter</Button>}>
          Other words, or fewer conditions.
        </EmptyState>
      ) : (
        <EmptyState title="No turns yet">Every turn is listed here, however it ends.</EmptyState>
      )
  }
}

function Rows({ state, query }: { state: HistoryState & { kind: 'ready' }; query: string }) {
  return (
    <>
      <ul aria-label="Turns" className="-mx-3 grid divide-y">
        {state.turns.map((turn) => (
          <HistoryRow key={turn.turnId} turn={turn} query={query} />
        ))}
      </ul>
      {state.more && (
        <div className="flex justify-center py-3">
          <Button onClick={state.more} disabled={state.loadingMore}>
            {state.loadingMore ? 'Loading more' : 'Show more'}
          </Button>
        </div>
      )}
    </>
  )
}
