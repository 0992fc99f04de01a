'use client'

/** What the stream has told about sessions and about itself, for the frame (W6). */
import type { ConnectionBannerProps } from '@/components/workbench/connection-banner'
import type { LiveSessions } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

const nothing: LiveSessions = { byId: new Map(), removed: new Set() }

export function useLiveSessions(): LiveSessions {
  return nothing
}

export function useLiveSession(id: SessionId | null): Session | null {
  const { byId } = useLiveSessions()
  return (id && byId.get(id)) ?? null
}

export function useConnectionState(): ConnectionBannerProps {
  return { status: 'connecting', since: null, retryAt: null, retryNow: () => {} }
}
