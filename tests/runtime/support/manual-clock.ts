/** A clock that moves only when a test moves it. */
import type { Clock } from '@/server/runtime/ports'

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

export class ManualClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00.000Z')
  readonly #sleepers = new Set<Sleeper>()

  now(): Date {
    return new Date(this.#now)
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#sleepers.delete(sleeper)
        signal.removeEventListener('abort', stop)
        settle()
      }
      const stop = () => end(() => reject(signal.reason))
      const sleeper: Sleeper = { at: this.#now + ms, wake: () => end(resolve) }
      this.#sleepers.add(sleeper)
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
    })
  }

  /** How many sleeps are still under way. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Moves on by `ms` and wakes whatever is due. */
  advance(ms: number): void {
    this.#now += ms
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= this.#now) sleeper.wake()
  }
}
