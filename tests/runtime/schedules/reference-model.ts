/**
 * The session as SPEC section 2 tells it, small enough to be read against it: who may start, what a cancel meets, what is latched.
 * No promises: `perform` is one synchronous operation, `settle` lets everything run that needs nobody.
 */
import { assertNever } from '@/lib/contract/assert-never'
import type { Delivery } from '@/lib/contract/events'
import { ModelInbox } from './model-inbox'
import { Stage, type Wait, waitAt } from './model-stage'
import { ModelTurn, Owner, Story } from './model-turn'
import type { AgentOperation, Operation } from './operation'
import type { Receipt, Seen } from './seen'

export class ReferenceModel {
  readonly story = new Story()
  readonly #inbox = new ModelInbox()
  readonly #stage = new Stage()
  #phase: 'idle' | 'waking' | 'turn' | 'closing' = 'idle'
  #owner: Owner | null = null
  #latch = false
  #disposed = false
  #released = false
  #run: Generator<Wait, void> | null = null
  readonly #armed = { running: [] as (readonly AgentOperation[])[], idle: [] as (readonly AgentOperation[])[] }
  readonly #receipts: Receipt[] = []
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

  get activity(): Seen['activity'] {
    if (this.#phase === 'idle') return 'idle'
    return this.#owner?.aborted ? 'stopping' : 'running'
  }

  seen(): Seen {
    const { activity } = this
    const waitsFor = this.#stage.points.map(({ place }) => place)
    const waitingOn = waitsFor.map(waitAt)
    return {
      activity,
      waitingOn,
      announced: [activity, ...waitingOn],
      atRest: activity === 'idle',
      disposalsOver: !this.#disposed || activity === 'idle',
      waiting: this.#inbox.items.map(({ name, delivery, text }) => `${name} ${delivery}: ${text}`),
      discarded: this.#inbox.discarded,
      turns: this.story.turns.map(({ claimed, outcome }) => `${claimed.join(',')} -> ${outcome ?? 'open'}`),
      calls: this.story.calls,
      controls: this.#controls,
      requests: this.story.requests.length,
      waitsFor,
      receipts: this.#receipts,
    }
  }

  #perform(operation: Operation): Receipt | undefined {
    switch (operation.do) {
      case 'send':
        return this.#send(operation.delivery)
      case 'resend': // the same client id gives the same answer for ever (W2)
        return this.#inbox.newest
      case 'edit':
        return this.#inbox.edit(operation.back, operation)
      case 'remove':
        return this.#inbox.remove(operation.back)
      case 'wake':
        return this.#inbox.waiting.length === 0 ? 'none' : this.#wake()
      case 'cancel':
        return this.#cancel(operation.by, operation.keepInbox)
      case 'end-call':
        return this.#endCall()
      case 'dispose':
        return this.#dispose()
      case 'reopen':
        if (this.#released) this.#disposed = this.#released = false
        return undefined
      case 'arm':
        this.#armed[operation.status].push(operation.operations)
        return undefined
      case 'tell':
        this.#stage.points.find((point) => !point.over)?.tell(operation.command)
        return undefined
      case 'gate':
        this.#stage.close(operation.place, operation.deaf)
        return undefined
      case 'deafen':
        for (const point of this.#stage.points) point.deafen()
        return undefined
      case 'release':
        for (const point of this.#stage.points) point.release()
        return undefined
      default:
        return assertNever(operation)
    }
  }

  /** A steer joins an open turn; where there is none it is a follow-up (C20). Whatever is no inject wakes. */
  #send(asked: Delivery): Receipt {
    if (this.#disposed) return 'refused'
    const delivery = asked === 'steer' && this.#phase !== 'turn' ? 'follow-up' : asked
    const [point] = this.#stage.points
    if (delivery === 'steer' && point) this.#met(`steer at ${point.place}`)
    const name = this.#inbox.accept(delivery)
    if (delivery !== 'inject') this.#wake()
    return name
  }

  /** An idle driver starts; while a turn winds down the wake is latched; a running turn needs none (C18). */
  #wake(): 'woken' | 'none' {
    if (this.#disposed) return 'none'
    if (this.#phase === 'idle') {
      this.#phase = 'waking'
      this.#owner = new Owner()
      this.#run = this.#drive()
      this.#run.next()
      return 'woken'
    }
    if (this.activity !== 'stopping' && this.#phase !== 'closing') return 'none'
    this.#met(`a wake is latched while ${this.activity}`)
    this.#latch = true
    return 'woken'
  }

  /** The first cause counts; what waits now is cleared unless it is kept; the latch goes (C4, C5, C6, C18). */
  #cancel(by: 'user' | 'parent', keepInbox: boolean): Receipt {
    if (this.#latch) this.#met('a cancel clears the latch')
    this.#latch = false
    const owner = this.#disposed ? null : this.#owner
    const effect = !owner ? 'none' : owner.aborted ? 'already-signalled' : 'signalled'
    const discarded = keepInbox ? 0 : this.#inbox.clear()
    if (effect === 'already-signalled') this.#met('a second cancel')
    if (owner && effect === 'signalled') {
      this.#met(`cancel while ${this.#phase}, ${keepInbox ? 'kept' : 'cleared'}`)
      this.#controls.push(`cancel turn ${this.#openTurn}${keepInbox ? ' keepInbox' : ''}`)
      owner.abort(by, this.#stage)
    }
    return `${effect} ${discarded}`
  }

  /** The oldest call ends, and its turn goes on (T8). */
  #endCall(): Receipt {
    const [call] = this.#stage.calls
    if (!call) return 'none'
    if (this.#owner?.aborted || this.story.endedCalls.has(call)) return 'already-signalled'
    this.#met('a call ended alone')
    this.story.endedCalls.add(call)
    this.#controls.push(`end-call turn ${this.#openTurn} keepInbox`)
    call.abort()
    return 'signalled'
  }

  /** Interrupts, never latches, discards nothing (C17, C18). */
  #dispose(): undefined {
    this.#disposed = true
    this.#latch = false
    if (!this.#owner) return
    this.#met(this.#owner.aborted ? 'a disposal after a cancel' : `disposal while ${this.#phase}`)
    this.#owner.abort('disposed', this.#stage)
  }

  #announce(status: 'running' | 'idle'): void {
    for (const operations of this.#armed[status].splice(0)) {
      const verbs = operations.map((operation) => operation.do).join()
      if (status === 'running' && verbs === 'cancel,send') this.#met('replaced in a listener')
      for (const operation of operations) this.perform(operation)
      if (status === 'idle' && this.#run && this.#phase === 'waking') this.#met('woken in the idle listener')
    }
  }

  /** From an accepted wake to idle. What is latched runs, whatever came before it (C18). */
  *#drive(): Generator<Wait, void> {
    this.#announce('running')
    yield 'breath' // a cancel in the sender's tick meets no open turn (C6)
    for (let owner = this.#owner; owner; ) {
      const ended = owner.aborted || this.#inbox.waiting.length === 0 ? 'park' : yield* this.#turn(owner)
      const goesOn = ended === 'on' && !owner.aborted && this.#inbox.waiting.length > 0
      if (this.#latch) this.#met('a latched wake runs')
      owner = this.#owner = this.#latch || goesOn ? new Owner() : null
      this.#latch = false
    }
    this.#phase = 'idle'
    this.#announce('idle')
  }

  /** One turn and the flush of its end, which cannot change its outcome any more (C6). */
  *#turn(owner: Owner): Generator<Wait, 'on' | 'park'> {
    this.#phase = 'turn'
    const turn = new ModelTurn(owner, this.#inbox, this.#stage, this.story)
    this.story.turns.push(turn)
    const ended = yield* turn.play()
    const outcome = this.#disposed ? 'disposed' : owner.aborted ? 'aborted' : ended // C6, C8
    turn.outcome = outcome
    this.#phase = 'closing'
    this.#met(`a turn ${outcome}`)
    if (this.#inbox.steersWait) this.#met('a steer without a step')
    this.#inbox.steersFollow()
    if ((yield* this.#stage.pass('flush', owner)) === 'fail') this.story.faults += 1
    this.#phase = 'waking'
    return outcome === 'completed' || outcome === 'truncated' ? 'on' : 'park' // C20
  }

  get #openTurn(): number | 'none' {
    return this.story.turns.at(-1)?.outcome === null ? this.story.turns.length : 'none'
  }

  #met(window: string): void {
    this.story.met.add(window)
  }
}
