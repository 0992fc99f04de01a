/** What the server renders a session's page with. */
import type { SessionEvent } from '@/lib/contract/events'
import type { Session } from '@/lib/contract/session'

export interface SessionPageData {
  readonly session: Session
  /** The tree of its root in pre-order. */
  readonly nodes: readonly Session[]
  /** The newest events, in order. */
  readonly events: readonly SessionEvent[]
}
