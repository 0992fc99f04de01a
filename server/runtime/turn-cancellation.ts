/** The one private owner of a turn's cancellation (C3). Nobody else holds the controller; everybody gets the signal. */
import { setMaxListeners } from 'node:events'
import type { AgentCancelCause, AgentInterruptReason } from '@/lib/contract/cancel-cause'

const disposed: AgentInterruptReason = Object.freeze({ kind: 'disposed' })

/** A batch of calls listens at once; more than this on one turn's signal is a leak, and Node then says so. */
const expectedListeners = 64

export class TurnCancellation {
  readonly #controller = new AbortController()

  constructor() {
    setMaxListeners(expectedListeners, this.#controller.signal)
  }

  /** The signal of this turn and of no other. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The first request wins; a later one changes nothing (C4). `cause` is already normalised and becomes `signal.reason`. */
  cancel(cause: AgentCancelCause): void {
    this.#controller.abort(cause)
  }

  /** The runtime-only interruption of a disposal (C17). An earlier cause stays; the lifecycle is asked first at the end (C8). */
  interruptForDisposal(): void {
    this.#controller.abort(disposed)
  }
}
