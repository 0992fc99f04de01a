import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ModelPart } from '@/server/runtime/ports'
import {
  assistant,
  blocksOf,
  closeServers,
  collect,
  givenServer,
  registryFor,
  requestOf,
  sixProviders,
  user,
} from './given-provider'

const never = new AbortController().signal
const stopped = Object.freeze({ kind: 'user' })

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
  const { model } = provider
  const sends = (text: string) => (parts: readonly ModelPart[]) =>
    parts
      .flatMap((part) => (part.type === 'block-delta' ? [part.text] : []))
      .join('')
      .includes(text)

  /** Reads until `seen`, aborts there, and reads on to the end. */
  async function readUntil(
    stream: AsyncIterable<ModelPart>,
    seen: (parts: readonly ModelPart[]) => boolean,
    controller: AbortController,
  ): Promise<ModelPart[]> {
    const parts: ModelPart[] = []
    for await (const part of stream) {
      parts.push(part)
      if (!controller.signal.aborted && seen(parts)) controller.abort(stopped)
    }
    return parts
  }

  it('C8: ends quietly when it is stopped before the first byte, and the socket closes', async () => {
    const server = await givenServer({ script: [[{ kind: 'gate', name: 'never' }]] })
    const controller = new AbortController()
    const reading = collect(registryFor(provider, server.url).stream(requestOf(model), controller.signal))
    await server.received(1)
    controller.abort(stopped)

    expect(await reading).toEqual([])
    await server.socketClosed(1)
  })

  it('C11: closes the socket within milliseconds when it is stopped in mid text, and keeps what was said', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: ['Hello ', 'wor'] }, { kind: 'hang' }]] })
    const controller = new AbortController()
    let stoppedAt = 0n
    controller.signal.addEventListener('abort', () => (stoppedAt = process.hrtime.bigint()), { once: true })
    const parts = await readUntil(
      registryFor(provider, server.url).stream(requestOf(model), controller.signal),
      sends('Hello wor'),
      controller,
    )
    const closedAt = await server.socketClosed(1)

    expect(blocksOf(parts)).toEqual([{ type: 'text', text: 'Hello wor' }])
    expect(parts.map((part) => part.type)).not.toContain('failure')
    expect(Number(closedAt - stoppedAt) / 1e6).toBeLessThan(1000)
    expect(server.requests[0]?.state).toBe('left')
  })

  it('C14: ends quietly when it is stopped in mid tool input, and the half call is not whole', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'text', pieces: 'I write.' },
          { kind: 'call', name: 'read_file', input: { path: 'a-long-name.txt' }, half: true },
          { kind: 'hang' },
        ],
      ],
    })
    const controller = new AbortController()
    const google = model.startsWith('google/') // it sends calls whole, so there is no half one to wait for
    const parts = await readUntil(
      registryFor(provider, server.url).stream(requestOf(model), controller.signal),
      google ? sends('I write.') : sends('"path"'),
      controller,
    )
    await server.socketClosed(1)

    expect(blocksOf(parts)).toEqual([{ type: 'text', text: 'I write.' }])
    expect(parts.map((part) => part.type)).not.toContain('failure')
  })

  it('C11: a reader that just leaves closes the socket too', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Hello' }, { kind: 'hang' }]] })
    for await (const part of registryFor(provider, server.url).stream(requestOf(model), never)) {
      if (part.type === 'block-delta') break
    }
    await server.socketClosed(1)
    expect(server.requests[0]?.state).toBe('left')
  })

  it('C14: the request after a stop is valid for a strict server and holds the partial text and the note', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'reasoning', pieces: 'Half a thou', open: true },
          { kind: 'text', pieces: 'The answer is' },
          { kind: 'hang' },
        ],
        [{ kind: 'text', pieces: 'forty-two.' }],
      ],
    })
    const registry = registryFor(provider, server.url)
    const controller = new AbortController()
    const first = await readUntil(registry.stream(requestOf(model), controller.signal), sends('answer is'), controller)
    const messages = [user('hi'), assistant(...blocksOf(first)), user('[Belay] The user stopped this turn.', 'go on')]
    const second = await collect(registry.stream(requestOf(model, messages), never))

    expect(blocksOf(second)).toEqual([{ type: 'text', text: 'forty-two.' }])
    const request = await server.received(2)
    expect(request.refused).toBeUndefined()
    const sent = JSON.stringify(request.body)
    for (const text of ['The answer is', 'The user stopped this turn.', 'go on']) expect(sent).toContain(text)
  })

  it('C14: a reply of which only a thought was seen leaves a valid request behind', async () => {
    const server = await givenServer({
      script: [
        [{ kind: 'reasoning', pieces: 'Half a thou', open: true }, { kind: 'hang' }],
        [{ kind: 'text', pieces: 'ok' }],
      ],
    })
    const registry = registryFor(provider, server.url)
    const controller = new AbortController()
    const first = await readUntil(registry.stream(requestOf(model), controller.signal), sends('thou'), controller)
    const messages = [user('hi'), assistant(...blocksOf(first)), user('again')]
    await collect(registry.stream(requestOf(model, messages), never))

    expect((await server.received(2)).refused).toBeUndefined()
  })

  it('C8: a reason of any shape ends the stream in the same quiet way', async () => {
    for (const reason of [undefined, 'text', new Error('boom'), { kind: 'disposed' }]) {
      const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Hello' }, { kind: 'hang' }]] })
      const controller = new AbortController()
      const parts: ModelPart[] = []
      for await (const part of registryFor(provider, server.url).stream(requestOf(model), controller.signal)) {
        parts.push(part)
        if (part.type === 'block-delta') controller.abort(reason)
      }
      await server.socketClosed(1)
      expect(parts.at(-1)).toEqual({ type: 'block-delta', block: 0, text: 'Hello' })
    }
  })

  it('C8: makes no request when the signal has been aborted before', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'no' }]] })
    expect(await collect(registryFor(provider, server.url).stream(requestOf(model), AbortSignal.abort()))).toEqual([])
    expect(server.requests).toEqual([])
  })

  it('C11: a finished request leaves its connection open for the next one', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Hello' }]] })
    const registry = registryFor(provider, server.url)
    await collect(registry.stream(requestOf(model), never))
    await collect(registry.stream(requestOf(model), never))
    expect(server.requests.map((request) => request.state)).toEqual(['done', 'done'])
    expect(server.requests[0]?.socketClosedAt).toBeUndefined()
  })

  it('C11: leaves no listener on the signal behind', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Hello' }]] })
    const { signal } = new AbortController()
    let listeners = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listeners += 1
      addEventListener.apply(signal, args)
    }
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listeners -= 1
      removeEventListener.apply(signal, args)
    }
    await collect(registryFor(provider, server.url).stream(requestOf(model), signal))
    expect(listeners).toBe(0)
  })
})

describe.each(sixProviders.filter(({ model }) => !/^(google|openai)\//.test(model)))('$model', (provider) => {
  it('C11: a server that never ends its answer is left after the finish was seen', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'text', pieces: 'Hello' },
          { kind: 'finish', reason: 'stop', keepOpen: true },
        ],
      ],
    })
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(provider.model), never))
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    await server.socketClosed(1)
  })
})
