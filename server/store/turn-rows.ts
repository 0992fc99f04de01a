/** The table of turns: one row for each, folded as its events are appended (U8). */
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId, TurnId } from '@/lib/contract/ids'
import { foldTurnRow, startedTurn, type TurnRecord, turnIdOf } from '@/lib/projection/turn-row'
import type { Connection, Statement } from './connection'

export class TurnRows {
  readonly #load: Statement<[Uint8Array]>
  readonly #insert: Statement<[]>
  readonly #update: Statement<[]>
  readonly #range: Statement<[number, number]>

  constructor(connection: Connection) {
    const one = 'WHERE session_id = ? AND turn_id = ?'
    this.#load = connection.prepare(`SELECT CAST(record AS BLOB) FROM turns ${one}`)
    this.#insert = connection.prepare(
      'INSERT INTO turns (session_id, turn_id, started_at, position, first_seq, last_seq, record) VALUES (?, ?, ?, ?, ?, ?, ?)',
    )
    this.#update = connection.prepare(`UPDATE turns SET last_seq = ?, outcome = ?, requested_by = ?, record = ? ${one}`)
    this.#range = connection.prepare(`SELECT first_seq, last_seq FROM turns ${one}`)
  }

  /** Applies one append's events. Call it inside the append's transaction. */
  apply(events: readonly SessionEvent[]): void {
    const touched = new Map<TurnId, { record: TurnRecord; lastSeq: number }>()
    for (const event of events) {
      const turnId = turnIdOf(event)
      if (turnId === null) continue
      if (event.type === 'turn.start') this.#start(event)
      const record = touched.get(turnId)?.record ?? this.#loaded(event.sessionId, turnId)
      if (record) touched.set(turnId, { record: foldTurnRow(record, event), lastSeq: event.seq })
    }
    for (const [turnId, { record, lastSeq }] of touched) {
      const { outcome, requestedBy, sessionId } = record
      this.#update.run(lastSeq, outcome?.kind ?? null, requestedBy, JSON.stringify(record), sessionId, turnId)
    }
  }

  /** The first and last `seq` that belong to a turn, from its start. */
  range(sessionId: SessionId, turnId: TurnId): readonly [first: number, last: number] | undefined {
    return this.#range.one(sessionId, turnId)
  }

  #start(event: Extract<SessionEvent, { type: 'turn.start' }>): void {
    const { sessionId, at, position, seq, data } = event
    this.#insert.run(sessionId, data.turnId, at, position, seq, seq, JSON.stringify(startedTurn(event)))
  }

  #loaded(sessionId: SessionId, turnId: TurnId): TurnRecord | undefined {
    const row = this.#load.one(sessionId, turnId)
    return row && parseTurnRecord(row[0])
  }
}

/** A record that does not parse is no record: its turn is left out of the history, its session is not touched (L7). */
export function parseTurnRecord(content: Uint8Array): TurnRecord | undefined {
  try {
    return JSON.parse(Buffer.from(content).toString('utf8')) as TurnRecord
  } catch {
    return undefined
  }
}
