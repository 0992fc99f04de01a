/** A model that plays one scripted reply per request, checks every request as a strict provider would, and tells what it has said. */
import type { CallId } from '@/lib/contract/ids'
import type { ModelMessage } from '@/lib/projection/prompt'
import type { FinishReason, ModelPart, ModelPort, ModelRequest } from '@/server/runtime/ports'
import { aborted, type Moment, moment } from './moments'

/** Plays one reply. Whatever comes after a `yield` runs once the runtime has taken that part. */
export type ReplyScript = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelPart>

export class ScriptedModel implements ModelPort {
  readonly requests: ModelRequest[] = []
  readonly signals: AbortSignal[] = []
  #said = ''
  readonly #waiters = new Set<{ readonly text: string; readonly heard: Moment }>()
  readonly #askers = new Set<{ readonly n: number; readonly asked: Moment }>()

  constructor(private readonly replies: ReplyScript[]) {}

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    refuseInvalid(request.messages)
    this.requests.push(request)
    this.signals.push(signal)
    for (const asker of this.#askers) if (this.requests.length >= asker.n) asker.asked.reach()
    const reply = this.replies.shift() ?? says('ok')
    return this.#heard(reply(request, signal))
  }

  /** Resolves when the runtime has taken this text from the model, in this or an earlier reply. */
  hasSaid(text: string): Promise<void> {
    if (this.#said.includes(text)) return Promise.resolve()
    const waiter = { text, heard: moment() }
    this.#waiters.add(waiter)
    return waiter.heard.reached
  }

  /** Resolves when the n-th request has been made. */
  hasBeenAsked(n: number): Promise<void> {
    if (this.requests.length >= n) return Promise.resolve()
    const asker = { n, asked: moment() }
    this.#askers.add(asker)
    return asker.asked.reached
  }

  async *#heard(parts: AsyncIterable<ModelPart>): AsyncIterable<ModelPart> {
    for await (const part of parts) {
      yield part
      if (part.type !== 'block-delta') continue
      this.#said += part.text
      for (const waiter of this.#waiters) if (this.#said.includes(waiter.text)) waiter.heard.reach()
    }
  }
}

function* text(words: string, block = 0): Iterable<ModelPart> {
  yield { type: 'block-start', block, kind: 'text' }
  yield { type: 'block-delta', block, text: words }
}

/** Says it and finishes. */
export function says(words: string, reason: FinishReason = 'stop'): ReplyScript {
  return async function* () {
    yield* text(words)
    yield { type: 'block-end', block: 0 }
    yield { type: 'usage', inputTokens: 10, outputTokens: 5 }
    yield { type: 'finish', reason }
  }
}

/** Says it and then waits for the signal; ends by throwing, as most providers do. */
export function saysThenHangs(words: string): ReplyScript {
  return async function* (_request, signal) {
    yield* text(words)
    await aborted(signal)
    throw new DOMException('This operation was aborted', 'AbortError')
  }
}

/** Waits until `until` whatever the signal says, then says it and finishes. */
export function deafUntil(until: Promise<unknown>, words = 'late'): ReplyScript {
  return async function* (request, signal) {
    await until
    yield* says(words)(request, signal)
  }
}

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input?: unknown
}

/** Says something perhaps, asks for these calls, and finishes. */
export function calls(...asked: readonly ScriptedCall[]): ReplyScript {
  return async function* () {
    for (const [block, call] of asked.entries()) yield* callParts(call, block)
    yield { type: 'usage', inputTokens: 10, outputTokens: 5 }
    yield { type: 'finish', reason: 'tool-calls' }
  }
}

export function* callParts(call: ScriptedCall, block: number): Iterable<ModelPart> {
  yield { type: 'block-start', block, kind: 'tool-call', callId: call.id as CallId, name: call.name }
  yield { type: 'block-delta', block, text: JSON.stringify(call.input ?? {}) }
  yield { type: 'block-end', block }
}

/** Fails as data before anything was shown. */
export function failsWith(failure: Omit<Extract<ModelPart, { type: 'failure' }>, 'type'>): ReplyScript {
  return async function* () {
    yield { type: 'failure', ...failure }
  }
}

/** What a strict provider answers 400 to (C13). @throws Error naming the fault */
export function refuseInvalid(messages: readonly ModelMessage[]): void {
  for (const [index, message] of messages.entries()) {
    const next = messages[index + 1]
    if (message.role === 'tool') {
      if (messages[index - 1]?.role !== 'assistant') throw new Error('tool results without their message')
      continue
    }
    if (message.blocks.length === 0) throw new Error('an empty message')
    if (message.role === 'user') {
      if (next?.role === 'user') throw new Error('two user messages in a row')
      continue
    }
    const asked = message.blocks.flatMap((block) => (block.type === 'tool-call' ? [block.callId] : []))
    const given = next?.role === 'tool' ? next.results.map((result) => result.callId) : []
    if (asked.join() !== given.join()) throw new Error(`calls [${asked.join()}] but results [${given.join()}]`)
    if (next?.role === 'assistant') throw new Error('two assistant messages in a row')
  }
}
