/** What the server renders a session's page with. */
import type { SessionStart } from '@/lib/client/session-start'
import type { Session } from '@/lib/contract/session'

export interface SessionPageData {
  readonly session: Session
  /** The tree of its root in pre-order. */
  readonly nodes: readonly Session[]
  readonly start: SessionStart
}
