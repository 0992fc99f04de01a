/** What the event stream needs from the process behind it. Everything here answers at once: that is what makes joining free of gaps. */
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Activity, Session } from '@/lib/contract/session'
import type { Delta, ToolOutput } from '@/lib/contract/stream'

/** One thing that has just happened. Durable events come after their commit (L5). */
export type Happening =
  | { readonly kind: 'event'; readonly event: SessionEvent }
  | { readonly kind: 'delta'; readonly delta: Delta }
  | { readonly kind: 'tool-output'; readonly output: ToolOutput }
  /** Something outside the log changed in the session's summary: activity, waits, residency. */
  | { readonly kind: 'session-changed'; readonly sessionId: SessionId }
  | { readonly kind: 'session-removed'; readonly sessionId: SessionId }

export interface StreamSource {
  /** Random per process. */
  readonly runtimeId: string
  /** The position of the last durable event of the store; 0 while there is none. */
  position(): number
  /** Events of these sessions after a position, oldest first, at most `limit`. */
  since(after: number, sessionIds: readonly SessionId[], limit: number): readonly SessionEvent[]
  /** Sessions whose summary may differ from what a reader knew at that position. A superset is fine. */
  changedSince(after: number): readonly SessionId[]
  /** The summary; undefined for a session that is hidden or gone. */
  session(id: SessionId): Session | undefined
  activity(id: SessionId): Activity
  /** Streamed text that is not a message yet, from offset 0. */
  openDeltas(sessionIds: readonly SessionId[]): readonly Delta[]
  openToolOutputs(sessionIds: readonly SessionId[]): readonly ToolOutput[]
  /** Calls back synchronously, in the order in which things happen. Returns the undo. */
  subscribe(listener: (happening: Happening) => void): () => void
}
