import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelPart } from '@/server/runtime/ports'
import { systemClock } from '@/server/runtime/system-clock'
import type { ServerStep } from '../support/model-server/steps'
import { blocksOf, closeServers, collect, givenServer, registryFor, requestOf, sixProviders } from './given-provider'

const never = new AbortController().signal
const noon = new Date('2026-01-01T12:00:00.000Z')
const secretWords = 'SECRET-BODY at /srv/app/index.js:1:2'

const clock = { ...systemClock, now: () => noon }

const rejections: unknown[] = []
const remember = (reason: unknown): void => void rejections.push(reason)
beforeEach(() => {
  rejections.length = 0
  process.on('unhandledRejection', remember)
})
afterEach(async () => {
  await closeServers()
  await new Promise((resolve) => setImmediate(resolve))
  process.removeListener('unhandledRejection', remember)
  expect(rejections).toEqual([])
})

describe.each(sixProviders)('$model', (provider) => {
  async function partsWithin(idleMs: number, ...steps: ServerStep[]): Promise<ModelPart[]> {
    const server = await givenServer({ script: [steps] })
    return collect(registryFor(provider, server.url, { idleMs, clock }).stream(requestOf(provider.model), never))
  }

  const partsOf = (...steps: ServerStep[]) => partsWithin(10_000, ...steps)

  async function failureOf(...steps: ServerStep[]): Promise<Extract<ModelPart, { type: 'failure' }>> {
    const parts = await partsOf(...steps)
    const last = parts.at(-1)
    if (last?.type !== 'failure') throw new Error(`No failure: ${JSON.stringify(parts)}`)
    expect(parts.filter((part) => part.type === 'failure' || part.type === 'finish')).toHaveLength(1)
    expect(JSON.stringify(parts)).not.toMatch(/SECRET|key-of-|index\.js/)
    return last
  }

  const json = { 'content-type': 'application/json' }
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const page = '<!doctype html><html><body>Sign in</body></html>'

  it('M4: a refused key is an authentication failure that names where to look', async () => {
    for (const status of [401, 403]) {
      const failed = await failureOf({
        kind: 'answer',
        status,
        headers: json,
        body: `{"error":{"message":"${secretWords}"}}`,
      })
      expect(failed).toMatchObject({ code: 'authentication', retryable: false })
      expect(failed.message).toContain(provider.keyVariable ?? 'Settings')
    }
  })

  it('M4: a rate limit is retryable and passes on the time in every way that it is given', async () => {
    const inTenSeconds = new Date(noon.getTime() + 10_000).toUTCString()
    const given: Record<string, string>[] = [
      { 'retry-after': '7' },
      { 'retry-after-ms': '1500' },
      { 'retry-after': inTenSeconds },
      {},
    ]
    const asked = await Promise.all(
      given.map((headers) =>
        failureOf({ kind: 'answer', status: 429, headers: { ...json, ...headers }, body: secretWords }),
      ),
    )
    expect(asked.map(({ code, retryable }) => [code, retryable])).toEqual(Array(4).fill(['rate-limited', true]))
    const [seconds, ms, date, none] = asked.map(({ retryAfterMs }) => retryAfterMs)
    expect([seconds, ms, date, none]).toEqual([7000, 1500, 10_000, undefined])
  })

  it('M4: a used-up quota is not worth a retry', async () => {
    const failed = await failureOf({
      kind: 'answer',
      status: 429,
      headers: json,
      body: '{"error":{"code":"insufficient_quota"}}',
    })
    expect(failed).toMatchObject({ code: 'provider-rejected', retryable: false })
  })

  it('C7: a server error is retryable, and its body stays where it is', async () => {
    const failed = await failureOf({ kind: 'answer', status: 500, headers: json, body: secretWords })
    expect(failed).toMatchObject({ code: 'provider-error', retryable: true })
    expect(failed.message).toContain('HTTP 500')
    expect(await failureOf({ kind: 'answer', status: 529, headers: { ...json, 'retry-after': '2' } })).toMatchObject({
      code: 'provider-error',
      retryAfterMs: 2000,
    })
  })

  it('C7: a refused request is told in our words', async () => {
    const failed = await failureOf({
      kind: 'answer',
      status: 400,
      headers: json,
      body: `{"error":{"message":"${secretWords}"}}`,
    })
    expect(failed).toMatchObject({ code: 'provider-rejected', retryable: false })
  })

  it('M4: a conversation that is too long says so', async () => {
    const body = '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}'
    expect(await failureOf({ kind: 'answer', status: 400, headers: json, body })).toMatchObject({
      code: 'context-too-long',
    })
  })

  it('M1: a model that the provider does not know is named', async () => {
    const failed = await failureOf({ kind: 'answer', status: 404, headers: json, body: '{"error":{"message":"no"}}' })
    expect(failed.code).toBe('model-unavailable')
    expect(failed.message).toContain(provider.model.slice(provider.model.indexOf('/') + 1))
  })

  it('M4: a web page with status 200 is told as one, with or without its content type', async () => {
    for (const headers of [html, { 'content-type': 'text/event-stream' }]) {
      const failed = await failureOf({ kind: 'answer', status: 200, headers, body: page })
      expect(failed).toMatchObject({ code: 'provider-rejected', retryable: false })
      expect(failed.message).toMatch(/web page.*base URL/s)
    }
  })

  it('M4: a gateway page with status 502 is a passing server error', async () => {
    expect(await failureOf({ kind: 'answer', status: 502, headers: html, body: page })).toMatchObject({
      code: 'provider-error',
      retryable: true,
    })
  })

  it('M4: a document with status 200 where a stream was due is rejected', async () => {
    expect(await failureOf({ kind: 'answer', status: 200, headers: json, body: '{"choices":[]}' })).toMatchObject({
      code: 'provider-rejected',
    })
  })

  it('W11: does not follow a redirect, so that the key stays with its host', async () => {
    const other = await givenServer({ script: [[{ kind: 'text', pieces: 'stolen' }]] })
    const failed = await failureOf({ kind: 'answer', status: 307, headers: { location: `${other.url}/v1/messages` } })
    expect(failed.code).toBe('provider-rejected')
    expect(other.requests).toEqual([])
  })

  it('M4: a socket that is cut in mid text is a retryable failure and no answer', async () => {
    const parts = await partsOf({ kind: 'text', pieces: 'Hello' }, { kind: 'cut' })
    expect(blocksOf(parts)).toEqual([{ type: 'text', text: 'Hello' }])
    expect(parts.at(-1)).toMatchObject({ type: 'failure', code: 'stream-cut', retryable: true })
  })

  it('M4: a stream that ends without a finish is a failure and no answer', async () => {
    const parts = await partsOf({ kind: 'text', pieces: 'Hello' }, { kind: 'end-without-finish' })
    expect(blocksOf(parts)).toEqual([{ type: 'text', text: 'Hello' }])
    expect(parts.at(-1)).toMatchObject({ type: 'failure', code: 'stream-cut', retryable: true })
  })

  it('M4: an empty stream is a failure too', async () => {
    expect(await failureOf({ kind: 'end-without-finish' })).toMatchObject({ code: 'stream-cut', retryable: true })
  })

  it('M4: half a tool call before a cut is not a call', async () => {
    const parts = await partsOf(
      { kind: 'text', pieces: 'I look.' },
      ...(provider.model.startsWith('google/')
        ? []
        : [{ kind: 'call', name: 'read_file', input: { path: 'a.txt' }, half: true } as const]),
      { kind: 'end-without-finish' },
    )
    expect(blocksOf(parts)).toEqual([{ type: 'text', text: 'I look.' }])
    expect(parts.at(-1)).toMatchObject({ type: 'failure', code: 'stream-cut' })
  })

  it('C7: an error inside the stream is told in our words', async () => {
    const overloaded = await failureOf(
      { kind: 'text', pieces: 'Hel' },
      { kind: 'error', type: 'overloaded_error', message: secretWords },
    )
    expect(overloaded).toMatchObject({ code: 'provider-error', retryable: true })
    const first = await failureOf({ kind: 'error', type: 'server_error', message: secretWords })
    expect(first).toMatchObject({ retryable: true })
  })

  it('M4: a piece of the stream that is no JSON is a failure', async () => {
    const failed = await failureOf({ kind: 'text', pieces: 'Hel' }, { kind: 'raw', text: 'data: {"broken\n\n' })
    expect(failed).toMatchObject({ code: 'provider-error' })
  })

  it('M4: a provider that falls silent has timed out', async () => {
    for (const silent of [[{ kind: 'hang' }], [{ kind: 'text', pieces: 'Hel' }, { kind: 'hang' }]] as const) {
      const parts = await partsWithin(150, ...silent)
      expect(parts.at(-1)).toMatchObject({ type: 'failure', code: 'provider-timeout', retryable: true })
    }
  })

  it('M4: a server that is not there is unreachable and worth a retry', async () => {
    const server = await givenServer({ script: [] })
    await server.close()
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(provider.model), never))
    expect(parts).toMatchObject([{ type: 'failure', code: 'provider-unreachable', retryable: true }])
    expect(JSON.stringify(parts)).toContain(new URL(server.url).host)
  })

  it('M4: a server that hangs up without an answer is unreachable', async () => {
    const silent = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const parts = await collect(registryFor(provider, url).stream(requestOf(provider.model), never))
    silent.close()
    expect(parts).toMatchObject([{ type: 'failure', code: 'provider-unreachable', retryable: true }])
  })

  it('C15: a stop during the body of an error ends at once and quietly', async () => {
    const controller = new AbortController()
    const slow = createServer((socket) =>
      socket
        .on('error', () => undefined) // a reset is what is waited for
        .once('data', () => {
          socket.write('HTTP/1.1 500 Oops\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"err')
          setImmediate(() => controller.abort({ kind: 'user' }))
        }),
    )
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const closed = new Promise<void>((resolve) =>
      slow.once('connection', (socket) => socket.once('close', () => resolve())),
    )
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
    const parts = await collect(registryFor(provider, url).stream(requestOf(provider.model), controller.signal))
    await closed
    slow.close()
    expect(parts).toEqual([])
  })
})

it('M4: words that come slowly are no silence', async () => {
  const provider = sixProviders.find(({ model }) => model.startsWith('anthropic/'))
  if (!provider) throw new Error('no provider')
  const server = await givenServer({ script: [[{ kind: 'text', pieces: ['a', 'b', 'c', 'd', 'e'], delayMs: 500 }]] })
  const registry = registryFor(provider, server.url, { idleMs: 2000 })
  const parts = await collect(registry.stream(requestOf(provider.model), never))
  expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
})
