/** What a log says of inbox, turns and requests to stop, in the words of `Seen`. Follows the log instead of reading it anew. */
import type { SessionEvent } from '@/lib/contract/events'
import type { MessageId, TurnId } from '@/lib/contract/ids'
import type { ToolStatus } from '@/lib/contract/outcome'
import { foldInbox, type InboxItems } from '@/lib/projection/inbox'

export class LogView {
  readonly controls: string[] = []
  readonly calls: ToolStatus[] = []
  readonly discarded: string[] = []
  readonly idByName = new Map<string, MessageId>()
  readonly #nameById = new Map<MessageId, string>()
  readonly #turns = new Map<TurnId, { readonly n: number; readonly claimed: string[]; outcome: string }>()
  #inbox: InboxItems = []
  #read = 0

  /** @param events the whole log, which only grows */
  constructor(private readonly events: readonly SessionEvent[]) {}

  /** Takes what has been appended since. */
  follow(): this {
    for (; this.#read < this.events.length; this.#read++) {
      const event = this.events[this.#read]
      if (event) this.#apply(event)
    }
    return this
  }

  get inbox(): InboxItems {
    return this.#inbox
  }
  get waiting(): string[] {
    return this.#inbox.map((item) => `${this.nameOf(item.messageId)} ${item.delivery}: ${item.text}`)
  }
  get turns(): string[] {
    return [...this.#turns.values()].map(({ claimed, outcome }) => `${claimed.join(',')} -> ${outcome}`)
  }

  nameOf(id: MessageId): string {
    return this.#nameById.get(id) ?? id
  }

  #apply(event: SessionEvent): void {
    this.#inbox = foldInbox(this.#inbox, event)
    switch (event.type) {
      case 'inbox.queued': {
        const { messageId, clientId } = event.data
        this.#nameById.set(messageId, clientId ?? messageId)
        if (clientId !== undefined) this.idByName.set(clientId, messageId)
        return
      }
      case 'inbox.discarded':
        this.discarded.push(...event.data.messageIds.map((id) => this.nameOf(id)))
        return
      case 'inbox.claimed': {
        const { turnId, messageIds } = event.data
        const names = messageIds.map((id) => this.nameOf(id))
        const turn = this.#turns.get(turnId)
        if (turn) turn.claimed.push(...names)
        else this.#turns.set(turnId, { n: this.#turns.size + 1, claimed: names, outcome: 'open' })
        return
      }
      case 'tool.end':
        this.calls.push(event.data.status)
        return
      case 'turn.end': {
        const turn = this.#turns.get(event.data.turnId)
        if (turn) turn.outcome = event.data.outcome.kind
        return
      }
      case 'control.requested': {
        const { action, turnId, keepInbox } = event.data
        const turn = turnId === null ? 'none' : this.#turns.get(turnId)?.n
        this.controls.push(`${action} turn ${turn}${keepInbox ? ' keepInbox' : ''}`)
        return
      }
    }
  }
}
