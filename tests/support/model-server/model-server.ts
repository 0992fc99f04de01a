/** A loopback model server that speaks every wire, plays a script per request, and remembers what happened and when. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anthropicMessages } from './anthropic-messages'
import { chatCompletions } from './chat-completions'
import { googleGenerate } from './google-generate'
import { openaiResponses } from './openai-responses'
import { Playback } from './playback'
import { isObject, type JsonObject, type ServerStep, type Wire, type WireUsage } from './steps'

export interface ModelServerOptions {
  /** Steps per request, the last list for all further ones; or a function. */
  readonly script: readonly (readonly ServerStep[])[] | ((request: RecordedRequest) => readonly ServerStep[])
  /** Answers 400 to a request that a strict provider would refuse. */
  readonly strict?: boolean
  /** What `GET …/models` lists. */
  readonly models?: readonly string[]
  /** The only key that is accepted; without it any is. */
  readonly key?: string
  readonly usage?: WireUsage
  readonly port?: number
}

export interface RecordedRequest {
  /** From 1. */
  readonly n: number
  readonly wire: Wire['name']
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: JsonObject
  readonly model: string
  /** Nanoseconds of `process.hrtime.bigint()`, one clock for all processes of a machine. */
  readonly receivedAt: bigint
  socketClosedAt: bigint | undefined
  /** What the strict check had against it. */
  refused: string | undefined
  /** `open` while it streams; `left` = the client went before the end. */
  state: 'open' | 'done' | 'left'
}

export interface ModelServer {
  /** Without a version: `http://127.0.0.1:port`. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** Resolves when request `n` (from 1) has arrived. */
  received(n: number): Promise<RecordedRequest>
  /** Resolves when the socket of request `n` has closed, with the time. */
  socketClosed(n: number): Promise<bigint>
  /** Opens a gate, for every request that waits at it or comes to it later. */
  release(gate: string): void
  close(): Promise<void>
}

const wires: readonly Wire[] = [openaiResponses, chatCompletions, anthropicMessages, googleGenerate]
const usualUsage: WireUsage = { inputTokens: 11, outputTokens: 7 }

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: RecordedRequest[] = []
  const signed = new Map<string, string>()
  const gates = new Gates()
  const waiting = new Set<() => void>()
  /** Requests that shared a kept-alive connection. */
  const sockets = new WeakMap<object, RecordedRequest[]>()
  const changed = (): void => {
    for (const look of [...waiting]) look()
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = 60_000

  function closed(served: readonly RecordedRequest[]): void {
    const at = process.hrtime.bigint()
    for (const one of served) {
      one.socketClosedAt = at
      if (one.state === 'open') one.state = 'left'
    }
    changed()
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const receivedAt = process.hrtime.bigint()
    const path = (request.url ?? '/').replace(/\?.*$/, '')
    const allowed = options.key === undefined || JSON.stringify(request.headers).includes(options.key)
    if (request.method === 'GET' && path.endsWith('/models')) {
      return allowed
        ? listModels(response, options.models ?? [], path)
        : answer(response, 401, { error: { message: 'bad key' } })
    }
    const wire = wires.find((one) => one.speaks(path))
    if (!wire || request.method !== 'POST') return answer(response, 404, { error: { message: 'no such path' } })
    const body = await jsonOf(request)
    const recorded: RecordedRequest = {
      n: requests.length + 1,
      wire: wire.name,
      path,
      headers: request.headers,
      body,
      model: wire.modelOf(path, body),
      receivedAt,
      socketClosedAt: undefined,
      refused: options.strict ? wire.check(body, signed) : undefined,
      state: 'open',
    }
    requests.push(recorded)
    const sharing = sockets.get(request.socket)
    if (sharing) sharing.push(recorded)
    else {
      const served = [recorded]
      sockets.set(request.socket, served)
      request.socket.once('close', () => closed(served))
    }
    changed()
    if (!allowed) answer(response, 401, wire.errorBody(401, 'invalid key'))
    else if (recorded.refused) answer(response, 400, wire.errorBody(400, recorded.refused))
    else {
      const { script } = options
      const steps = typeof script === 'function' ? script(recorded) : (script[recorded.n - 1] ?? script.at(-1) ?? [])
      const usage = options.usage ?? usualUsage
      await new Playback({ response, writer: wire.writer(recorded.model), signed, usage, n: recorded.n, gates }).play(
        steps,
      )
    }
    if (recorded.state === 'open' && response.writableEnded) recorded.state = 'done'
    changed()
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })

  function until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = (): void => {
        const found = look()
        if (found === undefined) return
        waiting.delete(check)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    received: (n) => until(() => requests[n - 1]),
    socketClosed: (n) => until(() => requests[n - 1]?.socketClosedAt),
    release: (gate) => gates.open(gate),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Named gates: once open, open for good. */
export class Gates {
  readonly #opened = new Set<string>()
  readonly #waiting = new Map<string, Set<() => void>>()

  open(name: string): void {
    this.#opened.add(name)
    for (const go of this.#waiting.get(name) ?? []) go()
    this.#waiting.delete(name)
  }

  /** Calls `go` when the gate is open; returns the undo. */
  wait(name: string, go: () => void): () => void {
    if (this.#opened.has(name)) {
      go()
      return () => undefined
    }
    const waiting = this.#waiting.get(name) ?? new Set()
    this.#waiting.set(name, waiting.add(go))
    return () => waiting.delete(go)
  }
}

function listModels(response: ServerResponse, models: readonly string[], path: string): void {
  const google = path.includes('/v1beta/')
  answer(
    response,
    200,
    google ? { models: models.map((name) => ({ name: `models/${name}` })) } : { data: models.map((id) => ({ id })) },
  )
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function jsonOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const parsed: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  return isObject(parsed) ? parsed : {}
}
