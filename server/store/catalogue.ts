/** Lists, trees and removal of sessions, from their summaries. Hidden sessions do not exist here (W2 DELETE). */
import type { ListSessionsQuery } from '@/lib/contract/commands'
import type { SessionId } from '@/lib/contract/ids'
import type { Activity } from '@/lib/contract/session'
import { type SessionRow, sessionRowOf } from '@/lib/projection/session-summary'
import type { Connection, SqlValue, Statement } from './connection'
import { cursorOf, parseCursor } from './cursor'
import type { Database } from './database'
import { EventView } from './event-view'
import { SearchIndex } from './search-index'
import { foldForSearch } from './search-text'
import { SessionRows } from './session-rows'

/** What only the running process knows, for the `activity` filter. Everything else is idle. */
export interface LiveSessions {
  readonly running: readonly SessionId[]
  readonly stopping: readonly SessionId[]
}

type IdRow = [Uint8Array]
type SummaryRow = [id: Uint8Array, summary: Uint8Array]

/** Reads an index of the open turns only (L6: a start does not grow with the store). */
export const openTurnsQuery =
  'SELECT CAST(id AS BLOB) FROM sessions INDEXED BY sessions_open WHERE open_turn IS NOT NULL AND hidden = 0'

const nobody: LiveSessions = { running: [], stopping: [] }
const columns = 'CAST(id AS BLOB), CAST(summary AS BLOB)'

export class Catalogue {
  readonly #connection: Connection
  readonly #sessions: SessionRows
  readonly #search: SearchIndex
  readonly #tree: Statement<[...SummaryRow, parentId: string | null]>
  readonly #hide: Statement<[]>
  readonly #hidden: Statement<IdRow>
  readonly #open: Statement<IdRow>
  readonly #treeIds: Statement<IdRow>
  readonly #changed: Statement<IdRow>

  constructor(database: Database) {
    this.#connection = database.log
    this.#sessions = new SessionRows(database.log, new EventView(database.log))
    this.#search = new SearchIndex(database.log)
    this.#tree = database.log.prepare(
      `SELECT ${columns}, parent_id FROM sessions WHERE root_id = ? AND hidden = 0 ORDER BY created_position`,
    )
    this.#hide = database.log.prepare('UPDATE sessions SET hidden = 1 WHERE id = ? OR root_id = ?')
    this.#hidden = database.log.prepare('SELECT CAST(id AS BLOB) FROM sessions WHERE hidden = 1')
    this.#open = database.log.prepare(openTurnsQuery)
    this.#changed = database.log.prepare(
      `SELECT CAST(id AS BLOB) FROM sessions WHERE hidden = 0 AND id IN (SELECT session_id FROM events WHERE position > ?)`,
    )
    this.#treeIds = database.log.prepare('SELECT CAST(id AS BLOB) FROM sessions WHERE id = ? OR root_id = ?')
  }

  get(id: SessionId): SessionRow | undefined {
    const stored = this.#sessions.load(id)
    return stored && !stored.hidden ? sessionRowOf(stored.summary) : undefined
  }

  /**
   * One page, newest activity first. `kind` defaults to roots, `archived` to false, `limit` to 50. The activity filter asks
   * `live`; its pages are full because the filter is part of the query.
   * @throws AppError `invalid-request` on a foreign cursor.
   */
  list(query: ListSessionsQuery, live: LiveSessions = nobody): { rows: SessionRow[]; nextCursor: string | null } {
    const limit = query.limit ?? 50
    const { where, values } = conditions(query, live)
    const rows = this.#connection
      .prepare<[...SummaryRow, string]>(
        `SELECT ${columns}, updated_at FROM sessions WHERE ${where.join(' AND ')} ORDER BY updated_at DESC, id DESC LIMIT ?`,
      )
      .all(...values, limit + 1)
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      rows: page.map(([id, summary]) => this.#row(id, summary)),
      nextCursor: last ? cursorOf([last[2], idOf(last[0])]) : null,
    }
  }

  /** A root and all its descendants, pre-order, siblings in the order in which they were created. Empty when there is none. */
  tree(rootId: SessionId): SessionRow[] {
    const children = new Map<string | null, SessionRow[]>()
    const rows = this.#tree.all(rootId)
    for (const [id, summary, parentId] of rows) {
      const key = idOf(id) === rootId ? null : parentId
      children.set(key, [...(children.get(key) ?? []), this.#row(id, summary)])
    }
    const below = (row: SessionRow): SessionRow[] => [row, ...(children.get(row.id) ?? []).flatMap(below)]
    return (children.get(null) ?? []).flatMap(below)
  }

  /** The sessions of every kind to which something was appended behind a global position (W7: changed summaries). */
  changedSince(position: number): SessionId[] {
    return this.#changed.all(position).map(([id]) => idOf(id))
  }

  /** Takes a tree out of every list, search and stream at once. Its log stays until `removeHidden`. Returns the ids of the tree. */
  hide(rootId: SessionId): SessionId[] {
    this.#hide.run(rootId, rootId)
    return this.#treeIds.all(rootId, rootId).map(([id]) => idOf(id))
  }

  /** The sessions that are hidden and not removed yet. */
  hidden(): SessionId[] {
    return this.#hidden.all().map(([id]) => idOf(id))
  }

  /** Removes a hidden session, or a hidden root's whole tree, for good. Does nothing to a session that is not hidden. */
  removeHidden(id: SessionId): void {
    const hidden = new Set(this.hidden())
    const ids = this.#treeIds.all(id, id).map(([row]) => idOf(row))
    this.#connection.transaction(() => {
      for (const gone of ids.filter((each) => hidden.has(each))) this.#remove(gone)
    })
  }

  /** The sessions whose log leaves a turn open, found without reading any log. */
  withOpenTurn(): SessionId[] {
    return this.#open.all().map(([id]) => idOf(id))
  }

  #remove(id: SessionId): void {
    this.#search.removeSession(id)
    for (const table of ['events', 'gaps', 'client_ids', 'turns', 'draft_texts', 'draft_outputs']) {
      this.#connection.prepare(`DELETE FROM ${table} WHERE session_id = ?`).run(id)
    }
    this.#connection.prepare('DELETE FROM sessions WHERE id = ?').run(id)
  }

  #row(id: Uint8Array, summary: Uint8Array): SessionRow {
    return sessionRowOf(this.#sessions.parse(idOf(id), summary))
  }
}

function conditions(query: ListSessionsQuery, live: LiveSessions): { where: string[]; values: SqlValue[] } {
  const where = ['hidden = 0', 'archived = ?']
  const values: SqlValue[] = [query.archived ? 1 : 0]
  const add = (condition: string, ...more: SqlValue[]) => {
    where.push(condition)
    values.push(...more)
  }
  add(oneOf('kind'), JSON.stringify(query.kind ?? ['root']))
  if (query.outcome) add(oneOf('last_outcome'), JSON.stringify(query.outcome))
  if (query.query) add('instr(search_key, ?) > 0', foldForSearch(query.query))
  if (query.activity) {
    const wanted = query.activity.map((activity) => activityCondition(activity, live))
    add(`(${wanted.map(([condition]) => condition).join(' OR ') || '0'})`, ...wanted.map(([, ids]) => ids))
  }
  if (query.cursor) add('(updated_at, id) < (?, ?)', ...parseCursor(query.cursor))
  return { where, values }
}

function activityCondition(activity: Activity, { running, stopping }: LiveSessions): [condition: string, ids: string] {
  switch (activity) {
    case 'running':
      return [oneOf('id'), JSON.stringify(running)]
    case 'stopping':
      return [oneOf('id'), JSON.stringify(stopping)]
    case 'idle':
      return [`NOT ${oneOf('id')}`, JSON.stringify([...running, ...stopping])]
  }
}

function oneOf(column: string): string {
  return `${column} IN (SELECT value FROM json_each(?))`
}

function idOf(content: Uint8Array): SessionId {
  return Buffer.from(content).toString('utf8') as SessionId
}
