/**
 * The inbox and the turn as SPEC section 2 tells them, small enough to be read against it. No promises: `perform` is one synchronous
 * operation, `settle` lets everything run that needs nobody. What the turn waits for is a Point, told by the schedule.
 */
import { assertNever } from '@/lib/contract/assert-never'
import type { AgentInterruptReason } from '@/lib/contract/cancel-cause'
import type { Delivery } from '@/lib/contract/events'
import type { OutcomeKind, ToolStatus } from '@/lib/contract/outcome'
import type { AgentOperation, Operation } from './operation'
import { type GatePlace, type News, type Place, Point } from './point'
import type { Receipt, Seen } from './seen'

interface Waiting {
  readonly name: string
  readonly text: string
  readonly delivery: Delivery
}

/** The one owner of a turn: all that can happen to it is its first cause (C3, C4). */
interface Owner {
  reason?: AgentInterruptReason['kind']
}

interface Turn {
  readonly owner: Owner
  readonly claimed: string[]
  outcome: OutcomeKind | null
}

/** Leaves a turn's work from any depth. */
class Ends extends Error {
  constructor(readonly outcome: OutcomeKind) {
    super(outcome)
  }
}

/** `blocked` hands back to `settle` until the world says more; `breath` only lets the current tick end. */
type Wait = 'blocked' | 'breath'

/** A request is tried this often at most. */
const mostAttempts = 5

export class ReferenceModel {
  readonly turns: Turn[] = []
  /** The texts of accepted messages that had been put to the model at each request. */
  readonly requests: (readonly string[])[] = []
  /** The windows in time that this schedule has met. */
  readonly met = new Set<string>()
  /** Exceptions that were nobody's cancel: as many error lines are allowed (C12). */
  faults = 0

  #phase: 'idle' | 'waking' | 'turn' | 'closing' = 'idle'
  #queue: Waiting[] = []
  #owner: Owner | null = null
  #latch = false
  #disposed = false
  #released = false
  #sent = 0
  #told: readonly string[] = []
  #points: Point[] = []
  #run: Generator<Wait, void> | null = null
  readonly #gates = new Map<GatePlace, boolean>()
  readonly #armed = { running: [] as (readonly AgentOperation[])[], idle: [] as (readonly AgentOperation[])[] }
  readonly #receipts: Receipt[] = []
  readonly #discarded: string[] = []
  readonly #results: ToolStatus[] = []
  readonly #controls: string[] = []

  perform(operation: Operation): void {
    const receipt = this.#perform(operation)
    if (receipt !== undefined) this.#receipts.push(receipt)
  }

  /** Runs until only the world can make it go on. */
  settle(): void {
    while (this.#run) {
      const run = this.#run
      const { done, value } = run.next()
      if (value === 'blocked') break
      if (done && this.#run === run) this.#run = null
    }
    this.#released = this.#disposed && this.#phase === 'idle'
  }

  seen(): Seen {
    const idle = this.#phase === 'idle'
    const activity = idle ? 'idle' : this.#owner?.reason ? 'stopping' : 'running'
    const waitingOn = this.#points.map(({ place }) => waitAt(place))
    return {
      activity,
      waitingOn,
      announced: [activity, ...waitingOn],
      atRest: idle,
      disposalsOver: !this.#disposed || idle,
      waiting: this.#queue.map(({ name, delivery, text }) => `${name} ${delivery}: ${text}`),
      discarded: this.#discarded,
      turns: this.turns.map(({ claimed, outcome }) => `${claimed.join(',')} -> ${outcome ?? 'open'}`),
      calls: this.#results,
      controls: this.#controls,
      requests: this.requests.length,
      waitsFor: this.#points.map((point) => point.place),
      receipts: this.#receipts,
    }
  }

  #perform(operation: Operation): Receipt | undefined {
    switch (operation.do) {
      case 'send':
        return this.#send(operation.delivery)
      case 'resend': // the same client id gives the same answer for ever (W2)
        return this.#sent === 0 ? undefined : `m${this.#sent}`
      case 'edit':
        return this.#edit(this.#indexOf(operation.back), operation)
      case 'remove': {
        const [removed] = this.#queue.splice(this.#indexOf(operation.back), 1)
        if (removed) this.#discarded.push(removed.name)
        return removed !== undefined
      }
      case 'wake':
        return this.#waiting.length === 0 ? 'none' : this.#wake()
      case 'cancel':
        return this.#cancel(operation.by, operation.keepInbox)
      case 'end-call': {
        const call = this.#calls[0]
        if (!call) return 'none'
        return this.#endCall(call)
      }
      case 'dispose':
        return this.#dispose()
      case 'reopen':
        if (this.#released) this.#disposed = this.#released = false
        return undefined
      case 'arm':
        this.#armed[operation.status].push(operation.operations)
        return undefined
      case 'tell':
        this.#points.find((point) => !point.over)?.tell(operation.command)
        return undefined
      case 'gate':
        this.#gates.set(operation.place, operation.deaf)
        return undefined
      case 'deafen':
        for (const point of this.#points) point.deafen()
        return undefined
      case 'release':
        for (const point of this.#points) point.release()
        return undefined
      default:
        return assertNever(operation)
    }
  }

  /** What counts as waiting: injects do not (SPEC 1). */
  get #waiting(): readonly Waiting[] {
    return this.#queue.filter(({ delivery }) => delivery !== 'inject')
  }
  get #calls(): readonly Point[] {
    return this.#points.filter(({ place }) => place === 'write' || place === 'read')
  }

  #send(asked: Delivery): Receipt {
    if (this.#disposed) return 'refused'
    const delivery = asked === 'steer' && this.#phase !== 'turn' ? 'follow-up' : asked // no turn to join (C20)
    const name = `m${++this.#sent}`
    this.#queue.push({ name, text: name, delivery })
    const place = this.#points[0]?.place
    if (delivery === 'steer' && place) this.met.add(`steer at ${place}`)
    if (delivery !== 'inject' && this.#phase === 'closing' && !this.#owner?.reason)
      this.met.add('a message while closing')
    if (delivery !== 'inject') this.#wake()
    return name
  }

  /** Where a message waits; beyond the end when it does not. An inject does not count as waiting (SPEC 1). */
  #indexOf(back: number): number {
    const name = `m${this.#sent - back}`
    const index = this.#queue.findIndex((item) => item.name === name && item.delivery !== 'inject')
    return index < 0 ? this.#queue.length : index
  }

  #edit(index: number, edit: { readonly text: boolean; readonly position?: number }): boolean {
    const item = this.#queue[index]
    if (!item) return false
    const changed = edit.text ? { ...item, text: `${item.text}'` } : item
    if (edit.position === undefined) {
      this.#queue[index] = changed
      return true
    }
    this.#queue.splice(index, 1)
    const before = this.#waiting[edit.position] // the place among what waits
    this.#queue.splice(before ? this.#queue.indexOf(before) : this.#queue.length, 0, changed)
    return true
  }

  /** C18: an idle driver starts; while a turn winds down the wake is latched; a running turn needs none. */
  #wake(): 'woken' | 'none' {
    if (this.#disposed) return 'none'
    if (this.#phase === 'idle') {
      this.#phase = 'waking'
      this.#owner = {}
      this.#run = this.#drive()
      this.#run.next()
      return 'woken'
    }
    if (!this.#owner?.reason && this.#phase !== 'closing') return 'none'
    this.#latch = true
    return 'woken'
  }

  /** C4, C5, C6, C18. */
  #cancel(by: 'user' | 'parent', keepInbox: boolean): Receipt {
    if (this.#latch) this.met.add('a cancel clears the latch')
    this.#latch = false
    const owner = this.#disposed ? null : this.#owner
    const effect = !owner ? 'none' : owner.reason ? 'already-signalled' : 'signalled'
    const discarded = keepInbox ? [] : this.#waiting.map(({ name }) => name)
    this.#discarded.push(...discarded)
    this.#queue = this.#queue.filter(({ name }) => !discarded.includes(name))
    if (effect === 'already-signalled') this.met.add('a second cancel')
    if (owner && effect === 'signalled') {
      this.met.add(`cancel while ${this.#phase}, ${keepInbox ? 'kept' : 'cleared'}`)
      this.#controls.push(`cancel turn ${this.#openTurn ?? 'none'}${keepInbox ? ' keepInbox' : ''}`)
      this.#signal(owner, by)
    }
    return `${effect} ${discarded.length}`
  }

  #signal(owner: Owner, reason: AgentInterruptReason['kind']): void {
    if (owner.reason) return
    owner.reason = reason
    for (const point of this.#points) point.abort()
  }

  get #openTurn(): number | undefined {
    return this.turns.at(-1)?.outcome === null ? this.turns.length : undefined
  }

  /** T8. */
  #endCall(call: Point): Receipt {
    if (this.#owner?.reason || this.#endedCalls.has(call)) return 'already-signalled'
    this.#endedCalls.add(call)
    this.#controls.push(`end-call turn ${this.#openTurn ?? 'none'} keepInbox`)
    call.abort()
    this.met.add('a call ended alone')
    return 'signalled'
  }
  readonly #endedCalls = new WeakSet<Point>()

  /** C17: interrupts, never latches, discards nothing. */
  #dispose(): undefined {
    this.#disposed = true
    this.#latch = false
    if (this.#owner?.reason) this.met.add('a disposal after a cancel')
    if (this.#owner) {
      this.met.add(`disposal while ${this.#phase}`)
      this.#signal(this.#owner, 'disposed')
    }
  }

  #announce(status: 'running' | 'idle'): void {
    for (const operations of this.#armed[status].splice(0)) {
      const [first, second] = operations
      if (status === 'running' && first?.do === 'cancel' && second?.do === 'send')
        this.met.add('replaced in a listener')
      for (const operation of operations) this.perform(operation)
      if (status === 'idle' && this.#phase === 'waking') this.met.add('woken in the idle listener')
    }
  }

  /** From an accepted wake to idle (C6, C18, C20). */
  *#drive(): Generator<Wait, void> {
    this.#announce('running')
    yield 'breath'
    for (let owner = this.#owner; owner; ) {
      const unstopped = !owner.reason && this.#waiting.length > 0
      const after = unstopped ? yield* this.#turn(owner) : 'park'
      const latched = this.#latch
      this.#latch = false
      const goesOn = after === 'on' && !owner.reason && !this.#disposed && this.#waiting.length > 0
      if (latched) this.met.add('a latched wake runs')
      owner = this.#owner = latched || goesOn ? {} : null
    }
    this.#phase = 'idle'
    this.#announce('idle')
  }

  *#turn(owner: Owner): Generator<Wait, 'on' | 'park'> {
    this.#phase = 'turn'
    const first = this.#waiting[0] // FIFO, one follow-up for each turn
    const taken = this.#take((item) => item === first || item.delivery !== 'follow-up')
    const turn: Turn = { owner, claimed: taken.map(({ name }) => name), outcome: null }
    this.turns.push(turn)
    const ended = yield* this.#played(turn, taken)
    const outcome = this.#disposed ? 'disposed' : owner.reason ? 'aborted' : ended // C6, C8
    turn.outcome = outcome
    this.#phase = 'closing'
    this.#steersFollow()
    if ((yield* this.#gate('flush', owner)) === 'fail') this.#fault()
    this.#phase = 'waking'
    return outcome === 'completed' || outcome === 'truncated' ? 'on' : 'park' // C20
  }

  /** A steer that finds no step any more is the next follow-up, at its place (C20). */
  #steersFollow(): void {
    if (this.#queue.some(({ delivery }) => delivery === 'steer')) this.met.add('a steer without a step')
    this.#queue = this.#queue.map((item) => (item.delivery === 'steer' ? { ...item, delivery: 'follow-up' } : item))
  }

  #take(chosen: (item: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#queue.filter(chosen)
    this.#queue = this.#queue.filter((item) => !taken.includes(item))
    return taken
  }

  *#played(turn: Turn, taken: readonly Waiting[]): Generator<Wait, OutcomeKind> {
    try {
      for (const item of taken) {
        if ((yield* this.#submit(turn, item)) === 'blocked') return 'blocked'
      }
      yield* this.#work(turn)
      return 'completed'
    } catch (end) {
      if (end instanceof Ends) return end.outcome
      throw end
    }
  }

  /** Steps until nothing asks for another. The inbox is read again after continueDecision and turnStop (C20). */
  *#work(turn: Turn): Generator<Wait, void> {
    for (;;) {
      yield* this.#join(turn)
      yield* this.#seam('beforeStep', turn.owner)
      const calledTools = yield* this.#step(turn.owner)
      if (yield* this.#joinedBySteer(turn)) continue
      const decision = yield* this.#seam('continueDecision', turn.owner)
      if (calledTools || decision === 'again') {
        yield* this.#join(turn)
        continue
      }
      if (yield* this.#joinedBySteer(turn)) continue
      yield* this.#seam('turnStop', turn.owner)
      if (!(yield* this.#joinedBySteer(turn))) return
    }
  }

  /** An inject asks for no step of its own; a steer does, unless a hook refuses it. */
  *#joinedBySteer(turn: Turn): Generator<Wait, boolean> {
    return this.#queue.some(({ delivery }) => delivery === 'steer') && (yield* this.#join(turn))
  }

  /** Takes the steers and injects that wait now; what comes during their submission waits for the next pass. Was any accepted? */
  *#join(turn: Turn): Generator<Wait, boolean> {
    const joining = this.#take(({ delivery }) => delivery !== 'follow-up')
    turn.claimed.push(...joining.map(({ name }) => name))
    let accepted = false
    for (const item of joining) if ((yield* this.#submit(turn, item)) === 'accepted') accepted = true
    return accepted
  }

  *#submit(turn: Turn, item: Waiting): Generator<Wait, 'accepted' | 'blocked'> {
    if ((yield* this.#seam('promptSubmit', turn.owner)) === 'block') {
      this.met.add(
        this.requests.length > 0 && turn.claimed[0] !== item.name ? 'a joining message refused' : 'a turn refused',
      )
      return 'blocked'
    }
    this.#told = [...this.#told, item.text]
    return 'accepted'
  }

  /** One step; a reply that failed before it showed anything is tried again after a wait (M4). Returns whether it called tools. */
  *#step(owner: Owner): Generator<Wait, boolean> {
    for (let attempt = 1; ; attempt++) {
      this.requests.push(this.#told)
      const reply = this.#arrive('reply')
      let shown = false
      let news = yield* this.#heardAt(reply, owner)
      for (; news === 'speak'; news = yield* this.#heardAt(reply, owner)) shown = true
      this.#leave(reply)
      if (news === 'stumble' && !shown && attempt < mostAttempts) {
        yield* this.#wait('retry', owner)
        continue
      }
      if (news === 'fail' || news === 'stumble') throw new Ends('failed')
      if (news === 'cut-short') throw new Ends('truncated')
      if (news === 'call') yield* this.#callTools(owner, ['write'])
      if (news === 'call-two-writes') yield* this.#callTools(owner, ['write'], ['write'])
      if (news === 'call-two-reads') yield* this.#callTools(owner, ['read', 'read'])
      return news !== 'finish'
    }
  }

  /** Batch after batch; nothing starts after an abort, and what did not start is recorded all the same (T1, C13). */
  *#callTools(owner: Owner, ...batches: readonly (readonly Place[])[]): Generator<Wait, void> {
    for (const batch of batches) {
      if (owner.reason) {
        this.#results.push(...batch.map((): ToolStatus => 'skipped'))
        this.met.add('a call never started')
        continue
      }
      const calls = batch.map((place) => this.#arrive(place))
      for (const call of calls) {
        const news = yield* this.#until(call)
        this.#leave(call)
        this.#results.push(this.#resultOf(call, news, owner))
      }
    }
    this.#goOnUnlessStopped(owner)
  }

  /** A real result stays real; what breaks after it was asked to end is an abort (C8, C13). */
  #resultOf(call: Point, news: News, owner: Owner): ToolStatus {
    if (news === 'finish') return 'ok'
    if (news === 'stopped' || owner.reason || this.#endedCalls.has(call)) return 'aborted'
    this.#fault()
    return 'error'
  }

  /** A hook that may be gated. One that throws fails the turn. */
  *#seam(place: GatePlace, owner: Owner): Generator<Wait, News> {
    const news = yield* this.#gate(place, owner)
    this.#goOnUnlessStopped(owner)
    if (news !== 'fail') return news
    this.#fault()
    throw new Ends('failed')
  }

  *#gate(place: GatePlace, owner: Owner): Generator<Wait, News> {
    const deaf = this.#gates.get(place)
    if (deaf === undefined) return 'finish'
    this.#gates.delete(place)
    const point = this.#arrive(place, deaf)
    if (owner.reason) point.abort()
    const news = yield* this.#until(point)
    this.#leave(point)
    return news
  }

  *#wait(place: Place, owner: Owner): Generator<Wait, void> {
    const point = this.#arrive(place)
    yield* this.#heardAt(point, owner)
    this.#leave(point)
  }

  /** News that counts only while the turn has not been stopped; whoever throws it away leaves. */
  *#heardAt(point: Point, owner: Owner): Generator<Wait, News> {
    const news = yield* this.#until(point)
    if (owner.reason) this.#leave(point)
    this.#goOnUnlessStopped(owner)
    return news
  }

  *#until(point: Point): Generator<Wait, News> {
    for (;;) {
      const news = point.take()
      if (news) return news
      yield 'blocked'
    }
  }

  /** Whatever was thrown or said: a turn with a cause leaves here, and its outcome is decided at the end (C8). */
  #goOnUnlessStopped(owner: Owner): void {
    if (owner.reason) throw new Ends('aborted')
  }

  #fault(): void {
    this.faults += 1
  }

  #arrive(place: Place, deaf = false): Point {
    const point = new Point(place, deaf)
    this.#points.push(point)
    return point
  }

  #leave(point: Point): void {
    this.#points = this.#points.filter((other) => other !== point)
  }
}

/** How a wait is named to the person who looks (W5). */
function waitAt(place: Place): string {
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
