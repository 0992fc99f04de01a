'use client'

/** The store of one session and what it shows now. */
import { useMemo, useSyncExternalStore } from 'react'
import { live } from '@/components/live/live'
import { windowOf } from '@/lib/client/event-window'
import type { SessionStore, SessionView } from '@/lib/client/session-store'
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'

/** The store of a session; null while a page is rendered on the server. `initial` are the events that the page came with. */
export function useSessionStore(sessionId: SessionId, initial?: readonly SessionEvent[]): SessionStore | null {
  // The first call of a session in this page decides; later ones find the same store.
  return useMemo(
    () => (typeof window === 'undefined' ? null : live().session(sessionId, initial)),
    [sessionId, initial],
  )
}

/** What the session shows. Follows the stream as long as it is mounted. */
export function useSession(sessionId: SessionId, initial?: readonly SessionEvent[]): SessionView {
  const store = useSessionStore(sessionId, initial)
  const rendered = useMemo(() => renderedView(initial), [initial])
  return useSyncExternalStore(store?.subscribe ?? never, store?.snapshot ?? (() => rendered), () => rendered)
}

const never = () => () => {}

function renderedView(initial: readonly SessionEvent[] | undefined): SessionView {
  const { transcript } = windowOf(initial ?? [])
  return {
    phase: initial && initial.length > 0 ? 'ready' : 'loading',
    reason: null,
    transcript,
    atStart: transcript.firstSeq === 1,
    atEnd: true,
    loading: null,
    pending: [],
  }
}
