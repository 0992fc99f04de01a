/** Where the real runtime waits for the world: Points that hear a real signal and that can be awaited. */
import type { CallId } from '@/lib/contract/ids'
import { type GatePlace, type News, type Place, Point } from './point'

export interface Arrival {
  readonly point: Point
  readonly callId?: CallId
  /** The next news, as soon as there is any. */
  next(): Promise<News>
  leave(): void
}

export class Arrivals {
  readonly #all = new Set<Arrival>()
  readonly #gates = new Map<GatePlace, boolean>()

  /** The oldest first. */
  get all(): readonly Arrival[] {
    return [...this.#all]
  }

  /** The next arrival at this place waits there. */
  close(place: GatePlace, deaf: boolean): void {
    this.#gates.set(place, deaf)
  }

  arrive(place: Place, signal: AbortSignal, more: { deaf?: boolean; callId?: CallId } = {}): Arrival {
    let heard = () => {}
    const point = new Point(place, more.deaf, () => heard())
    const abort = () => point.abort()
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    const arrival: Arrival = {
      point,
      ...(more.callId && { callId: more.callId }),
      next: async () => {
        let news = point.take()
        for (; !news; news = point.take()) {
          await new Promise<void>((resolve) => {
            heard = resolve
          })
        }
        return news
      },
      leave: () => {
        signal.removeEventListener('abort', abort)
        this.#all.delete(arrival)
      },
    }
    this.#all.add(arrival)
    return arrival
  }

  /** Waits for the one piece of news that ends this wait. */
  async until(arrival: Arrival): Promise<News> {
    const news = await arrival.next()
    arrival.leave()
    return news
  }

  /** Passes a place, waiting there if it is gated. */
  async pass(place: GatePlace, signal: AbortSignal): Promise<News> {
    const deaf = this.#gates.get(place)
    if (deaf === undefined) return 'finish'
    this.#gates.delete(place)
    return this.until(this.arrive(place, signal, { deaf }))
  }
}
