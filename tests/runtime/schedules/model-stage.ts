/** Where the reference model's turn waits for the world. */
import { assertNever } from '@/lib/contract/assert-never'
import type { GatePlace, News, Place } from './point'
import { Point } from './point'

/** `blocked` hands back until the world says more; `breath` only lets the current tick end. */
export type Wait = 'blocked' | 'breath'

export class Stage {
  #points: readonly Point[] = []
  readonly #gates = new Map<GatePlace, boolean>()

  get points(): readonly Point[] {
    return this.#points
  }
  get calls(): readonly Point[] {
    return this.#points.filter(({ place }) => place === 'write' || place === 'read')
  }

  /** The next arrival at this place waits there. */
  close(place: GatePlace, deaf: boolean): void {
    this.#gates.set(place, deaf)
  }

  arrive(place: Place, deaf = false): Point {
    const point = new Point(place, deaf)
    this.#points = [...this.#points, point]
    return point
  }

  /** Waits for the next news; `then` says whether the point is left with it. */
  *until(point: Point, then: 'leaves' | 'stays' = 'leaves'): Generator<Wait, News> {
    let news = point.take()
    for (; !news; news = point.take()) yield 'blocked'
    if (then === 'leaves') this.leave(point)
    return news
  }

  /** Passes a place, waiting there if it is gated. */
  *pass(place: GatePlace, signal: { readonly aborted: boolean }): Generator<Wait, News> {
    const deaf = this.#gates.get(place)
    if (deaf === undefined) return 'finish'
    this.#gates.delete(place)
    const point = this.arrive(place, deaf)
    if (signal.aborted) point.abort()
    return yield* this.until(point)
  }

  leave(point: Point): void {
    this.#points = this.#points.filter((other) => other !== point)
  }
}

/** How a wait is named to the person who looks (W5). */
export function waitAt(place: Place): string {
  switch (place) {
    case 'reply':
      return 'model'
    case 'retry':
      return 'retry'
    case 'flush':
      return 'store'
    case 'write':
    case 'read':
      return `tool ${place}`
    case 'promptSubmit':
    case 'beforeStep':
    case 'continueDecision':
    case 'turnStop':
      return `hook ${place}`
    default:
      return assertNever(place)
  }
}
