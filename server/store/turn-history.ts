/** Every turn of every session, newest first, filtered and searched (U8, W2 `/api/turns`). */
import type { ListTurnsQuery } from '@/lib/contract/commands'
import type { SessionId } from '@/lib/contract/ids'
import type { TurnRow } from '@/lib/contract/session'
import { sessionRowOf } from '@/lib/projection/session-summary'
import type { Connection, SqlValue } from './connection'
import { cursorOf, parseCursor } from './cursor'
import type { Database } from './database'
import { EventView } from './event-view'
import { trigramQuery } from './search-index'
import { foldForSearch, searchTextOf, snippetOf } from './search-text'
import { SessionRows } from './session-rows'
import { parseTurnRecord } from './turn-rows'

type Row = [record: Uint8Array, sessionId: Uint8Array, startedAt: string, position: number, hit: number | null]

const trigram = 3
const dayMs = 86_400_000

export class TurnHistory {
  readonly #connection: Connection
  readonly #view: EventView
  readonly #sessions: SessionRows

  constructor(database: Database) {
    this.#connection = database.log
    this.#view = new EventView(database.log)
    this.#sessions = new SessionRows(database.log, this.#view)
  }

  /**
   * One page, `limit` 50 by default. `query` finds substrings of one character or more, in any language and without case, in
   * prompts, replies (partial ones too), tool inputs and outputs; a found turn carries its first place as `snippet`.
   * `from` and `to` are inclusive; a date means the whole UTC day.
   * @throws AppError `invalid-request` on a foreign cursor.
   */
  list(query: ListTurnsQuery): { turns: TurnRow[]; nextCursor: string | null } {
    const limit = query.limit ?? 50
    const wanted = query.query === undefined ? '' : foldForSearch(query.query)
    const { source, values } = sourceOf(wanted)
    const { where, more } = conditions(query, wanted)
    const rows = this.#connection
      .prepare<Row>(`${source} WHERE ${where.join(' AND ')} ORDER BY t.started_at DESC, t.position DESC LIMIT ?`)
      .all(...values, ...more, limit + 1)
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      turns: page.flatMap((row) => this.#turn(row, wanted) ?? []),
      nextCursor: last ? cursorOf([last[2], last[3]]) : null,
    }
  }

  #turn([content, id, , , hit]: Row, wanted: string): TurnRow | undefined {
    const record = parseTurnRecord(content)
    const stored = this.#sessions.load(Buffer.from(id).toString('utf8') as SessionId)
    if (!record || !stored) return undefined
    const { rootId, title } = sessionRowOf(stored.summary)
    const turn = { ...record, rootId, title }
    return hit === null ? turn : { ...turn, snippet: this.#snippet(record.sessionId, hit, wanted) }
  }

  #snippet(sessionId: SessionId, seq: number, wanted: string): TurnRow['snippet'] {
    const [event] = this.#view.page(sessionId, seq, seq + 1, 1, 'first')
    return { seq, text: event ? snippetOf(searchTextOf(event), wanted) : '' }
  }
}

/** CROSS keeps the planner from reading all sessions first: turns come in the order of their index, and only as many as the page needs. */
const shown = 'CROSS JOIN sessions s ON s.id = t.session_id AND s.hidden = 0'
const columns = 'SELECT CAST(t.record AS BLOB), CAST(t.session_id AS BLOB), t.started_at, t.position'

/** Three characters and more have an index. One and two are looked for in the texts, turn by turn, until the page is full. */
function sourceOf(wanted: string): { source: string; values: SqlValue[] } {
  if (wanted === '') return { source: `${columns}, NULL FROM turns t ${shown}`, values: [] }
  if ([...wanted].length >= trigram) {
    const hits = `WITH hits AS (
      SELECT x.session_id, x.turn_id, min(x.seq) AS seq FROM search_index i JOIN search_texts x ON x.id = i.rowid
      WHERE search_index MATCH ? GROUP BY x.session_id, x.turn_id)`
    const join = 'CROSS JOIN turns t ON t.session_id = h.session_id AND t.turn_id = h.turn_id'
    return { source: `${hits} ${columns}, h.seq FROM hits h ${join} ${shown}`, values: [trigramQuery(wanted)] }
  }
  const hit = `(SELECT min(x.seq) FROM search_texts x
    WHERE x.session_id = t.session_id AND x.turn_id = t.turn_id AND instr(x.body, ?) > 0)`
  return { source: `${columns}, ${hit} AS hit FROM turns t ${shown}`, values: [wanted] }
}

function conditions(query: ListTurnsQuery, wanted: string): { where: string[]; more: SqlValue[] } {
  const where = ['1']
  const more: SqlValue[] = []
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition)
    more.push(...values)
  }
  if (wanted !== '' && [...wanted].length < trigram) add('hit IS NOT NULL')
  if (query.outcome) add('t.outcome IN (SELECT value FROM json_each(?))', JSON.stringify(query.outcome))
  if (query.requestedBy) add('t.requested_by IN (SELECT value FROM json_each(?))', JSON.stringify(query.requestedBy))
  if (query.session) add('t.session_id = ?', query.session)
  if (query.from) add('t.started_at >= ?', new Date(query.from).toISOString())
  if (query.to) add('t.started_at <= ?', new Date(endOf(query.to)).toISOString())
  if (query.cursor) add('(t.started_at, t.position) < (?, ?)', ...parseCursor(query.cursor))
  return { where, more }
}

function endOf(to: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(to) ? Date.parse(to) + dayMs - 1 : Date.parse(to)
}
