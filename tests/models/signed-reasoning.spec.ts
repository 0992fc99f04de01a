import { afterEach, describe, expect, it } from 'vitest'
import type { Block } from '@/lib/contract/events'
import type { ModelPart } from '@/server/runtime/ports'
import type { ModelServer } from '../support/model-server/model-server'
import { type JsonObject, objects, type ServerStep, sse } from '../support/model-server/steps'
import {
  assistant,
  blocksOf,
  callBlock,
  closeServers,
  collect,
  givenServer,
  registryFor,
  requestOf,
  results,
  sixProviders,
  user,
} from './given-provider'

const never = new AbortController().signal
const thought = { kind: 'reasoning', pieces: ['First I ', 'look.'], signature: 'sig-one' } as const
const answer: ServerStep[] = [{ kind: 'text', pieces: 'ok' }]
const signing = sixProviders.filter((provider) => provider.signs)

afterEach(closeServers)

describe.each(signing)('$model', (provider) => {
  /** Stops the first request when `seen` has been streamed and sends a second one with what was kept. */
  async function stopAndSendAgain(steps: ServerStep[], seen: string): Promise<{ server: ModelServer; kept: Block[] }> {
    const server = await givenServer({ script: [[...steps, { kind: 'hang' }], answer] })
    const registry = registryFor(provider, server.url)
    const controller = new AbortController()
    const parts: ModelPart[] = []
    let text = ''
    for await (const part of registry.stream(requestOf(provider.model), controller.signal)) {
      parts.push(part)
      if (part.type === 'block-delta') text += part.text
      if (text.endsWith(seen)) controller.abort({ kind: 'user' })
    }
    await server.socketClosed(1)
    const kept = blocksOf(parts)
    await collect(registry.stream(requestOf(provider.model, [user('hi'), assistant(...kept), user('again')]), never))
    return { server, kept }
  }

  it('S-G2: a thought that was cut is readable, and is not sent back', async () => {
    const { server, kept } = await stopAndSendAgain([{ ...thought, open: true }], 'look.')
    expect(kept).toEqual([{ type: 'reasoning', text: 'First I look.' }])
    expect((await server.received(2)).refused).toBeUndefined()
    expect(thoughtsIn(server.requests[1]?.body)).toEqual([])
  })

  it('S-G2: a thought whose end was seen goes back as it came when the stop falls into the text behind it', async () => {
    const { server, kept } = await stopAndSendAgain([thought, { kind: 'text', pieces: 'So ' }], 'So ')
    expect(kept.map((block) => block.type)).toEqual(['reasoning', 'text'])
    expect((await server.received(2)).refused).toBeUndefined()
    expect(thoughtsIn(server.requests[1]?.body)).toEqual([['sig-one', 'First I look.']])
  })

  it('S-G2: goes back in front of its tool call when the turn goes on', async () => {
    const server = await givenServer({
      script: [[thought, { kind: 'call', name: 'read_file', id: 'call_a', input: { path: 'a.txt' } }], answer],
    })
    const registry = registryFor(provider, server.url)
    const kept = blocksOf(await collect(registry.stream(requestOf(provider.model), never)))
    const messages = [user('hi'), assistant(...kept), results({ callId: 'call_a', status: 'ok', output: 'A' })]
    await collect(registry.stream(requestOf(provider.model, messages), never))

    expect((await server.received(2)).refused).toBeUndefined()
    expect(thoughtsIn(server.requests[1]?.body)).toEqual([['sig-one', 'First I look.']])
  })

  it('S-G2: the signature of another provider proves nothing and stays at home', async () => {
    const server = await givenServer({ script: [answer] })
    const foreign = provider.model.startsWith('google/') ? 'anthropic:sig-x' : 'google:sig-x'
    const block: Block = { type: 'reasoning', text: 'Elsewhere', signature: foreign }
    const messages = [user('hi'), assistant(block, { type: 'text', text: 'Hm.' }), user('again')]
    await collect(registryFor(provider, server.url).stream(requestOf(provider.model, messages), never))

    expect((await server.received(1)).refused).toBeUndefined()
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('Elsewhere')
  })

  it('S-G2: the double refuses a thought that was altered, so that these tests can fail', async () => {
    const server = await givenServer({ script: [[thought, { kind: 'text', pieces: 'So' }], answer] })
    const registry = registryFor(provider, server.url)
    const [reasoning, text] = blocksOf(await collect(registry.stream(requestOf(provider.model), never)))
    if (reasoning?.type !== 'reasoning' || !text) throw new Error('nothing was thought')
    const messages = [user('hi'), assistant({ ...reasoning, text: 'Changed' }, text), user('again')]
    const parts = await collect(registry.stream(requestOf(provider.model, messages), never))

    expect(parts).toMatchObject([{ type: 'failure', code: 'provider-rejected' }])
  })
})

describe('anthropic', () => {
  const anthropic = signing.find((provider) => provider.model.startsWith('anthropic/'))
  if (!anthropic) throw new Error('Anthropic signs.')

  it('S-G2: a stop between a signature and the end of its block makes no proof', async () => {
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig-ha' } }
    const server = await givenServer({
      script: [
        [
          { ...thought, open: true },
          { kind: 'raw', text: sse(delta, 'content_block_delta') },
          { kind: 'end-without-finish' },
        ],
        answer,
      ],
    })
    const registry = registryFor(anthropic, server.url)
    const kept = blocksOf(await collect(registry.stream(requestOf(anthropic.model), never)))
    expect(kept).toEqual([{ type: 'reasoning', text: 'First I look.' }])
    const messages = [user('hi'), assistant(...kept, { type: 'text', text: 'So' }), user('again')]
    await collect(registry.stream(requestOf(anthropic.model, messages), never))
    expect((await server.received(2)).refused).toBeUndefined()
  })

  it('S-G2: a stop between two thoughts keeps the first and drops the second', async () => {
    const server = await givenServer({
      script: [
        [
          thought,
          { kind: 'call', name: 'read_file', id: 'call_a', input: { path: 'a' } },
          { kind: 'reasoning', pieces: 'Then I', open: true },
          { kind: 'cut' },
        ],
        answer,
      ],
    })
    const registry = registryFor(anthropic, server.url)
    const kept = blocksOf(await collect(registry.stream(requestOf(anthropic.model), never)))
    expect(kept.map((block) => block.type)).toEqual(['reasoning', 'tool-call', 'reasoning'])
    const messages = [user('hi'), assistant(...kept), results({ callId: 'call_a', status: 'skipped', output: 'No.' })]
    await collect(registry.stream(requestOf(anthropic.model, messages), never))
    expect((await server.received(2)).refused).toBeUndefined()
    expect(thoughtsIn(server.requests[1]?.body)).toEqual([['sig-one', 'First I look.']])
  })

  it('M1: a thought that the provider hides is kept as its proof and goes back', async () => {
    const block = { type: 'redacted_thinking', data: 'hidden-bytes' }
    const start = { type: 'content_block_start', index: 0, content_block: block }
    const stop = { type: 'content_block_stop', index: 0 }
    const raw = sse(start, start.type) + sse(stop, stop.type)
    const server = await givenServer({
      strict: false,
      script: [
        [
          { kind: 'raw', text: raw },
          { kind: 'finish', reason: 'stop' },
        ],
        answer,
      ],
    })
    const registry = registryFor(anthropic, server.url)
    const kept = blocksOf(await collect(registry.stream(requestOf(anthropic.model), never)))
    expect(kept).toMatchObject([{ type: 'reasoning', text: '' }])
    const messages = [
      user('hi'),
      assistant(...kept, callBlock('call_a')),
      results({ callId: 'call_a', status: 'ok', output: 'A' }),
    ]
    await collect(registry.stream(requestOf(anthropic.model, messages), never))
    expect(JSON.stringify(server.requests[1]?.body)).toContain('hidden-bytes')
  })

  it('M1: always says how long the answer may be, and marks what can be cached', async () => {
    const server = await givenServer({ script: [answer] })
    await collect(registryFor(anthropic, server.url).stream(requestOf(anthropic.model), never))
    const { body } = await server.received(1)
    expect(body.max_tokens).toBeGreaterThan(1000)
    expect(JSON.stringify(body)).toContain('"cache_control":{"type":"ephemeral"}')
  })
})

describe('deepseek', () => {
  it('M1: gets its reasoning back, which it asks for', async () => {
    const deepseek = sixProviders.find((provider) => provider.model.startsWith('deepseek/'))
    if (!deepseek) throw new Error('no deepseek')
    const server = await givenServer({ script: [answer] })
    const messages = [
      user('hi'),
      assistant({ type: 'reasoning', text: 'I thought' }, callBlock('call_a')),
      results({ callId: 'call_a', status: 'ok', output: 'A' }),
    ]
    await collect(registryFor(deepseek, server.url).stream(requestOf(deepseek.model, messages), never))
    expect(objects(server.requests[0]?.body.messages)[2]).toMatchObject({ reasoning_content: 'I thought' })
  })
})

/** Signature and text of every thought in a request, on both wires that sign. */
function thoughtsIn(body: JsonObject | undefined): [unknown, string][] {
  const anthropicBlocks = objects(body?.messages).flatMap((message) => objects(message.content))
  const googleParts = objects(body?.contents).flatMap((content) => objects(content.parts))
  return [
    ...anthropicBlocks
      .filter((block) => block.type === 'thinking')
      .map((block): [unknown, string] => [block.signature, String(block.thinking)]),
    ...googleParts
      .filter((part) => part.thought === true)
      .map((part): [unknown, string] => [part.thoughtSignature, String(part.text).trimEnd()]),
  ]
}
