'use client'

/** How the way to the server is, and how to try again at once. */
import { useMemo, useSyncExternalStore } from 'react'
import { live } from '@/components/live/live'
import type { ConnectionStatus } from '@/lib/client/connection'
import type { ConnectionView } from '@/lib/client/connection-store'

export interface Connection extends ConnectionView {
  readonly status: ConnectionStatus
  readonly retryNow: () => void
}

const unknown: ConnectionView = { status: { state: 'connecting' }, generation: 0 }
const retryNow = () => live().stream.retryNow()
const subscribe = (changed: () => void) => live().connection.subscribe(changed)

/** `generation` grows when lists must be fetched again. */
export function useConnection(): Connection {
  const view = useSyncExternalStore(
    subscribe,
    () => live().connection.snapshot(),
    () => unknown,
  )
  return useMemo(() => ({ ...view, retryNow }), [view])
}
