'use client'

/** Session summaries as the stream tells them, for list, tree, header and composer (W6). */
import { useCallback, useSyncExternalStore } from 'react'
import { live } from '@/components/live/live'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

const none: ReadonlyMap<SessionId, Session> = new Map()
const noneRemoved: ReadonlySet<SessionId> = new Set()
const subscribe = (changed: () => void) => live().summaries.subscribe(changed)

/** Every summary that the stream or an answer has brought. The same map until something changes. */
export function useSessionSummaries(): ReadonlyMap<SessionId, Session> {
  return useSyncExternalStore(
    subscribe,
    () => live().summaries.all(),
    () => none,
  )
}

/** Ids of sessions that were deleted while the page was open. */
export function useRemovedSessions(): ReadonlySet<SessionId> {
  return useSyncExternalStore(
    subscribe,
    () => live().summaries.removed(),
    () => noneRemoved,
  )
}

/** The newest known summary of one session; `fallback` (what the page was rendered with) while the stream has told nothing. */
export function useSessionSummary(id: SessionId, fallback?: Session): Session | undefined {
  const snapshot = useCallback(() => {
    const known = live().summaries.get(id)
    return known && fallback && fallback.lastSeq > known.lastSeq ? fallback : (known ?? fallback)
  }, [id, fallback])
  return useSyncExternalStore(subscribe, snapshot, () => fallback)
}
