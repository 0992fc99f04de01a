/** Reads stored events, and decides what a session with a damaged row looks like (L7). */
import { type EventType, eventDataSchemas, type NewEvent, type SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Connection, Statement } from './connection'
import { emptyTail, foldTail, type LogTail } from './open-turn'
import { closeOrphan, noDrafts } from './orphan-closing'

/** An unreadable row at `seq`; `lastSeq` is the last number that its stand-ins use. */
export interface Damage {
  readonly seq: number
  readonly lastSeq: number
}

type EventRow = readonly [position: number, seq: number, content: Uint8Array | null]

const chunk = 500
const columns = "position, seq, CAST(at || ' ' || type || ' ' || data AS BLOB)"

/**
 * A row that does not parse ends what can be read of its session. In its place, with its `seq` and `position`, a reader sees a
 * `note {for: 'person'}` that says so, and, if a turn was open there, the events that close it as `orphaned`; they have the
 * next numbers. The unreadable row and those behind it stay on disk and are not shown. Nothing of this is written: reading has
 * no side effect, and gives the same answer every time.
 *
 * The session can go on: the first append after the damage records a gap from the damaged row to itself, and its `seq` is
 * higher than any on disk or in the note. From then on readers see: up to the damage, the note, what came after the gap.
 * Numbers increase strictly, but a damaged session's are not contiguous.
 */
export class EventView {
  readonly #rows: Statement<EventRow>
  readonly #rowsBefore: Statement<EventRow>
  readonly #gaps: Statement<[number, number]>
  readonly #addGap: Statement<[]>
  readonly #suspect: Statement<[number]>
  readonly #lastUpTo: Statement<[number]>
  readonly #sound = new Map<SessionId, boolean>()

  constructor(connection: Connection) {
    const from = `SELECT ${columns} FROM events WHERE session_id = ?`
    this.#rows = connection.prepare(`${from} AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?`)
    this.#rowsBefore = connection.prepare(`${from} AND seq >= ? AND seq < ? ORDER BY seq DESC LIMIT ?`)
    this.#gaps = connection.prepare('SELECT from_seq, to_seq FROM gaps WHERE session_id = ? ORDER BY from_seq')
    this.#addGap = connection.prepare('INSERT OR REPLACE INTO gaps (session_id, from_seq, to_seq) VALUES (?, ?, ?)')
    this.#suspect = connection.prepare(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM gaps WHERE session_id = ?) OR EXISTS (SELECT 1 FROM events WHERE session_id = ? AND NOT json_valid(data))',
    )
    this.#lastUpTo = connection.prepare(
      'SELECT seq FROM events WHERE session_id = ? AND position <= ? ORDER BY seq DESC LIMIT 1',
    )
  }

  /** Every readable event, in order. Returns the damage that nothing has been appended behind yet. */
  *read(sessionId: SessionId): Generator<SessionEvent, Damage | undefined> {
    const gaps = new Map(this.#gaps.all(sessionId))
    let tail = emptyTail
    let next = 1
    for (;;) {
      const rows = this.#rows.all(sessionId, next, Number.MAX_SAFE_INTEGER, chunk)
      let broken: EventRow | undefined
      for (const row of rows) {
        const event = gaps.has(row[1]) ? undefined : decode(sessionId, row)
        if (!event) {
          broken = row
          break
        }
        next = row[1] + 1
        tail = foldTail(tail, event)
        yield event
      }
      if (!broken && rows.length < chunk) return undefined
      if (!broken) continue
      this.#sound.set(sessionId, false)
      const shown = standIns(sessionId, broken, tail)
      yield* shown
      tail = shown.reduce(foldTail, tail)
      const resumed = gaps.get(broken[1])
      if (resumed === undefined) return { seq: broken[1], lastSeq: broken[1] + shown.length - 1 }
      next = resumed
    }
  }

  /** At most `limit` events with `from <= seq < to`, in order: the first ones, or for `last` those nearest to `to`. */
  page(sessionId: SessionId, from: number, to: number, limit: number, end: 'first' | 'last'): SessionEvent[] {
    if (this.#isSound(sessionId)) {
      const rows = (end === 'first' ? this.#rows : this.#rowsBefore).all(sessionId, from, to, limit)
      if (end === 'last') rows.reverse()
      const events = rows.flatMap((row) => decode(sessionId, row) ?? [])
      if (events.length === rows.length) return events
      this.#sound.set(sessionId, false)
    }
    const events = [...this.read(sessionId)].filter((event) => event.seq >= from && event.seq < to)
    return end === 'first' ? events.slice(0, limit) : events.slice(-limit)
  }

  /** The first `limit` events of a session behind a global position. */
  since(sessionId: SessionId, position: number, limit: number): SessionEvent[] {
    const [seen] = this.#lastUpTo.one(sessionId, position) ?? [0]
    const events = this.page(sessionId, seen + 1, Number.MAX_SAFE_INTEGER, limit, 'first')
    if (this.#isSound(sessionId)) return events
    return [...this.read(sessionId)].filter((event) => event.position > position).slice(0, limit)
  }

  /** The damage of `read`, or nothing. Known once the session has been read in this process, which every writer does first. */
  openDamage(sessionId: SessionId): Damage | undefined {
    if (this.#sound.get(sessionId) !== false) return undefined
    const events = this.read(sessionId)
    for (;;) {
      const { done, value } = events.next()
      if (done) return value
    }
  }

  /** Records that everything from `seq` up to, but without, `resumedAt` is not shown. Call it inside the append's transaction. */
  addGap(sessionId: SessionId, seq: number, resumedAt: number): void {
    this.#addGap.run(sessionId, seq, resumedAt)
  }

  #isSound(sessionId: SessionId): boolean {
    const known = this.#sound.get(sessionId)
    if (known !== undefined) return known
    const sound = this.#suspect.one(sessionId, sessionId) === undefined
    this.#sound.set(sessionId, sound)
    return sound
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The disk is a border: a row is believed only after the schema has seen it. */
function decode(sessionId: SessionId, [position, seq, content]: EventRow): SessionEvent | undefined {
  if (content === null) return undefined
  try {
    const text = utf8.decode(content)
    const atEnd = text.indexOf(' ')
    const typeEnd = text.indexOf(' ', atEnd + 1)
    const at = text.slice(0, atEnd)
    const type = text.slice(atEnd + 1, typeEnd)
    if (!isEventType(type) || Number.isNaN(Date.parse(at))) return undefined
    const data = eventDataSchemas[type].safeParse(JSON.parse(text.slice(typeEnd + 1)))
    return data.success ? ({ position, seq, sessionId, at, type, data: data.data } as SessionEvent) : undefined
  } catch {
    return undefined // not UTF-8 or not JSON: the row does not parse
  }
}

function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDataSchemas, type)
}

/** What readers see in place of a damaged row: the note, and the end of a turn that would otherwise stay open for ever. */
function standIns(sessionId: SessionId, [position, seq]: EventRow, tail: LogTail): SessionEvent[] {
  const note: NewEvent = {
    type: 'note',
    data: {
      for: 'person',
      text: `The record of this session is damaged here (event ${seq}). What was written before is shown; what followed cannot be read.`,
    },
  }
  const closing = tail.open ? closeOrphan(tail.open, tail, noDrafts) : []
  const at = tail.lastAt ?? new Date(0).toISOString()
  return [note, ...closing].map(
    (event, index) => ({ position, seq: seq + index, sessionId, at, ...event }) as SessionEvent,
  )
}
