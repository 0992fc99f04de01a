/** The state of the connection for the screen, and how often what is known had to be asked for again. */
import type { ConnectionStatus } from './connection'

export interface ConnectionView {
  readonly status: ConnectionStatus
  /** Grows when lists must be fetched again: after a loss, a restart or a `reset`. */
  readonly generation: number
}

export class ConnectionStore {
  readonly #subscribers = new Set<() => void>()
  #view: ConnectionView = { status: { state: 'connecting' }, generation: 0 }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed)
    return () => this.#subscribers.delete(changed)
  }

  readonly snapshot = (): ConnectionView => this.#view

  setStatus(status: ConnectionStatus): void {
    const cameBack = status.state === 'open' && this.#view.status.state === 'lost'
    this.#set({ status, generation: this.#view.generation + (cameBack ? 1 : 0) })
  }

  refetched(): void {
    this.#set({ ...this.#view, generation: this.#view.generation + 1 })
  }

  #set(view: ConnectionView): void {
    this.#view = view
    for (const subscriber of [...this.#subscribers]) subscriber()
  }
}
