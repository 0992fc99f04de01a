/** Plays the steps of one request onto its response, and stops at once when the client goes. */
import type { ServerResponse } from 'node:http'
import type { ServerStep, WireUsage, WireWriter } from './steps'

export interface PlaybackOptions {
  readonly response: ServerResponse
  readonly writer: WireWriter
  /** Filled with what is signed on the way. */
  readonly signed: Map<string, string>
  readonly usage: WireUsage
  readonly n: number
  readonly gates: { wait(name: string, go: () => void): () => void }
}

export class Playback {
  readonly #options: PlaybackOptions
  #gone = false
  #calls = 0
  /** Resolves when the client has gone. */
  readonly #leaving: Promise<void>

  constructor(options: PlaybackOptions) {
    this.#options = options
    this.#leaving = new Promise((resolve) => {
      options.response.once('close', () => {
        this.#gone = true
        resolve()
      })
    })
  }

  async play(steps: readonly ServerStep[]): Promise<void> {
    const { response, writer, usage } = this.#options
    const [first] = steps
    if (first?.kind === 'answer') {
      response.writeHead(first.status, first.headers).end(first.body ?? '')
      return
    }
    for (const step of steps) {
      if (this.#gone) return
      if ((await this.#playStep(step)) === 'over') return
    }
    if (this.#gone) return
    this.#send(writer.finish(this.#calls > 0 ? 'tool-calls' : 'stop', usage))
    response.end()
  }

  async #playStep(step: ServerStep): Promise<'over' | 'next'> {
    const { response, writer, usage, signed } = this.#options
    switch (step.kind) {
      case 'text':
        await this.#pieces(step.pieces, step.delayMs, (piece) => writer.text(piece))
        return 'next'
      case 'stamps':
        await this.#stamps(step.count, step.perSecond)
        return 'next'
      case 'reasoning': {
        await this.#pieces(step.pieces, step.delayMs, (piece) => writer.reasoning(piece))
        if (step.open) return 'next'
        if (step.signature) signed.set(step.signature, [step.pieces].flat().join(''))
        this.#send(writer.endReasoning(step.signature))
        return 'next'
      }
      case 'call':
        await this.#call(step)
        return 'next'
      case 'wait':
        await this.#pause(step.ms)
        return 'next'
      case 'gate':
        this.#head()
        await this.#gate(step.name)
        return 'next'
      case 'hang':
        this.#head()
        await this.#leaving
        return 'over'
      case 'cut':
        await this.#flushed()
        response.destroy()
        return 'over'
      case 'end-without-finish':
        this.#head()
        response.end()
        return 'over'
      case 'error':
        this.#send(writer.error(step.type, step.message))
        response.end()
        return 'over'
      case 'raw':
        this.#send(step.text)
        return 'next'
      case 'answer':
        throw new Error('An answer is the first step or none.')
      case 'finish':
        this.#send(writer.finish(step.reason, usage))
        if (step.keepOpen) await this.#leaving
        else response.end()
        return 'over'
    }
  }

  async #call(step: Extract<ServerStep, { kind: 'call' }>): Promise<void> {
    const { writer, n } = this.#options
    this.#calls += 1
    const json = JSON.stringify(step.input)
    const input = step.half ? json.slice(0, Math.ceil(json.length / 2)) : json
    const size = Math.max(1, Math.ceil(input.length / (step.pieces ?? 3)))
    const pieces = input.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []
    this.#send(writer.call(step.id ?? `call_${n}_${this.#calls}`, step.name))
    await this.#pieces(pieces, step.delayMs, (piece) => writer.callInput(piece))
    if (!step.half) this.#send(writer.endCall())
  }

  async #pieces(pieces: string | readonly string[], delayMs = 0, write: (piece: string) => string): Promise<void> {
    for (const piece of [pieces].flat()) {
      if (delayMs > 0) await this.#pause(delayMs)
      if (this.#gone) return
      this.#send(write(piece))
    }
  }

  /** Keeps the rate against the clock; pieces that are due together go out together. */
  async #stamps(count: number, perSecond: number): Promise<void> {
    const startedAt = performance.now()
    for (let sent = 0; sent < count && !this.#gone; sent += 1) {
      const early = startedAt + (sent * 1000) / perSecond - performance.now()
      if (early >= 1) await this.#pause(early)
      this.#send(this.#options.writer.text(`${(performance.timeOrigin + performance.now()).toFixed(3)} `))
    }
  }

  /** Sends the head alone, so that the client has an answer which says nothing yet. */
  #head(): void {
    const { response, writer } = this.#options
    if (response.headersSent || this.#gone) return
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.flushHeaders()
    response.write(writer.open() || ': open\n\n')
  }

  #send(bytes: string): void {
    this.#head()
    if (bytes !== '' && !this.#gone) this.#options.response.write(bytes)
  }

  #flushed(): Promise<void> {
    const { response } = this.#options
    this.#head()
    return new Promise((resolve) => response.write(': cut\n\n', () => resolve()))
  }

  #pause(ms: number): Promise<void> {
    return this.#until((go) => {
      const timer = setTimeout(go, ms)
      return () => clearTimeout(timer)
    })
  }

  #gate(name: string): Promise<void> {
    return this.#until((go) => this.#options.gates.wait(name, go))
  }

  /** Waits for `begin` to call back or for the client to go, and undoes what `begin` set up. */
  #until(begin: (go: () => void) => () => void): Promise<void> {
    const { response } = this.#options
    if (this.#gone) return Promise.resolve()
    return new Promise((resolve) => {
      let undo = (): void => undefined
      const over = (): void => {
        response.removeListener('close', over)
        undo()
        resolve()
      }
      response.once('close', over)
      undo = begin(over)
    })
  }
}
