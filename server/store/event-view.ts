/** Reads stored events, and decides what a session with a damaged row looks like (L7). */
import type { NewEvent, SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Connection, Statement } from './connection'
import { EventRows, type PageEnd, type ReadRow } from './event-rows'
import { emptyTail, foldTail, type LogTail } from './open-turn'
import { closeOrphan, noDrafts } from './orphan-closing'

/** An unreadable row at `seq`; `lastSeq` is the last number that its stand-ins use. */
export interface Damage {
  readonly seq: number
  readonly lastSeq: number
}

const chunk = 500

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
  readonly #rows: EventRows
  readonly #gaps: Statement<[number, number]>
  readonly #addGap: Statement<[]>
  readonly #suspect: Statement<[number]>
  readonly #lastUpTo: Statement<[number]>
  /** `resumed`: damaged, and appended to since. */
  readonly #states = new Map<SessionId, 'sound' | 'damaged' | 'resumed'>()

  constructor(connection: Connection) {
    this.#rows = new EventRows(connection)
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
      const rows = this.#chunk(sessionId, next)
      let broken: ReadRow | undefined
      for (const row of rows) {
        if (!row.event || gaps.has(row.seq)) {
          broken = row
          break
        }
        next = row.seq + 1
        tail = foldTail(tail, row.event)
        yield row.event
      }
      if (!broken && rows.length < chunk) return undefined
      if (!broken) continue
      const resumed = gaps.get(broken.seq)
      this.#states.set(sessionId, resumed === undefined ? 'damaged' : 'resumed')
      const shown = standIns(sessionId, broken, tail)
      yield* shown
      tail = shown.reduce(foldTail, tail)
      if (resumed === undefined) return { seq: broken.seq, lastSeq: broken.seq + shown.length - 1 }
      next = resumed
    }
  }

  /** At most `limit` events with `from <= seq < to`, in order: the first ones, or for `last` those nearest to `to`. */
  page(sessionId: SessionId, from: number, to: number, limit: number, end: PageEnd): SessionEvent[] {
    if (this.#isSound(sessionId)) {
      const events = this.#rows.sound(sessionId, from, to, limit, end)
      if (events) return events
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
    if (this.#states.get(sessionId) !== 'damaged') return undefined
    const events = this.read(sessionId)
    for (;;) {
      const { done, value } = events.next()
      if (done) return value
    }
  }

  /** Records that everything from `seq` up to, but without, `resumedAt` is not shown. Call it inside the append's transaction. */
  addGap(sessionId: SessionId, seq: number, resumedAt: number): void {
    this.#addGap.run(sessionId, seq, resumedAt)
    this.#states.set(sessionId, 'resumed')
  }

  /** Call it after an append that failed: a gap that was recorded in it is gone again. */
  recheck(sessionId: SessionId): void {
    if (this.#states.get(sessionId) === 'resumed') this.#states.set(sessionId, 'damaged')
  }

  #chunk(sessionId: SessionId, from: number): ReadRow[] {
    const events = this.#rows.sound(sessionId, from, Number.MAX_SAFE_INTEGER, chunk, 'first')
    if (!events) return this.#rows.each(sessionId, from, chunk)
    return events.map((event) => ({ position: event.position, seq: event.seq, event }))
  }

  #isSound(sessionId: SessionId): boolean {
    const known = this.#states.get(sessionId)
    if (known !== undefined) return known === 'sound'
    const sound = this.#suspect.one(sessionId, sessionId) === undefined
    if (sound) this.#states.set(sessionId, 'sound')
    return sound
  }
}

/** What readers see in place of a damaged row: the note, and the end of a turn that would otherwise stay open for ever. */
function standIns(sessionId: SessionId, { position, seq }: ReadRow, tail: LogTail): SessionEvent[] {
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
