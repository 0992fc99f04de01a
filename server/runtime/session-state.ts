/** What the driver must know of its session: one fold of the log, kept current by the agent's own appends. */
import type { EventData, NewEvent, SessionEvent } from '@/lib/contract/events'
import type { CallId, MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import { foldInbox, type InboxItems } from '@/lib/projection/inbox'
import { emptyPrompt, foldPrompt, type PromptState } from '@/lib/projection/prompt'
import type { EventLog } from './ports'

export class SessionState {
  #header: EventData<'session.created'> | undefined
  #inbox: InboxItems = []
  #prompt: PromptState = emptyPrompt
  #openTurnId: TurnId | null = null
  #turns = 0
  #lastSeq = 0
  #lastAt = ''
  #owed: readonly NewEvent[] = []
  readonly #whenPaid: (() => void)[] = []
  readonly #callIds = new Set<CallId>()
  readonly #clientIds = new Map<string, MessageId>()

  private constructor(
    readonly id: SessionId,
    private readonly log: EventLog,
  ) {}

  /** Folds a session's whole log. Returns nothing when there is no such session. */
  static load(id: SessionId, log: EventLog): SessionState | undefined {
    const state = new SessionState(id, log)
    for (const event of log.read(id)) state.#apply(event)
    return state.#header ? state : undefined
  }

  /** Appends facts and knows them at once, behind whatever the log is owed. @throws whatever the log throws; nothing has changed then. */
  append(...events: readonly NewEvent[]): void {
    const owed = this.#owed
    if (owed.length + events.length === 0) return
    const stored = this.log.append(this.id, [...owed, ...events])
    this.#owed = []
    for (const event of stored.slice(owed.length)) this.#apply(event)
    for (const paid of this.#whenPaid.splice(0)) paid()
  }

  /**
   * Appends facts that conclude what has begun: a message, a result, an end. They have happened whether or not the log can be
   * written (a full disk), so a refusal leaves them known here and owed to the log, in front of its next append (C13, C14).
   * @throws whatever the log throws, so that the turn does not go on
   */
  conclude(...events: readonly NewEvent[]): void {
    try {
      this.append(...events)
    } catch (error) {
      if (error instanceof Error && error.name === 'ZodError') throw error // no fact of the contract: it could never be paid
      this.#owed = [...this.#owed, ...events]
      for (const event of events) this.#apply(this.#unnumbered(event))
      throw error
    }
  }

  /** True while facts wait for a log that could not be written. */
  get owes(): boolean {
    return this.#owed.length > 0
  }

  /** Runs `then` now, or as soon as nothing is owed to the log any more. */
  oncePaid(then: () => void): void {
    if (this.owes) this.#whenPaid.push(then)
    else then()
  }

  /** The next number is ours alone to give: at most one agent writes a session. The position is the log's and no fold reads it. */
  #unnumbered(event: NewEvent): SessionEvent {
    return { ...event, position: 0, seq: this.#lastSeq + 1, sessionId: this.id, at: this.#lastAt } as SessionEvent
  }

  get header(): EventData<'session.created'> {
    if (!this.#header) throw new Error(`Session ${this.id} has no session.created`)
    return this.#header
  }
  get inbox(): InboxItems {
    return this.#inbox
  }
  get prompt(): PromptState {
    return this.#prompt
  }
  get openTurnId(): TurnId | null {
    return this.#openTurnId
  }
  /** How many turns the session has had, the open one included. */
  get turns(): number {
    return this.#turns
  }
  /** Names the calls of one reply so that no two calls of a session, replaced ones included, share an id (C13, T8). */
  callNames(): (given: CallId) => CallId {
    const here = new Set<CallId>()
    return (given) => {
      let callId = given
      for (let n = 2; this.#callIds.has(callId) || here.has(callId); n++) callId = `${given}-${n}` as CallId
      here.add(callId)
      return callId
    }
  }
  /** The number of the newest event. */
  get lastSeq(): number {
    return this.#lastSeq
  }
  /** The message that a client's own id stands for, however long ago it was sent. */
  messageOf(clientId: string): MessageId | undefined {
    return this.#clientIds.get(clientId)
  }

  #apply(event: SessionEvent): void {
    this.#lastSeq = event.seq
    this.#lastAt = event.at
    this.#inbox = foldInbox(this.#inbox, event)
    this.#prompt = foldPrompt(this.#prompt, event)
    switch (event.type) {
      case 'session.created':
        this.#header = event.data
        break
      case 'session.changed':
        this.#header = { ...this.header, ...event.data }
        break
      case 'inbox.queued':
        if (event.data.clientId !== undefined) this.#clientIds.set(event.data.clientId, event.data.messageId)
        break
      case 'assistant.message':
        for (const block of event.data.blocks) if (block.type === 'tool-call') this.#callIds.add(block.callId)
        break
      case 'turn.start':
        this.#openTurnId = event.data.turnId
        this.#turns = event.data.n
        break
      case 'turn.end':
        this.#openTurnId = null
        break
    }
  }
}
