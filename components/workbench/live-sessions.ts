'use client'

/** What the stream has told about sessions and about itself, in the shapes of the frame (W6). */
import { useMemo } from 'react'
import { useConnection } from '@/components/live/use-connection'
import { useRemovedSessions, useSessionSummaries } from '@/components/live/use-summaries'
import type { ConnectionBannerProps } from '@/components/workbench/connection-banner'
import type { LiveSessions } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

export function useLiveSessions(): LiveSessions {
  const byId = useSessionSummaries()
  const removed = useRemovedSessions()
  return useMemo(() => ({ byId, removed }), [byId, removed])
}

/** The session that is open, once the stream has told about it. */
export function useLiveSession(id: SessionId | null): Session | null {
  const byId = useSessionSummaries()
  return (id && byId.get(id)) ?? null
}

export function useConnectionState(): ConnectionBannerProps {
  const { status, retryNow } = useConnection()
  if (status.state !== 'lost') return { status: status.state, since: null, retryAt: null, why: null, retryNow }
  return { status: 'lost', since: status.since, retryAt: status.retryAt, why: status.why, retryNow }
}

/** Grows when lists must be asked for again: another server process, or a store that was reset. */
export function useListGeneration(): number {
  return useConnection().generation
}
