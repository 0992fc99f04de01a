/** A clock whose sleeps pass at once and move its time: a script plays in no time and its pace can still be measured. */
import type { Clock } from '@/server/runtime/ports'

export class PlayingClock implements Clock {
  #ms = 0
  /** Every sleep so far, in ms. */
  readonly sleeps: number[] = []
  /** Called before each sleep ends; a test may abort here. */
  beforeWaking: (ms: number) => void = () => undefined

  now(): Date {
    return new Date(this.#ms)
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.sleeps.push(ms)
    this.beforeWaking(ms)
    await Promise.resolve()
    signal.throwIfAborted()
    this.#ms += ms
  }
}
