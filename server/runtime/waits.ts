/** What a turn is waiting for right now, named for the person who looks (W5). */
import type { Wait } from '@/lib/contract/session'
import type { Clock } from './ports'

export class Waits {
  readonly #current = new Set<Wait>()

  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  /** Names something that the turn now waits for; the returned function says that it has come to rest. */
  begin(wait: Omit<Wait, 'since'>): () => void {
    const named: Wait = { ...wait, since: this.clock.now().toISOString() }
    this.#current.add(named)
    this.changed()
    return () => {
      if (this.#current.delete(named)) this.changed()
    }
  }

  /** Names a wait for as long as `work` takes. */
  async during<T>(wait: Omit<Wait, 'since'>, work: () => Promise<T>): Promise<T> {
    const over = this.begin(wait)
    try {
      return await work()
    } finally {
      over()
    }
  }

  list(): readonly Wait[] {
    return [...this.#current]
  }
}
