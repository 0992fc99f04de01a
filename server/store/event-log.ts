/** The append-only log on SQLite (L1). */
import { createHash } from 'node:crypto'
import { AppError } from '@/lib/contract/errors'
import { eventDataSchemas, type NewEvent, type SessionEvent } from '@/lib/contract/events'
import type { MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import { emptySummary, foldSessionSummary } from '@/lib/projection/session-summary'
import { turnIdOf } from '@/lib/projection/turn-row'
import type { Clock, EventLog, RuntimeLogger } from '@/server/runtime/ports'
import { Announcer } from './announcer'
import type { Statement } from './connection'
import type { Database } from './database'
import { EventView } from './event-view'
import { SearchIndex } from './search-index'
import { SessionRows } from './session-rows'
import { TurnRows } from './turn-rows'

export interface PageQuery {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly turnId?: TurnId | undefined
  /** Default 500. */
  readonly limit?: number | undefined
}

/** A fact with the time at which it happened, for copies of another session's events (fork, import). */
export interface DatedEvent {
  readonly at: string
  readonly event: NewEvent
}

export class SqliteEventLog implements EventLog {
  readonly #announcer: Announcer<readonly SessionEvent[]>
  readonly #view: EventView
  readonly #sessions: SessionRows
  readonly #turns: TurnRows
  readonly #search: SearchIndex
  readonly #insert: Statement<[]>
  readonly #lastPosition: Statement<[number]>
  readonly #addClientId: Statement<[]>
  readonly #clientId: Statement<[string]>
  readonly #addText: Statement<[]>
  readonly #text: Statement<[Uint8Array]>
  readonly #isShown: Statement<[number]>
  #position: number

  constructor(
    private readonly database: Database,
    private readonly options: { readonly clock: Pick<Clock, 'now'>; readonly logger: RuntimeLogger },
  ) {
    const { log } = database
    this.#announcer = new Announcer(options.logger, 'A listener of appended events failed')
    this.#view = new EventView(log)
    this.#sessions = new SessionRows(log, this.#view)
    this.#turns = new TurnRows(log)
    this.#search = new SearchIndex(log)
    this.#insert = log.prepare('INSERT INTO events (session_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)')
    this.#lastPosition = log.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'")
    this.#addClientId = log.prepare('INSERT INTO client_ids (session_id, client_id, message_id) VALUES (?, ?, ?)')
    this.#clientId = log.prepare('SELECT message_id FROM client_ids WHERE session_id = ? AND client_id = ?')
    this.#addText = log.prepare('INSERT OR IGNORE INTO texts (hash, body) VALUES (?, ?)')
    this.#text = log.prepare('SELECT CAST(body AS BLOB) FROM texts WHERE hash = ?')
    this.#isShown = log.prepare('SELECT 1 FROM sessions WHERE id = ? AND hidden = 0')
    this.#position = this.#lastPosition.one()?.[0] ?? 0
  }

  /**
   * Appends all or nothing; durable and visible when it returns, listeners have been told then (L1, L5). The summary, the
   * turn rows, the search texts and the client ids change in the same transaction.
   * @throws AppError `not-found` for a session that was never created. @throws StoreError when the disk refuses. @throws ZodError
   * on data that is not the contract's. Nothing was appended then.
   */
  append(sessionId: SessionId, events: readonly NewEvent[]): readonly SessionEvent[] {
    const at = this.options.clock.now().toISOString()
    return this.appendDated(
      sessionId,
      events.map((event) => ({ at, event })),
    )
  }

  /** `append` for facts that happened before, each with its own time. */
  appendDated(sessionId: SessionId, facts: readonly DatedEvent[]): readonly SessionEvent[] {
    if (facts.length === 0) return []
    const valid = facts.map(validated)
    const { events, hidden } = this.#committed(sessionId, valid)
    this.#position = events.at(-1)?.position ?? this.#position
    if (!hidden) this.#announcer.announce(events)
    return events
  }

  /** Tells `listener` about every append after its commit, in the order of positions; not about hidden sessions. Returns its undo. */
  onAppended(listener: (events: readonly SessionEvent[]) => void): () => void {
    return this.#announcer.listen(listener)
  }

  /** Every readable event of a session in order; see `EventView` for damaged ones (L7). Empty for an unknown session. */
  read(sessionId: SessionId): Iterable<SessionEvent> {
    return this.#view.read(sessionId)
  }

  /**
   * One page in ascending order: behind `after`, or with `before` alone the ones nearest to it. With `turnId` only that turn's,
   * its claim and its closing note included. `lastSeq` is the session's last number.
   */
  readPage(sessionId: SessionId, query: PageQuery = {}): { events: SessionEvent[]; lastSeq: number } {
    const lastSeq = this.#sessions.load(sessionId)?.summary.lastSeq ?? 0
    const { after = 0, before, turnId, limit = 500 } = query
    const end = query.after === undefined && before !== undefined ? 'last' : 'first'
    const from = after + 1
    const to = before ?? Number.MAX_SAFE_INTEGER
    if (turnId === undefined) return { events: this.#view.page(sessionId, from, to, limit, end), lastSeq }
    const range = this.#turns.range(sessionId, turnId)
    if (!range) return { events: [], lastSeq }
    const [first, last] = range
    const events = this.#view.page(sessionId, Math.max(from, first - 1), Math.min(to, last + 2), limit + 2, end)
    const own = events.filter((event) => (event.seq >= first && event.seq <= last) || isOfTurn(event, turnId))
    return { events: end === 'first' ? own.slice(0, limit) : own.slice(-limit), lastSeq }
  }

  /** The first `limit` events behind a global position, of these sessions together; hidden ones have none (W7). */
  since(position: number, sessionIds: readonly SessionId[], limit: number): SessionEvent[] {
    return sessionIds
      .filter((id) => this.#isShown.one(id) !== undefined)
      .flatMap((id) => this.#view.since(id, position, limit))
      .sort((a, b) => a.position - b.position || a.seq - b.seq)
      .slice(0, limit)
  }

  /** The last position that was given to any event, removed ones included. */
  position(): number {
    return this.#position
  }

  /** The message that a client's own id stands for in a session, for ever (W2). */
  messageIdOf(sessionId: SessionId, clientId: string): MessageId | undefined {
    return this.#clientId.one(sessionId, clientId)?.[0] as MessageId | undefined
  }

  /** At once: `append` returns only after its commit is on disk, and nothing follows later. */
  async flush(_sessionId: SessionId, _signal: AbortSignal): Promise<void> {}

  putText(text: string): string {
    const hash = createHash('sha256').update(text).digest('hex')
    this.#addText.run(hash, text)
    return hash
  }

  text(hash: string): string | undefined {
    const body = this.#text.one(hash)?.[0]
    return body && Buffer.from(body).toString('utf8')
  }

  /** Writes a session's summary anew from its readable log; for a damaged session whose summary knows more than can be read. */
  refold(sessionId: SessionId): void {
    this.#sessions.update(this.#sessions.refold(sessionId))
  }

  #committed(sessionId: SessionId, facts: readonly ValidFact[]) {
    try {
      return this.database.log.transaction(() => this.#write(sessionId, facts))
    } catch (error) {
      this.#view.recheck(sessionId)
      throw error
    }
  }

  #write(sessionId: SessionId, facts: readonly ValidFact[]): { events: SessionEvent[]; hidden: boolean } {
    const stored = this.#sessions.load(sessionId)
    const creates = facts[0]?.event.type === 'session.created'
    if (stored && creates) throw new Error(`Session ${sessionId} exists already`)
    if (!stored && !creates) throw new AppError('not-found', 'There is no such session.')
    let summary = stored?.summary ?? emptySummary(sessionId)
    let seq = summary.lastSeq
    const damage = stored && this.#view.openDamage(sessionId)
    if (damage) {
      seq = Math.max(seq, damage.lastSeq)
      this.#view.addGap(sessionId, damage.seq, seq + 1)
      summary = this.#sessions.refold(sessionId)
    }
    const events = facts.map(({ at, event, json }) => {
      seq += 1
      const { lastId } = this.#insert.run(sessionId, seq, at, event.type, json)
      return { position: lastId, seq, sessionId, at, ...event } as SessionEvent
    })
    for (const event of events) {
      summary = foldSessionSummary(summary, event)
      this.#search.add(event)
      if (event.type === 'inbox.queued' && event.data.clientId !== undefined) {
        this.#addClientId.run(sessionId, event.data.clientId, event.data.messageId)
      }
    }
    this.#turns.apply(events)
    if (stored) this.#sessions.update(summary)
    else this.#sessions.insert(summary, events[0]?.position ?? 0)
    return { events, hidden: this.#isShown.one(sessionId) === undefined }
  }
}

interface ValidFact {
  readonly at: string
  readonly event: NewEvent
  readonly json: string
}

/** Validates once, on the way in. What is announced is what a reader will find: plain JSON. */
function validated({ at, event }: DatedEvent): ValidFact {
  const json = JSON.stringify(eventDataSchemas[event.type].parse(event.data))
  return { at, event: { type: event.type, data: JSON.parse(json) } as NewEvent, json }
}

function isOfTurn(event: SessionEvent, turnId: TurnId): boolean {
  return turnIdOf(event) === turnId || (event.type === 'note' && event.data.about === turnId)
}
