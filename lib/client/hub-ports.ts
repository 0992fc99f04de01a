/** What the hub needs from the place in which it runs. */
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'

export interface HubPorts {
  /** Opens one stream. `lost` is called at most once, and nothing after it or after `close`. */
  openStream(url: string, on: { frame(frame: Frame): void; lost(): void }): { close(): void }
  now(): number
  /** Calls back once after `ms`; returns the undo. */
  later(ms: number, run: () => void): () => void
  random(): number
}

/** The address of a stream of these sessions, replayed from behind `after`; null: from now on (W6, W7). */
export function streamUrl(sessions: ReadonlySet<SessionId>, after: number | null): string {
  const query = new URLSearchParams()
  if (sessions.size > 0) query.set('sessions', [...sessions].join(','))
  if (after !== null) query.set('after', String(after))
  return `/api/stream${query.size > 0 ? `?${query}` : ''}`
}
