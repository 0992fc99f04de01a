/** Messages on their way: shown at once, gone when the log has them, kept with the reason when they failed. */
import type { SessionEvent } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import { type Api, reasonOf, type SessionAddress } from './api'

export interface SendWish {
  readonly text: string
  readonly delivery: 'follow-up' | 'steer'
  readonly replaces?: TurnId | undefined
  /** The same for every try of one message, so that it is never there twice (W2). */
  readonly clientId: string
}

export interface PendingSend extends SendWish {
  readonly state: 'sending' | 'failed'
  readonly reason: string | null
}

export class PendingSends {
  readonly #api: Pick<Api, 'sendMessage'>
  readonly #changed: () => void
  #pending: readonly PendingSend[] = []
  /** Client ids of messages that the log has. */
  readonly #logged = new Set<string>()

  constructor(api: Pick<Api, 'sendMessage'>, changed: () => void) {
    this.#api = api
    this.#changed = changed
  }

  list(): readonly PendingSend[] {
    return this.#pending
  }

  async send(session: SessionAddress, wish: SendWish): Promise<void> {
    this.#put({ ...wish, state: 'sending', reason: null })
    const { text, delivery, replaces, clientId } = wish
    try {
      await this.#api.sendMessage(session, { text, delivery, clientId, ...(replaces && { replaces }) })
    } catch (error) {
      if (!this.#logged.has(clientId)) this.#put({ ...wish, state: 'failed', reason: reasonOf(error) })
      throw error
    }
  }

  dismiss(clientId: string): void {
    this.#pending = this.#pending.filter((send) => send.clientId !== clientId)
    this.#changed()
  }

  /** Looks through new events for messages that have arrived. */
  seen(events: readonly SessionEvent[]): void {
    for (const event of events) {
      if (event.type !== 'inbox.queued' || event.data.clientId === undefined) continue
      const { clientId } = event.data
      this.#logged.add(clientId)
      if (this.#pending.some((send) => send.clientId === clientId)) this.dismiss(clientId)
    }
  }

  #put(send: PendingSend): void {
    if (this.#logged.has(send.clientId)) return
    const others = this.#pending.filter((known) => known.clientId !== send.clientId)
    this.#pending = [...others, send]
    this.#changed()
  }
}
