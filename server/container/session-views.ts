/** A session as the wire shows it: its stored summary and what only the live agent knows, put together (W5). */
import type { ListSessionsQuery } from '@/lib/contract/commands'
import type { SessionId } from '@/lib/contract/ids'
import type { Activity, Session } from '@/lib/contract/session'
import type { SessionRow } from '@/lib/projection/session-summary'
import type { Agents } from '@/server/runtime/agents'
import type { Catalogue } from '@/server/store/catalogue'

export class SessionViews {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly agents: Agents,
  ) {}

  /** Undefined for an unknown, hidden or removed session. */
  get(id: SessionId): Session | undefined {
    const row = this.catalogue.get(id)
    return row && this.#view(row)
  }

  list(query: ListSessionsQuery): { sessions: Session[]; nextCursor: string | null } {
    const active = this.agents.active()
    const inActivity = (activity: Activity) =>
      active.filter((agent) => agent.live().activity === activity).map((agent) => agent.id)
    const { rows, nextCursor } = this.catalogue.list(query, {
      running: inActivity('running'),
      stopping: inActivity('stopping'),
    })
    return { sessions: rows.map((row) => this.#view(row)), nextCursor }
  }

  /** The whole tree of a session's root, pre-order; empty for an unknown session. */
  tree(id: SessionId): Session[] {
    const row = this.catalogue.get(id)
    return row ? this.catalogue.tree(row.rootId).map((each) => this.#view(each)) : []
  }

  activity(id: SessionId): Activity {
    return this.agents.get(id)?.live().activity ?? 'idle'
  }

  /** Paused is a kind of idle: while something runs or winds down the log's word does not count yet. */
  #view(row: SessionRow): Session {
    const agent = this.agents.get(row.id)
    const { activity, waitingOn } = agent?.live() ?? { activity: 'idle' as const, waitingOn: [] }
    const paused = row.paused && activity === 'idle'
    return { ...row, paused, activity, resident: agent !== undefined, waitingOn: [...waitingOn] }
  }
}
