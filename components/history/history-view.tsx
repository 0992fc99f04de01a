'use client'

/** The history page: every turn of every session, sifted by what stands in the address (U8). */
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useQueryStates } from 'nuqs'
import { useCallback, useEffect, useMemo } from 'react'
import {
  type HistoryFilter,
  historyParsers,
  isFiltered,
  noHistoryFilter,
  turnsQuery,
} from '@/components/history/history-filter'
import { HistoryFilters } from '@/components/history/history-filters'
import { HistoryList, type HistoryState } from '@/components/history/history-list'
import { useNow } from '@/components/ui/clock'
import { useLiveSessions } from '@/components/workbench/live-sessions'
import { PageShell } from '@/components/workbench/page-shell'
import { api, reasonOf } from '@/lib/client/api'
import type { TurnRow } from '@/lib/contract/session'

const pageSize = 50
const settlePauseMs = 500

/** `initial` is the first page without a filter, rendered by the server; null when the address holds a filter. */
export function HistoryView({ initial }: { initial: { turns: TurnRow[]; nextCursor: string | null } | null }) {
  const [filter, setFilter] = useQueryStates(historyParsers)
  const onFilter = useCallback((next: HistoryFilter) => void setFilter(toAddress(next)), [setFilter])
  const state = useHistory(filter, initial)
  return (
    <PageShell title="History">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <HistoryFilters filter={filter} onFilter={onFilter} />
        <HistoryList
          state={state}
          query={filter.query}
          filtered={isFiltered(filter)}
          onClear={() => onFilter(noHistoryFilter)}
        />
      </div>
    </PageShell>
  )
}

function useHistory(
  filter: HistoryFilter,
  initial: { turns: TurnRow[]; nextCursor: string | null } | null,
): HistoryState {
  const now = useNow(15_000)
  const asked = turnsQuery(filter, filter.since ? now : 0)
  const query = useInfiniteQuery({
    queryKey: ['turns', asked],
    queryFn: ({ pageParam, signal }) =>
      api.turns({ ...asked, cursor: pageParam ?? undefined, limit: pageSize }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    ...(initial && !isFiltered(filter) && { initialData: { pages: [initial], pageParams: [null] } }),
  })
  useRefreshWhenTurnsChange()

  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const turns = useMemo(() => data?.pages.flatMap((page) => page.turns) ?? [], [data])
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  if (data) return { kind: 'ready', turns, more: hasNextPage ? more : null, loadingMore: isFetchingNextPage }
  if (error) return { kind: 'failed', message: reasonOf(error), retry: () => void refetch() }
  return { kind: 'loading' }
}

/** A turn that begins or ends anywhere makes the list old; several at once ask once. */
function useRefreshWhenTurnsChange(): void {
  const client = useQueryClient()
  const live = useLiveSessions()
  const openTurns = useMemo(() => [...live.byId.values()].map((session) => session.openTurnId ?? '').join(), [live])
  useEffect(() => {
    if (openTurns === '') return
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['turns'] }), settlePauseMs)
    return () => clearTimeout(timer)
  }, [client, openTurns])
}

/** nuqs wants arrays that it may keep. */
function toAddress(filter: HistoryFilter) {
  return { outcome: [...filter.outcome], by: [...filter.by], since: filter.since, query: filter.query }
}
