/** Speaks words at a pace, as numbered blocks of one stream. */
import { setImmediate } from 'node:timers/promises'
import type { CallId } from '@/lib/contract/ids'
import type { Clock, ModelPart } from '@/server/runtime/ports'

type Parts = AsyncGenerator<ModelPart, void, void>

export class Speaker {
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #tempo: 'real' | 'fast'
  #blocks = 0
  #words = 0

  constructor(clock: Clock, signal: AbortSignal, tempo: 'real' | 'fast') {
    this.#clock = clock
    this.#signal = signal
    this.#tempo = tempo
  }

  /** Words spoken so far, which stand for output tokens. */
  get words(): number {
    return this.#words
  }

  /** One block, word by word. The pace is kept against the clock, so that a slow reader does not slow it down for ever. @throws the signal's reason. */
  async *say(kind: 'text' | 'reasoning', words: readonly string[], perSecond: number): Parts {
    const block = this.#blocks++
    yield { type: 'block-start', block, kind }
    const startedAt = this.#clock.now().getTime()
    for (const [index, word] of words.entries()) {
      await this.#wait(startedAt + (index * 1000) / perSecond, index)
      this.#words += 1
      yield { type: 'block-delta', block, text: word }
    }
    yield { type: 'block-end', block }
  }

  /** The same at once and without looking at the signal: the late words of a deaf provider. */
  async *sayDeaf(words: readonly string[]): Parts {
    const block = this.#blocks++
    yield { type: 'block-start', block, kind: 'text' }
    for (const text of words) yield { type: 'block-delta', block, text }
    this.#words += words.length
    yield { type: 'block-end', block }
  }

  /** A tool call, its input in a few pieces as providers send it. */
  async *call(callId: CallId, name: string, input: string): Parts {
    const block = this.#blocks++
    yield { type: 'block-start', block, kind: 'tool-call', callId, name }
    for (let at = 0; at < input.length; at += 24) {
      this.#signal.throwIfAborted()
      yield { type: 'block-delta', block, text: input.slice(at, at + 24) }
    }
    this.#words += Math.ceil(input.length / 6)
    yield { type: 'block-end', block }
  }

  /** Sleeps until a word is due. A word that is late goes out at once, but other work gets its turn now and then. */
  async #wait(due: number, index: number): Promise<void> {
    this.#signal.throwIfAborted()
    if (this.#tempo === 'real') {
      const early = due - this.#clock.now().getTime()
      if (early >= 1) return this.#clock.sleep(early, this.#signal)
    }
    if (this.#tempo === 'fast' || index % 32 === 31) await setImmediate(undefined, { signal: this.#signal })
  }
}
