/** Tells listeners about facts, one fact at a time and in order, whatever a listener does meanwhile. */
import type { RuntimeLogger } from '@/server/runtime/ports'

export class Announcer<T> {
  readonly #listeners = new Set<(fact: T) => void>()
  readonly #waiting: T[] = []
  #busy = false

  constructor(
    private readonly logger: RuntimeLogger,
    private readonly complaint: string,
  ) {}

  /** Returns the undo. */
  listen(listener: (fact: T) => void): () => void {
    const own = (fact: T) => listener(fact) // the same function may listen twice, and each has its own undo
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  /** A fact that a listener causes is announced after the one it was told, so that all listeners see the same order. */
  announce(fact: T): void {
    this.#waiting.push(fact)
    if (this.#busy) return
    this.#busy = true
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#tell(next)
    this.#busy = false
  }

  #tell(fact: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(fact)
      } catch (error) {
        this.logger.error(this.complaint, { error: error instanceof Error ? error.message : String(error) })
      }
    }
  }
}
