/** The table of session summaries: a fold of the log, kept beside it so that lists need not read logs. */
import type { SessionId } from '@/lib/contract/ids'
import { emptySummary, foldSessionSummary, type SessionSummary, sessionRowOf } from '@/lib/projection/session-summary'
import type { Connection, Statement } from './connection'
import type { EventView } from './event-view'
import { foldForSearch } from './search-text'

export interface StoredSession {
  readonly summary: SessionSummary
  readonly hidden: boolean
}

export class SessionRows {
  readonly #load: Statement<[Uint8Array, number]>
  readonly #insert: Statement<[]>
  readonly #update: Statement<[]>

  constructor(
    connection: Connection,
    private readonly view: EventView,
  ) {
    this.#load = connection.prepare('SELECT CAST(summary AS BLOB), hidden FROM sessions WHERE id = ?')
    this.#insert = connection.prepare(
      `INSERT INTO sessions (id, root_id, parent_id, kind, created_position, hidden, archived, updated_at, last_seq, last_outcome, open_turn, search_key, summary)
       VALUES (?, ?, ?, ?, ?, coalesce((SELECT hidden FROM sessions WHERE id = ?), 0), ?, ?, ?, ?, ?, ?, ?)`,
    )
    this.#update = connection.prepare(
      'UPDATE sessions SET archived = ?, updated_at = ?, last_seq = ?, last_outcome = ?, open_turn = ?, search_key = ?, summary = ? WHERE id = ?',
    )
  }

  /** A summary that does not parse is folded anew from the log (L7). */
  load(id: SessionId): StoredSession | undefined {
    const row = this.#load.one(id)
    if (!row) return undefined
    const [content, hidden] = row
    return { summary: this.parse(id, content), hidden: hidden === 1 }
  }

  parse(id: SessionId, content: Uint8Array): SessionSummary {
    try {
      const summary: unknown = JSON.parse(Buffer.from(content).toString('utf8'))
      if (isSummaryOf(id, summary)) return summary
    } catch {
      // not JSON: the log is the truth, the row only its summary
    }
    return this.refold(id)
  }

  /** What the readable log says. */
  refold(id: SessionId): SessionSummary {
    let summary = emptySummary(id)
    for (const event of this.view.read(id)) summary = foldSessionSummary(summary, event)
    return summary
  }

  /** A session of a hidden tree is born hidden. */
  insert(summary: SessionSummary, createdPosition: number): void {
    const { id, rootId, parentId, kind } = summary
    this.#insert.run(id, rootId, parentId, kind, createdPosition, rootId, ...foldedColumns(summary))
  }

  update(summary: SessionSummary): void {
    this.#update.run(...foldedColumns(summary), summary.id)
  }
}

function foldedColumns(summary: SessionSummary) {
  const { title, label } = sessionRowOf(summary)
  return [
    summary.archived ? 1 : 0,
    summary.updatedAt,
    summary.lastSeq,
    summary.lastOutcome?.kind ?? null,
    summary.openTurnId,
    foldForSearch(`${title}\n${label ?? ''}`),
    JSON.stringify(summary),
  ] as const
}

/** Enough to tell our own fold's result from a damaged row. */
function isSummaryOf(id: SessionId, value: unknown): value is SessionSummary {
  return typeof value === 'object' && value !== null && 'id' in value && value.id === id && 'openNeeds' in value
}
