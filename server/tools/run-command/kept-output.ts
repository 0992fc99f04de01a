/** Keeps the head and the tail of an output of any length, in bounded memory. */
import { headOf, tailOf } from '../cut-text'

/** In UTF-16 units. */
export interface KeptBounds {
  readonly head: number
  readonly tail: number
}

export class KeptOutput {
  readonly #bounds: KeptBounds
  #head = ''
  #tail = ''
  #headIsFull = false
  #leftOut = 0

  constructor(bounds: KeptBounds) {
    this.#bounds = bounds
  }

  /** Units left out so far, between head and tail. */
  get leftOut(): number {
    return this.#leftOut + this.#overhang()
  }

  get isEmpty(): boolean {
    return this.#head === '' && this.#tail === ''
  }

  /** An upper bound for the length of `text()`, its mark aside. */
  get length(): number {
    return this.#head.length + Math.min(this.#tail.length, this.#bounds.tail)
  }

  write(text: string): void {
    const taken = this.#headIsFull ? '' : headOf(text, this.#bounds.head - this.#head.length)
    this.#head += taken
    if (taken.length === text.length) return
    this.#headIsFull = true
    this.#tail += text.slice(taken.length)
    // Cut only now and then: each cut copies the tail.
    if (this.#tail.length > 2 * this.#bounds.tail + 4096) {
      this.#leftOut += this.#overhang()
      this.#tail = tailOf(this.#tail, this.#bounds.tail)
    }
  }

  /** All of it, or head, the mark and tail. No character is split. */
  text(mark: (leftOut: number) => string): string {
    const leftOut = this.leftOut
    if (leftOut === 0) return this.#head + this.#tail
    return this.#head + mark(leftOut) + tailOf(this.#tail, this.#bounds.tail)
  }

  #overhang(): number {
    return this.#tail.length - tailOf(this.#tail, this.#bounds.tail).length
  }
}
