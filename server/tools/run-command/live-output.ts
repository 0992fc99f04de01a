/** Passes a command's output on to the person while it runs, thinned so that `yes` floods nobody. */
import { KeptOutput } from './kept-output'

/** At most one call each 16 ms, and at most 8 Ki units in one. */
const interval = 16
const half = 4096
/** A burst of 64 Ki units, then 16 Ki a second; once 512 Ki have been shown, 1 Ki a second. What does not fit loses its middle, marked. */
const burst = 64 * 1024
const generous = { upTo: 512 * 1024, perSecond: 16 * 1024 }
const sparing = { perSecond: 1024 }

export class LiveOutput {
  readonly #show: (text: string) => void
  #waiting = new KeptOutput({ head: half, tail: half })
  #timer: NodeJS.Timeout | undefined
  #allowance = burst
  #shown = 0
  #lastFlush = 0
  #lastRefill = performance.now()

  constructor(show: (text: string) => void) {
    this.#show = show
  }

  write(text: string): void {
    if (text === '') return
    this.#waiting.write(text)
    if (this.#timer) return
    const wait = this.#untilAllowed()
    if (wait <= 0) this.#flush()
    else this.#arm(wait)
  }

  /** Shows what is still waiting and clears the timer. Nothing may be written afterwards. */
  end(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#waiting.isEmpty) this.#flush()
  }

  #arm(wait: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      const more = this.#untilAllowed()
      if (more > 0) this.#arm(more)
      else this.#flush()
    }, wait)
  }

  /** Milliseconds until what is waiting may be shown. */
  #untilAllowed(): number {
    const now = performance.now()
    const perMs = (this.#shown < generous.upTo ? generous : sparing).perSecond / 1000
    this.#allowance = Math.min(burst, this.#allowance + (now - this.#lastRefill) * perMs)
    this.#lastRefill = now
    const missing = this.#waiting.length - this.#allowance
    return Math.ceil(Math.max(this.#lastFlush + interval - now, missing / perMs))
  }

  #flush(): void {
    const text = this.#waiting.text((leftOut) => `\n[… ${leftOut} characters not shown live …]\n`)
    this.#waiting = new KeptOutput({ head: half, tail: half })
    this.#allowance -= text.length
    this.#shown += text.length
    this.#lastFlush = performance.now()
    this.#show(text)
  }
}
