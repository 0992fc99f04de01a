/**
 * Decides when a turn runs (C3, C6, C18, C20): owns the one TurnCancellation, the latch and the way from wake to idle.
 * What happens inside a turn is not its business.
 *
 *   idle --wake--> waking --claim--> turn --turn.end appended--> closing --> waking | idle
 */
import { TurnCancellation } from './turn-cancellation'

/** `on`: take the next waiting message. `park`: leave the queue to an explicit wake. */
export type AfterTurn = 'on' | 'park'

export interface DriverWork {
  /** Is there a message that a turn could claim? */
  hasWork(): boolean
  /**
   * Claims and runs one turn to its durable end. Claims before its first await; calls `over` right after `turn.end` has been
   * appended. Never rejects.
   */
  runTurn(signal: AbortSignal, over: () => void): Promise<AfterTurn>
  /** Told after the fact, with the owner already installed for `running` (C3). */
  announce(status: 'running' | 'idle'): void
}

type Phase = 'idle' | 'waking' | 'turn' | 'closing'

export class Driver {
  #owner: TurnCancellation | null = null
  #phase: Phase = 'idle'
  #latched = false
  #disposed = false
  #rest: Promise<void> = Promise.resolve()

  constructor(private readonly work: DriverWork) {}

  get phase(): Phase {
    return this.#phase
  }
  get disposed(): boolean {
    return this.#disposed
  }
  /** True from the signal until rest: something of a cancelled turn is still winding down. */
  get stopping(): boolean {
    return this.#owner?.signal.aborted ?? false
  }
  /** The owner whose signal a cancel would abort; null while idle. */
  get owner(): TurnCancellation | null {
    return this.#owner
  }

  /** Starts an idle driver; while a turn winds down the wake is latched and acts at idle (C18). Tells whether it does anything. */
  wake(): 'woken' | 'none' {
    if (this.#disposed) return 'none'
    if (this.#phase === 'idle') {
      this.#start()
      return 'woken'
    }
    if (!this.stopping && this.#phase !== 'closing') return 'none'
    this.#latched = true
    return 'woken'
  }

  /** A cancel clears what was latched before it (C18). */
  clearLatch(): void {
    this.#latched = false
  }

  /** Resolves at rest: no turn, no promise of one (C11). */
  async whenIdle(): Promise<void> {
    while (this.#phase !== 'idle') await this.#rest
  }

  /** Ends this driver for good: interrupts, waits for rest, never latches (C17, C18). */
  async dispose(): Promise<void> {
    this.#disposed = true
    this.#latched = false
    this.#owner?.interruptForDisposal()
    await this.whenIdle()
  }

  #start(): void {
    this.#phase = 'waking'
    this.#owner = new TurnCancellation()
    this.#rest = this.#drive()
  }

  async #drive(): Promise<void> {
    this.work.announce('running')
    await Promise.resolve() // the sender's tick ends first: a cancel in it meets no open turn (C6)
    for (let owner = this.#owner; owner; owner = this.#owner) {
      const after = owner.signal.aborted || !this.work.hasWork() ? 'park' : await this.#turn(owner)
      this.#owner = this.#goesOn(owner, after) ? new TurnCancellation() : null
      this.#phase = 'waking'
    }
    this.#phase = 'idle'
    this.work.announce('idle')
    if (this.#phase === 'idle' && this.#takeLatch()) this.#start() // nothing that came meanwhile is lost (C18)
  }

  #turn(owner: TurnCancellation): Promise<AfterTurn> {
    this.#phase = 'turn'
    return this.work.runTurn(owner.signal, () => {
      this.#phase = 'closing'
    })
  }

  /** Decided in one tick with what follows it, so that no cancel and no wake can fall between (C6, C18). */
  #goesOn(owner: TurnCancellation, after: AfterTurn): boolean {
    if (this.#takeLatch()) return true
    return after === 'on' && !owner.signal.aborted && !this.#disposed && this.work.hasWork()
  }

  #takeLatch(): boolean {
    const latched = this.#latched && !this.#disposed
    this.#latched = false
    return latched
  }
}
