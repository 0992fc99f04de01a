/** The real runtime in a world that a schedule controls: every reply, tool, gated hook and slow flush waits until it is told. */
import { assertNever } from '@/lib/contract/assert-never'
import type { Delivery } from '@/lib/contract/events'
import type { CallId, MessageId, TurnId } from '@/lib/contract/ids'
import type { Activity } from '@/lib/contract/session'
import type { ModelPart, ToolContext, ToolResult } from '@/server/runtime/ports'
import { type Given, given, ok, tool } from '../support/given'
import { settled } from '../support/moments'
import { callParts, type ReplyScript } from '../support/scripted-model'
import { LogView } from './log-view'
import type { AgentOperation, Operation } from './operation'
import { type GatePlace, type News, type Place, Point } from './point'
import type { Receipt, Seen } from './seen'

interface Arrival {
  readonly point: Point
  readonly callId?: CallId
  /** The next news, as soon as there is any. */
  next(): Promise<News>
  leave(): void
}

/** More than any schedule can ask for. */
const mostReplies = 400

export class World {
  readonly given: Given
  /** Every signal that a seam has been given, by the turn that was open then. */
  readonly signals = new Map<TurnId, Set<AbortSignal>>()
  readonly #log: LogView
  readonly #arrivals = new Set<Arrival>()
  readonly #gates = new Map<GatePlace, boolean>()
  readonly #armed = { running: [] as (readonly AgentOperation[])[], idle: [] as (readonly AgentOperation[])[] }
  readonly #receipts: Receipt[] = []
  #agent: Given['agent']
  #sent = 0
  #calls = 0
  #disposals = 0
  #asked = { atRest: true }
  #announced: readonly string[] = ['idle']

  constructor() {
    const body = (place: Place) => (_input: unknown, context: ToolContext) => this.#tool(place, context)
    const reply: ReplyScript = (_request, signal) => this.#parts(signal)
    this.given = given(Array<ReplyScript>(mostReplies).fill(reply), {
      tools: [tool('write', body('write')), tool('read', body('read'), 'read')],
    })
    this.#agent = this.given.agent
    this.#log = new LogView(this.given.log.events)
    this.given.log.flushing = (signal) => this.#flush(signal)
    this.given.agents.onStatus((_agent, status) => {
      for (const operations of this.#armed[status].splice(0)) for (const one of operations) this.perform(one)
    })
    this.given.agents.onLiveChange(() => {
      this.#announced = this.#live()
    })
    this.#listen()
  }

  /** @returns what the operation answered, if it answers at all */
  perform(operation: Operation): Receipt | undefined {
    const receipt = this.#perform(operation)
    if (receipt !== undefined) this.#receipts.push(receipt)
    return receipt
  }

  /** Lets everything run that needs nobody, and looks whether `whenIdle` speaks of rest. */
  async settle(): Promise<void> {
    const asked = { atRest: false }
    this.#asked = asked
    void this.#agent.whenIdle().then(() => {
      asked.atRest = true
    })
    await settled()
  }

  seen(): Seen {
    const { waiting, discarded, turns, calls, controls } = this.#log.follow()
    const [activity, ...waitingOn] = this.#live()
    return {
      activity,
      waitingOn,
      announced: this.#announced,
      atRest: this.#asked.atRest,
      disposalsOver: this.#disposals === 0,
      waiting,
      discarded,
      turns,
      calls,
      controls,
      requests: this.given.model.requests.length,
      waitsFor: this.#places,
      receipts: this.#receipts,
    }
  }

  #live(): [Activity, ...string[]] {
    const { activity, waitingOn } = this.#agent.live()
    return [
      activity,
      ...waitingOn.map(({ kind, name }) => (kind === 'tool' || kind === 'hook' ? `${kind} ${name}` : kind)),
    ]
  }

  get #places(): Place[] {
    const retry: Place[] = this.given.clock.sleeping > 0 ? ['retry'] : []
    return [...[...this.#arrivals].map(({ point }) => point.place), ...retry]
  }

  #perform(operation: Operation): Receipt | undefined {
    const agent = this.#agent
    switch (operation.do) {
      case 'send':
        return this.#send(operation.delivery)
      case 'resend':
        return this.#sent === 0 ? undefined : this.#again()
      case 'edit': {
        const messageId = this.#messageId(operation.back)
        if (!messageId) return false
        const item = this.#log.inbox.find((waiting) => waiting.messageId === messageId)
        const { position } = operation
        return agent.edit(messageId, {
          ...(operation.text && { text: `${item?.text}'` }),
          ...(position !== undefined && { position }),
        })
      }
      case 'remove': {
        const messageId = this.#messageId(operation.back)
        return messageId !== undefined && agent.remove(messageId)
      }
      case 'wake':
        return agent.wake()
      case 'cancel': {
        const { effect, discarded } = agent.cancel({ kind: operation.by }, { keepInbox: operation.keepInbox })
        return `${effect} ${discarded}`
      }
      case 'end-call': {
        const call = [...this.#arrivals].find(({ callId }) => callId !== undefined)
        return call?.callId ? agent.endCall(call.callId) : 'none'
      }
      case 'dispose':
        this.#dispose()
        return undefined
      case 'reopen':
        if (!this.given.agents.get(agent.id)) this.#agent = this.given.agents.open(agent.id)
        return undefined
      case 'arm':
        this.#armed[operation.status].push(operation.operations)
        return undefined
      case 'tell': {
        const waiting = [...this.#arrivals].find(({ point }) => !point.over)
        if (waiting) waiting.point.tell(operation.command)
        else if (operation.command === 'finish') this.given.clock.advance(60_000)
        return undefined
      }
      case 'gate':
        this.#gates.set(operation.place, operation.deaf)
        return undefined
      case 'deafen':
        for (const { point } of this.#arrivals) point.deafen()
        return undefined
      case 'release':
        for (const { point } of this.#arrivals) point.release()
        return undefined
      default:
        return assertNever(operation)
    }
  }

  /** A message's name is its client id and its first text. Known before `send` returns: a listener may send in the middle of it. */
  #send(delivery: Delivery): Receipt {
    this.#sent += 1
    const name = `m${this.#sent}`
    try {
      this.#agent.send({ text: name, delivery, clientId: name })
      return name
    } catch {
      this.#sent -= 1
      return 'refused' // disposed; for any other reason the model gives no such receipt
    }
  }

  #again(): Receipt {
    const messageId = this.#agent.send({ text: 'again', clientId: `m${this.#sent}` })
    return this.#log.follow().nameOf(messageId)
  }

  #dispose(): void {
    this.#disposals += 1
    void this.given.agents.dispose(this.#agent.id).then(() => {
      this.#disposals -= 1
    })
  }

  #messageId(back: number): MessageId | undefined {
    return this.#log.follow().idByName.get(`m${this.#sent - back}`)
  }

  async *#parts(signal: AbortSignal): AsyncIterable<ModelPart> {
    const reply = this.#arrive('reply', signal)
    let shown = false
    function* say(text: string): Iterable<ModelPart> {
      if (!shown) yield { type: 'block-start', block: 0, kind: 'text' }
      shown = true
      yield { type: 'block-delta', block: 0, text }
    }
    try {
      for (;;) {
        const news = await reply.next()
        switch (news) {
          case 'speak':
            yield* say('…')
            continue
          case 'finish':
            yield* say('Done.')
            yield { type: 'block-end', block: 0 }
            yield { type: 'finish', reason: 'stop' }
            return
          case 'cut-short':
            yield { type: 'finish', reason: 'length' }
            return
          case 'call':
            yield* this.#asksFor('write')
            return
          case 'call-two-writes':
            yield* this.#asksFor('write', 'write')
            return
          case 'call-two-reads':
            yield* this.#asksFor('read', 'read')
            return
          case 'fail':
          case 'stumble':
            yield { type: 'failure', code: 'provider-error', message: 'No.', retryable: news === 'stumble' }
            return
          default:
            throw new Error('socket hang up') // what a provider throws on abort says nothing (C8)
        }
      }
    } finally {
      reply.leave()
    }
  }

  *#asksFor(...names: readonly string[]): Iterable<ModelPart> {
    for (const [index, name] of names.entries()) {
      this.#calls += 1
      yield* callParts({ id: `call-${this.#calls}`, name }, index + 1)
    }
    yield { type: 'finish', reason: 'tool-calls' }
  }

  async #tool(place: Place, context: ToolContext): Promise<ToolResult> {
    const news = await this.#wait(this.#arrive(place, context.signal, { callId: context.callId }))
    if (news === 'fail') throw new Error('the tool broke')
    return news === 'finish' ? ok('done') : { status: 'aborted', output: 'Interrupted.', truncated: false }
  }

  async #flush(signal: AbortSignal): Promise<void> {
    const turnId = this.given.log.last('turn.end').turnId
    this.#remember(turnId, signal)
    const news = await this.#gate('flush', signal)
    if (news === 'fail') throw new Error('the index broke')
    if (news === 'stopped') throw signal.reason
  }

  async #gate(place: GatePlace, signal: AbortSignal): Promise<News> {
    const deaf = this.#gates.get(place)
    if (deaf === undefined) return 'finish'
    this.#gates.delete(place)
    return this.#wait(this.#arrive(place, signal, { deaf }))
  }

  async #wait(arrival: Arrival): Promise<News> {
    const news = await arrival.next()
    arrival.leave()
    return news
  }

  #arrive(place: Place, signal: AbortSignal, more: { deaf?: boolean; callId?: CallId } = {}): Arrival {
    let heard = () => {}
    const point = new Point(place, more.deaf, () => heard())
    const abort = () => point.abort()
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    const arrival: Arrival = {
      point,
      ...(more.callId && { callId: more.callId }),
      next: async () => {
        for (;;) {
          const news = point.take()
          if (news) return news
          await new Promise<void>((resolve) => {
            heard = resolve
          })
        }
      },
      leave: () => {
        signal.removeEventListener('abort', abort)
        this.#arrivals.delete(arrival)
      },
    }
    this.#arrivals.add(arrival)
    return arrival
  }

  /** Gates at the hooks, and a look at the signal of every seam. */
  #listen(): void {
    const { hooks } = this.given
    const seen = (signal: AbortSignal | undefined) => {
      const turnId = this.#agent.openTurnId
      if (turnId && signal) this.#remember(turnId, signal)
    }
    const passed = async (place: GatePlace, signal: AbortSignal): Promise<News> => {
      seen(signal)
      const news = await this.#gate(place, signal)
      if (news === 'fail' || news === 'stopped') throw new Error(`a listener of ${place} broke off`)
      return news
    }
    hooks.on('promptSubmit', async (agent, id, blocks, signal, next) => {
      if ((await passed('promptSubmit', signal)) === 'block') return { kind: 'blocked' as const, reason: 'No.' }
      return next(agent, id, blocks, signal)
    })
    hooks.on('beforeStep', async (agent, id, signal, next) => {
      await passed('beforeStep', signal)
      return next(agent, id, signal)
    })
    hooks.on('continueDecision', async (agent, called, signal, next) => {
      if ((await passed('continueDecision', signal)) === 'again') return 'continue'
      return next(agent, called, signal)
    })
    hooks.on('turnStop', async (agent, signal, next) => {
      await passed('turnStop', signal)
      return next(agent, signal)
    })
    hooks.on('assemblePrompt', (agent, request, next) => {
      seen(request.signal)
      return next(agent, request)
    })
    hooks.on('modelStream', (agent, request, signal, next) => {
      seen(signal)
      return next(agent, request, signal)
    })
    hooks.on('stepResult', (agent, blocks, signal, next) => {
      seen(signal)
      return next(agent, blocks, signal)
    })
  }

  #remember(turnId: TurnId, signal: AbortSignal): void {
    const known = this.signals.get(turnId)
    if (known) known.add(signal)
    else this.signals.set(turnId, new Set([signal]))
  }
}
