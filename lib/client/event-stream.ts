/** A tab's side of the one event stream: which sessions it shows, what arrives for them, and how the connection is (W6–W8). */
import { assertNever } from '@/lib/contract/assert-never'
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'
import type { ConnectionStatus, ToTab } from './connection'
import { type HubLink, type LinkEvents, openHubLink } from './hub-link'
import { holdTabLock, randomName } from './tab-life'

export interface EventStreamListener {
  /** Frames in order; deltas that carry each other on are one. */
  frames(frames: readonly Frame[]): void
  /** Everything known is void: ask for it again. */
  refetch(): void
  status(status: ConnectionStatus): void
}

interface Watch {
  readonly sessionId: SessionId
  ticket: number
  readonly covered: () => void
}

export class EventStream {
  readonly #openLink: (on: LinkEvents) => HubLink
  readonly #takeLock: typeof holdTabLock
  readonly #listeners = new Set<EventStreamListener>()
  readonly #watches = new Set<Watch>()
  #link: HubLink | null = null
  #lock: { readonly name: string; held: boolean } | null = null
  #ticket = 0
  #due = false

  constructor(openLink: (on: LinkEvents) => HubLink = openHubLink, takeLock = holdTabLock) {
    this.#openLink = openLink
    this.#takeLock = takeLock
  }

  /** Connects; without a watch only summaries arrive. */
  start(): void {
    if (this.#link) return
    const link = this.#openLink({ receive: (message) => this.#receive(message), restart: () => this.#announce() })
    this.#link = link
    this.#announce()
  }

  /** Leaves the hub, as when the page is put away. `start` comes back. */
  stop(): void {
    this.#link?.post({ type: 'bye' })
    this.#link?.close()
    this.#link = null
  }

  listen(listener: EventStreamListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Follows a session. `covered` is called each time a stream is up that was opened after this wish (W7, joining: only then is an
   * answer of GET events sure to have no gap before the stream). Returns the undo.
   */
  watch(sessionId: SessionId, covered: () => void): () => void {
    const watch: Watch = { sessionId, ticket: 0, covered }
    this.#watches.add(watch)
    this.#sendSoon()
    return () => {
      this.#watches.delete(watch)
      this.#sendSoon()
    }
  }

  /** Drafts did not fit: let them come again from offset 0. */
  resync(): void {
    this.#link?.post({ type: 'resync' })
  }

  retryNow(): void {
    this.#link?.post({ type: 'retry-now' })
  }

  #announce(): void {
    if (this.#lock?.held) this.#sayAlive(this.#lock.name)
    this.#lock ??= this.#newLock()
    for (const watch of this.#watches) watch.ticket = 0
    this.#send()
  }

  #newLock(): { readonly name: string; held: boolean } {
    const lock = { name: `belay-tab-${randomName()}`, held: false }
    this.#takeLock(lock.name, () => {
      lock.held = true
      this.#sayAlive(lock.name)
    })
    return lock
  }

  #sayAlive(lock: string): void {
    this.#link?.post({ type: 'alive', lock })
  }

  #sendSoon(): void {
    if (this.#due) return
    this.#due = true
    queueMicrotask(() => {
      this.#due = false
      this.#send()
    })
  }

  #send(): void {
    if (!this.#link) return
    this.#ticket += 1
    for (const watch of this.#watches) if (watch.ticket === 0) watch.ticket = this.#ticket
    const sessions = [...new Set([...this.#watches].map((watch) => watch.sessionId))]
    this.#link.post({ type: 'watch', sessions, ticket: this.#ticket })
  }

  #receive(message: ToTab): void {
    switch (message.type) {
      case 'frames':
        for (const listener of this.#listeners) listener.frames(message.frames)
        return
      case 'status':
        for (const listener of this.#listeners) listener.status(message.status)
        return
      case 'refetch':
        for (const listener of this.#listeners) listener.refetch()
        return
      case 'covers':
        for (const watch of this.#watches) {
          if (watch.ticket === 0 || watch.ticket > message.ticket) continue
          watch.ticket = Number.POSITIVE_INFINITY
          watch.covered()
        }
        return
      default:
        assertNever(message)
    }
  }
}
