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

  /** Appends facts and knows them at once. @throws whatever the log throws; nothing has changed then. */
  append(...events: readonly NewEvent[]): void {
    if (events.length === 0) return
    for (const event of this.log.append(this.id, events)) this.#apply(event)
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
