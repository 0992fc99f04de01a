/**
 * One HTTP exchange with a provider: the `fetch` that its package is handed, the connection's own abort, the idle
 * limit, and the facts about what happened. The package's errors are not needed to know how an exchange ended.
 */

import type { Reached } from './broken-connection'
import {
  cutFailure,
  type Failure,
  failureOfAnswer,
  htmlFailure,
  isHtml,
  type ProviderFacts,
  timeoutFailure,
} from './failure'

export interface ExchangeOptions {
  readonly facts: ProviderFacts
  /** Without a byte for so long the exchange is given up. */
  readonly idleMs: number
  readonly now: () => Date
  /** Tests hand in a double; else the platform's. */
  readonly fetch?: typeof globalThis.fetch
}

/** After its finish a stream may take so long to end by itself. */
const goodbyeMs = 1000

/** An error body is read so far and no further. */
const errorBodyLimit = 64 * 1024

export class Exchange {
  readonly #options: ExchangeOptions
  readonly #turn: AbortSignal
  readonly #connection = new AbortController()
  readonly #follow = (): void => this.#hangUp()
  #idle: NodeJS.Timeout | undefined
  #lastByteAt = 0
  #failure: Failure | undefined
  #reached: Reached = 'nothing'

  /** Follows `signal` until `close()`. */
  constructor(options: ExchangeOptions, signal: AbortSignal) {
    this.#options = options
    this.#turn = signal
    signal.addEventListener('abort', this.#follow, { once: true })
    if (signal.aborted) this.#hangUp()
    this.#touch()
    this.#watch(options.idleMs)
  }

  /** Ends the connection. Its reason is an ordinary AbortError, whatever the turn's reason is (C8). */
  get signal(): AbortSignal {
    return this.#connection.signal
  }

  /** What the exchange itself found wrong: an answer that is no stream, or silence. */
  get failure(): Failure | undefined {
    return this.#failure
  }

  get reached(): Reached {
    return this.#reached
  }

  /** Hangs up, if the connection still stands, and stops following. Undoes the constructor. */
  close(): void {
    this.#turn.removeEventListener('abort', this.#follow)
    clearTimeout(this.#idle)
    this.#hangUp()
  }

  /** Gives a stream whose finish was seen a moment to end by itself, so that the connection can be used again. */
  hangUpSoon(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#hangUp(), goodbyeMs)
  }

  /** The `fetch` for the provider's package. A redirect is not followed: a key must not travel to another host. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const platformFetch = this.#options.fetch ?? globalThis.fetch
    const response = await platformFetch(input, { ...init, signal: this.signal, redirect: 'manual' })
    this.#touch()
    this.#reached = 'headers'
    const { body, headers, status } = response
    if (!response.ok || /text\/html|application\/json/i.test(headers.get('content-type') ?? '')) {
      const text = body ? await this.#readSome(body) : ''
      throw this.#found(failureOfAnswer(this.#options.facts, { status, headers, body: text }, this.#options.now()))
    }
    if (!body) throw this.#found(cutFailure(this.#options.facts))
    return new Response(this.#watched(body, status), { status, headers })
  }

  /** The same bytes, each of which resets the idle limit. A page that does not call itself one is told by its first byte. */
  #watched(body: ReadableStream<Uint8Array>, status: number): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    let first = true
    let saidDone = false
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          if (saidDone) {
            await this.#goodbye(reader)
            return controller.close()
          }
          const { done, value } = await reader.read()
          if (done) return controller.close()
          this.#touch()
          saidDone = endsWithDone(value)
          if (first && isHtml(null, new TextDecoder().decode(value.subarray(0, 64)))) {
            const found = this.#found(htmlFailure(this.#options.facts, status))
            this.#hangUp()
            throw found
          }
          first = false
          controller.enqueue(value)
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    )
  }

  /** After `[DONE]` the body is over, also for a server that forgets to end it. */
  async #goodbye(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    this.hangUpSoon()
    try {
      while (!(await reader.read()).done);
    } catch {
      // The answer was complete; how its connection ended does not matter.
    }
  }

  async #readSome(body: ReadableStream<Uint8Array>): Promise<string> {
    const decoder = new TextDecoder()
    const reader = body.getReader()
    let text = ''
    try {
      while (text.length < errorBodyLimit) {
        const { done, value } = await reader.read()
        if (done) return text
        this.#touch()
        text += decoder.decode(value, { stream: true })
      }
    } catch {
      // The status alone says enough; a body that breaks off changes nothing.
    }
    await reader.cancel().catch(() => undefined) // already broken: nothing left to cancel
    return text
  }

  #found(failure: Failure): Error {
    this.#failure ??= failure
    return new Error(failure.message)
  }

  #hangUp(): void {
    if (!this.signal.aborted) this.#connection.abort(new DOMException('The connection was closed.', 'AbortError'))
  }

  #touch(): void {
    this.#lastByteAt = performance.now()
  }

  /** One timer for the whole exchange, set again only when it fires. */
  #watch(ms: number): void {
    this.#idle = setTimeout(
      () => {
        const left = this.#lastByteAt + this.#options.idleMs - performance.now()
        if (left > 0) return this.#watch(left)
        this.#failure ??= timeoutFailure(this.#options.facts, this.#options.idleMs)
        this.#hangUp()
      },
      Math.max(1, ms),
    )
  }
}

/** True for the last bytes of a chat completions stream. */
function endsWithDone(bytes: Uint8Array): boolean {
  return /data: ?\[DONE\]\s*$/.test(new TextDecoder().decode(bytes.subarray(-24)))
}
