/** Turns stored rows into events. A row is believed only after the schema has seen it: the disk is a border (L7). */
import { type EventType, eventDataSchemas, type SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Connection, Statement } from './connection'

/** A row, and the event in it if it parses. */
export interface ReadRow {
  readonly position: number
  readonly seq: number
  readonly event: SessionEvent | undefined
}

export type PageEnd = 'first' | 'last'

/** Read as bytes: the driver ends the process on text that is not UTF-8. */
const line = "position || ' ' || seq || ' ' || at || ' ' || type || ' ' || data"
const range = 'FROM events WHERE session_id = ? AND seq >= ? AND seq < ? ORDER BY seq'

export class EventRows {
  readonly #rows: Statement<[number, number, Uint8Array | null]>
  readonly #joined: Readonly<Record<PageEnd, Statement<[Uint8Array | null]>>>

  constructor(connection: Connection) {
    const joined = (order: '' | 'DESC') =>
      connection.prepare<[Uint8Array | null]>(
        `SELECT CAST(group_concat(line, char(10)) AS BLOB) FROM (SELECT ${line} AS line ${range} ${order} LIMIT ?)`,
      )
    this.#rows = connection.prepare(`SELECT position, seq, CAST(${line} AS BLOB) ${range} LIMIT ?`)
    this.#joined = { first: joined(''), last: joined('DESC') }
  }

  /**
   * At most `limit` events with `from <= seq < to`, in order: the first ones, or for `last` those nearest to `to`. Nothing
   * when a row among them does not parse. All rows cross the driver as one text, which is ten times cheaper than one by one.
   */
  sound(sessionId: SessionId, from: number, to: number, limit: number, end: PageEnd): SessionEvent[] | undefined {
    const content = this.#joined[end].one(sessionId, from, to, limit)?.[0]
    if (!content) return []
    const lines = textOf(content)?.split('\n') ?? ['']
    if (end === 'last') lines.reverse()
    const events: SessionEvent[] = []
    for (const text of lines) {
      const event = parse(sessionId, text)
      if (!event || event.seq <= (events.at(-1)?.seq ?? 0)) return undefined
      events.push(event)
    }
    return events
  }

  /** The first `limit` rows from `from` on, each by itself. */
  each(sessionId: SessionId, from: number, limit: number): ReadRow[] {
    return this.#rows.all(sessionId, from, Number.MAX_SAFE_INTEGER, limit).map(([position, seq, content]) => {
      const text = content && textOf(content)
      return { position, seq, event: text ? parse(sessionId, text) : undefined }
    })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function textOf(content: Uint8Array): string | undefined {
  try {
    return utf8.decode(content)
  } catch {
    return undefined // not UTF-8: the row does not parse
  }
}

function parse(sessionId: SessionId, text: string): SessionEvent | undefined {
  const dataAt = text.indexOf('{')
  const [position, seq, at = '', type = ''] = text.slice(0, dataAt).split(' ')
  if (dataAt < 0 || !isEventType(type) || Number.isNaN(Date.parse(at))) return undefined
  try {
    const data = eventDataSchemas[type].safeParse(JSON.parse(text.slice(dataAt)))
    if (!data.success) return undefined
    return { position: Number(position), seq: Number(seq), sessionId, at, type, data: data.data } as SessionEvent
  } catch {
    return undefined // not JSON: the row does not parse
  }
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDataSchemas, type)
}
