'use client'

/** The store of one session and what it shows now. */
import { useMemo, useSyncExternalStore } from 'react'
import { live } from '@/components/live/live'
import type { SessionStart } from '@/lib/client/session-start'
import type { SessionStore } from '@/lib/client/session-store'
import { type SessionView, viewOfStart } from '@/lib/client/session-view'
import type { SessionId } from '@/lib/contract/ids'

/** The store of a session; null while a page is rendered on the server. `start` is what the page came with. */
export function useSessionStore(sessionId: SessionId, start?: SessionStart): SessionStore | null {
  // The first call of a session in this page decides; later ones find the same store.
  return useMemo(() => (typeof window === 'undefined' ? null : live().session(sessionId, start)), [sessionId, start])
}

/** What the session shows. Follows the stream as long as it is mounted. */
export function useSession(sessionId: SessionId, start?: SessionStart): SessionView {
  const store = useSessionStore(sessionId, start)
  const rendered = useMemo(() => viewOfStart(start), [start])
  return useSyncExternalStore(store?.subscribe ?? never, store?.snapshot ?? (() => rendered), () => rendered)
}

const never = () => () => {}
