/** The reference model's turn: from the claim to `turn.end`, as SPEC section 2 tells it. */
import type { AgentInterruptReason } from '@/lib/contract/cancel-cause'
import type { OutcomeKind, ToolStatus } from '@/lib/contract/outcome'
import type { ModelInbox, Waiting } from './model-inbox'
import type { Stage, Wait } from './model-stage'
import type { GatePlace, News, Place, Point } from './point'

/** The one owner of a turn: all that can happen to it is its first cause (C3, C4). */
export class Owner {
  #reason: AgentInterruptReason['kind'] | undefined

  get reason(): AgentInterruptReason['kind'] | undefined {
    return this.#reason
  }
  get aborted(): boolean {
    return this.#reason !== undefined
  }

  abort(reason: AgentInterruptReason['kind'], stage: Stage): void {
    if (this.#reason) return
    this.#reason = reason
    for (const point of stage.points) point.abort()
  }
}

/** What one schedule has come to, over all its turns. */
export class Story {
  readonly turns: ModelTurn[] = []
  readonly calls: ToolStatus[] = []
  /** For each request, the texts of all messages that had been accepted by then. */
  readonly requests: (readonly string[])[] = []
  told: readonly string[] = []
  /** Calls that a person has ended, and not their turn (T8). */
  readonly endedCalls = new WeakSet<Point>()
  /** The windows in time that were met. */
  readonly met = new Set<string>()
  /** Exceptions that were nobody's cancel: as many error lines are allowed (C12). */
  faults = 0
}

/** Leaves a turn's work from any depth. */
class Ends extends Error {
  constructor(readonly outcome: OutcomeKind) {
    super(outcome)
  }
}

/** A request is tried this often at most. */
const mostAttempts = 5

export class ModelTurn {
  readonly claimed: string[] = []
  outcome: OutcomeKind | null = null

  constructor(
    readonly owner: Owner,
    private readonly inbox: ModelInbox,
    private readonly stage: Stage,
    private readonly story: Story,
  ) {}

  /** Claims at once, works, and says how the work ended; the lifecycle and the cause still have the first word (C8). */
  *play(): Generator<Wait, OutcomeKind> {
    const claimed = this.inbox.claim()
    this.claimed.push(...claimed.map(({ name }) => name))
    try {
      for (const item of claimed) if ((yield* this.#submit(item)) === 'blocked') return 'blocked'
      yield* this.#work()
      return 'completed'
    } catch (end) {
      if (end instanceof Ends) return end.outcome
      throw end
    }
  }

  /** Steps until nothing asks for another. The inbox is read again after continueDecision and turnStop (C20). */
  *#work(): Generator<Wait, void> {
    for (;;) {
      yield* this.#join()
      yield* this.#seam('beforeStep')
      const calledTools = yield* this.#step()
      if (yield* this.#joinedBySteer()) continue
      const decision = yield* this.#seam('continueDecision')
      if (calledTools || decision === 'again') {
        yield* this.#join()
        continue
      }
      if (yield* this.#joinedBySteer()) continue
      yield* this.#seam('turnStop')
      if (!(yield* this.#joinedBySteer())) return
    }
  }

  /** An inject asks for no step of its own; a steer does, unless a hook refuses it. */
  *#joinedBySteer(): Generator<Wait, boolean> {
    return this.inbox.steersWait && (yield* this.#join())
  }

  /** Takes the steers and injects that wait now; what comes during their submission waits for the next pass. Was any accepted? */
  *#join(): Generator<Wait, boolean> {
    const joining = this.inbox.join()
    this.claimed.push(...joining.map(({ name }) => name))
    let accepted = false
    for (const item of joining) {
      if ((yield* this.#submit(item)) === 'accepted') accepted = true
      else this.story.met.add('a joining message refused')
    }
    return accepted
  }

  *#submit(item: Waiting): Generator<Wait, 'accepted' | 'blocked'> {
    if ((yield* this.#seam('promptSubmit')) === 'block') return 'blocked'
    this.story.told = [...this.story.told, item.text]
    return 'accepted'
  }

  /** One step; a reply that failed before it showed anything is tried again after a wait (M4). Returns whether it called tools. */
  *#step(): Generator<Wait, boolean> {
    for (let attempt = 1; ; attempt++) {
      const { news, shown } = yield* this.#reply()
      if (news === 'stumble' && !shown && attempt < mostAttempts) {
        yield* this.stage.until(this.stage.arrive('retry'))
        this.#goOnUnlessStopped()
        continue
      }
      if (news === 'fail' || news === 'stumble') throw new Ends('failed')
      if (news === 'cut-short') throw new Ends('truncated')
      if (news === 'call') yield* this.#callTools(['write'])
      if (news === 'call-two-writes') yield* this.#callTools(['write'], ['write'])
      if (news === 'call-two-reads') yield* this.#callTools(['read', 'read'])
      return news !== 'finish'
    }
  }

  /** A request and its reply. After an abort its next word, whatever it is, is the last that is heard (C11). */
  *#reply(): Generator<Wait, { news: News; shown: boolean }> {
    this.story.requests.push(this.story.told)
    const reply = this.stage.arrive('reply')
    let shown = false
    for (;;) {
      const news = yield* this.stage.until(reply, 'stays')
      if (news === 'speak' && !this.owner.aborted) {
        shown = true
        continue
      }
      this.stage.leave(reply)
      this.#goOnUnlessStopped()
      return { news, shown }
    }
  }

  /** Batch after batch; nothing starts after an abort, and what did not start is recorded all the same (T1, C13). */
  *#callTools(...batches: readonly (readonly Place[])[]): Generator<Wait, void> {
    for (const batch of batches) {
      if (this.owner.aborted) {
        this.story.calls.push(...batch.map((): ToolStatus => 'skipped'))
        this.story.met.add('a call never started')
        continue
      }
      const calls = batch.map((place) => this.stage.arrive(place))
      for (const call of calls) {
        const news = yield* this.stage.until(call)
        this.story.calls.push(this.#resultOf(call, news))
      }
    }
    this.#goOnUnlessStopped()
  }

  /** A real result stays real; what breaks after it was asked to end is an abort (C8, C13). */
  #resultOf(call: Point, news: News): ToolStatus {
    if (news === 'finish') return 'ok'
    if (news === 'stopped' || this.owner.aborted || this.story.endedCalls.has(call)) return 'aborted'
    this.story.faults += 1
    return 'error'
  }

  /** A hook that may be gated. One that throws fails the turn. */
  *#seam(place: GatePlace): Generator<Wait, News> {
    const news = yield* this.stage.pass(place, this.owner)
    this.#goOnUnlessStopped()
    if (news !== 'fail') return news
    this.story.faults += 1
    throw new Ends('failed')
  }

  /** Whatever was thrown or said, a turn with a cause goes no further (C8). */
  #goOnUnlessStopped(): void {
    if (this.owner.aborted) throw new Ends('aborted')
  }
}
