/** All that surrounds a turn, waiting at every place until it is told: the model's reply, two tools, the hooks and the flush. */
import type { TurnId } from '@/lib/contract/ids'
import type { ModelPart, ToolContext, ToolResult } from '@/server/runtime/ports'
import { type Given, given, ok, tool } from '../support/given'
import { callParts, type ReplyScript } from '../support/scripted-model'
import { Arrivals } from './arrivals'
import type { GatePlace, News } from './point'

/** More than any schedule can ask for. */
const mostReplies = 400

export class Surroundings {
  readonly given: Given
  readonly arrivals = new Arrivals()
  /** Every signal that a seam has been given, by its turn. */
  readonly signals = new Map<TurnId, Set<AbortSignal>>()
  #calls = 0

  constructor() {
    const reply: ReplyScript = (_request, signal) => this.#reply(signal)
    const body = (place: 'write' | 'read') => (_input: unknown, context: ToolContext) => this.#tool(place, context)
    this.given = given(Array<ReplyScript>(mostReplies).fill(reply), {
      tools: [tool('write', body('write')), tool('read', body('read'), 'read')],
    })
    this.given.log.flushing = (signal) => this.#flush(signal)
    this.#listen()
  }

  async *#reply(signal: AbortSignal): AsyncIterable<ModelPart> {
    const reply = this.arrivals.arrive('reply', signal)
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

  async #tool(place: 'write' | 'read', { signal, callId }: ToolContext): Promise<ToolResult> {
    const news = await this.arrivals.until(this.arrivals.arrive(place, signal, { callId }))
    if (news === 'fail') throw new Error('the tool broke')
    return news === 'finish' ? ok('done') : { status: 'aborted', output: 'Interrupted.', truncated: false }
  }

  async #flush(signal: AbortSignal): Promise<void> {
    this.#remember(this.given.log.last('turn.end').turnId, signal)
    const news = await this.arrivals.pass('flush', signal)
    if (news === 'fail') throw new Error('the index broke')
    if (news === 'stopped') throw signal.reason
  }

  /** Gates at the hooks, and a look at the signal of every seam. */
  #listen(): void {
    const { hooks, log } = this.given
    const seen = (signal: AbortSignal | undefined) => {
      if (signal) this.#remember(log.last('turn.start').turnId, signal)
    }
    const passed = async (place: GatePlace, signal: AbortSignal): Promise<News> => {
      seen(signal)
      const news = await this.arrivals.pass(place, signal)
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
