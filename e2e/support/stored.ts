/** Looks into a data folder from outside, read-only: what is really on disk, whatever the server says. */
import path from 'node:path'
import Database from 'libsql'
import { type SessionEvent, sessionEventSchema } from '@/lib/contract/events'

interface Row {
  readonly position: number
  readonly seq: number
  readonly session_id: string
  readonly at: string
  readonly type: string
  readonly data: string
}

/** The stored events of a session in order, each validated; all sessions when no id is given. Works beside a running server. */
export function storedEvents(home: string, sessionId?: string): SessionEvent[] {
  const where = sessionId === undefined ? '' : ' WHERE session_id = ?'
  const rows = select(home, `SELECT position, seq, session_id, at, type, data FROM events${where} ORDER BY position`, [
    ...(sessionId === undefined ? [] : [sessionId]),
  ]) as Row[]
  return rows.map((row) =>
    sessionEventSchema.parse({
      position: row.position,
      seq: row.seq,
      sessionId: row.session_id,
      at: row.at,
      type: row.type,
      data: JSON.parse(row.data) as unknown,
    }),
  )
}

/** Pieces of drafts that no message has replaced yet. */
export function storedDrafts(home: string): number {
  const [row] = select(
    home,
    'SELECT (SELECT count(*) FROM draft_texts) + (SELECT count(*) FROM draft_outputs) AS n',
    [],
  )
  return Number((row as { n: number }).n)
}

/** Changes a stopped server's store by hand, as a bug or an older version might have left it. */
export function tamper(home: string, sql: string, values: readonly unknown[]): number {
  const database = new Database(fileOf(home))
  try {
    const { changes } = database.prepare(sql).run(...values)
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)') // Into the file itself: no log beside it tells another story.
    return changes
  } finally {
    database.close()
  }
}

function select(home: string, sql: string, values: readonly unknown[]): unknown[] {
  // The driver knows no read-only option: the address says it.
  const database = new Database(`file:${encodeURI(fileOf(home))}?mode=ro`, { timeout: 5000 })
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}

export function fileOf(home: string): string {
  return path.join(home, 'belay.db')
}
