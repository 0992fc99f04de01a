'use client'

/** What the frame asks the server for: pages of sessions, the models; and what it asks the server to change. */
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo } from 'react'
import { toast } from '@/components/ui/toast'
import { useFrameData } from '@/components/workbench/frame-data'
import { useListGeneration, useLiveSessions } from '@/components/workbench/live-sessions'
import type { ListState } from '@/components/workbench/session-list'
import type { SessionActions } from '@/components/workbench/session-menu'
import { composeRows, type ListFilter, noFilter, serverFilter } from '@/components/workbench/session-rows'
import { api, reasonOf } from '@/lib/client/api'
import type { ChangeSessionBody } from '@/lib/contract/commands'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

const pageSize = 50
/** Several turns that begin at once ask once. */
const refreshPauseMs = 1000

export function useSessionList(filter: ListFilter): ListState {
  const { sessions: rendered } = useFrameData()
  const live = useLiveSessions()
  const asked = serverFilter(filter)
  const isUsual = filter === noFilter || JSON.stringify(filter) === JSON.stringify(noFilter)
  const query = useInfiniteQuery({
    queryKey: ['sessions', asked],
    queryFn: ({ pageParam, signal }) =>
      api.listSessions(
        {
          query: asked.query,
          archived: asked.archived,
          activity: asked.activity?.join(','),
          outcome: asked.outcome?.join(','),
          cursor: pageParam ?? undefined,
          limit: pageSize,
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    ...(isUsual && { initialData: { pages: [rendered], pageParams: [null] } }),
  })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const rows = useMemo(
    () => composeRows(data?.pages.flatMap((page) => page.sessions) ?? [], live, filter),
    [data, live, filter],
  )
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])

  if (data) return { kind: 'ready', rows, more: hasNextPage ? more : null, loadingMore: isFetchingNextPage }
  if (error) return { kind: 'failed', message: reasonOf(error), retry: () => void refetch() }
  return { kind: 'loading' }
}

/** Asks for the list again when a turn has begun somewhere (its session moves to the top) and after another server took over. */
export function useListRefresh(): void {
  const client = useQueryClient()
  const live = useLiveSessions()
  const generation = useListGeneration()
  const openTurns = useMemo(() => [...live.byId.values()].flatMap((session) => session.openTurnId ?? []).join(), [live])
  useEffect(() => {
    if (openTurns === '' && generation === 0) return
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: ['sessions'] }), refreshPauseMs)
    return () => clearTimeout(timer)
  }, [client, openTurns, generation])
}

export function useModels(): { models: Awaited<ReturnType<typeof api.models>>; problem: string | null } {
  const { models } = useFrameData()
  const query = useQuery({
    queryKey: ['models'],
    queryFn: ({ signal }) => api.models(signal),
    initialData: { models: [...models.models], default: models.default },
    staleTime: 30_000,
  })
  return { models: query.data, problem: query.error ? reasonOf(query.error) : null }
}

/** Asks for a change of a session. What it became arrives by the stream; a refusal is said at once. */
export function useChangeSession(): (id: SessionId, change: ChangeSessionBody) => Promise<void> {
  const client = useQueryClient()
  return useCallback(
    async (id, change) => {
      try {
        await api.changeSession(id, change)
        if (change.archived !== undefined) await client.invalidateQueries({ queryKey: ['sessions'] })
      } catch (error) {
        toast({ tone: 'failure', text: `Not changed. ${reasonOf(error)}` })
      }
    },
    [client],
  )
}

/** The menu of a session, bound to the server. `currentId` is the one in view: deleting it leads home. */
export function useSessionActions(currentId: SessionId | null): (session: Session) => SessionActions {
  const change = useChangeSession()
  const client = useQueryClient()
  const router = useRouter()
  return useCallback(
    (session) => ({
      rename: (title) => void change(session.id, { title }),
      archive: (archived) => {
        void change(session.id, { archived })
        if (!archived) return
        toast({
          text: 'Archived',
          action: { label: 'Undo', run: () => void change(session.id, { archived: false }) },
        })
      },
      remove: () => {
        void (async () => {
          try {
            await api.deleteSession(session.id)
            if (session.id === currentId) router.push('/')
            await client.invalidateQueries({ queryKey: ['sessions'] })
          } catch (error) {
            toast({ tone: 'failure', text: `Not deleted. ${reasonOf(error)}` })
          }
        })()
      },
    }),
    [change, client, router, currentId],
  )
}
