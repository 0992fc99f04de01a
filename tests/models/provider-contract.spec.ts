import { afterEach, describe, expect, it } from 'vitest'
import {
  assistant,
  blocksOf,
  callBlock,
  closeServers,
  collect,
  givenServer,
  lookTool,
  registryFor,
  requestOf,
  results,
  sixProviders,
  user,
} from './given-provider'

const never = new AbortController().signal
afterEach(closeServers)

describe.each(sixProviders)('$model', (provider) => {
  const { model } = provider

  it('M1: streams text piece by piece, with its usage, and finishes', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: ['Hello ', 'there'] }]] })
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model), never))

    expect(parts).toEqual([
      { type: 'block-start', block: 0, kind: 'text' },
      { type: 'block-delta', block: 0, text: 'Hello ' },
      { type: 'block-delta', block: 0, text: 'there' },
      { type: 'block-end', block: 0 },
      { type: 'usage', inputTokens: 11, outputTokens: 7 },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('M1: asks for the model by its whole name, with its key, the instructions and the tools', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'ok' }]] })
    await collect(registryFor(provider, server.url).stream(requestOf(model), never))
    const request = await server.received(1)

    expect(request.model).toBe(model.slice(model.indexOf('/') + 1))
    if (provider.keyHeader) expect(request.headers[provider.keyHeader]).toContain('key-of-')
    const sent = JSON.stringify(request.body)
    expect(sent).toContain('Be brief.')
    expect(sent).toContain(lookTool.description)
  })

  it('M1: streams reasoning apart from the text that follows it', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'reasoning', pieces: ['Let me ', 'see'], signature: 'sig-1' },
          { kind: 'text', pieces: 'Seen.' },
        ],
      ],
    })
    const [thought, text] = blocksOf(await collect(registryFor(provider, server.url).stream(requestOf(model), never)))

    expect(thought).toMatchObject({ type: 'reasoning', text: expect.stringContaining('Let me see') })
    expect('signature' in (thought ?? {})).toBe(provider.signs)
    expect(text).toEqual({ type: 'text', text: 'Seen.' })
  })

  it('M1: streams tool calls with their input, several in one message', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'text', pieces: 'I look.' },
          { kind: 'call', name: 'read_file', id: 'call_a', input: { path: 'a.txt' } },
          { kind: 'call', name: 'read_file', id: 'call_b', input: { path: 'b "quoted".txt' } },
        ],
      ],
    })
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model), never))

    expect(blocksOf(parts)).toEqual([
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', callId: 'call_a', name: 'read_file', input: { path: 'a.txt' } },
      { type: 'tool-call', callId: 'call_b', name: 'read_file', input: { path: 'b "quoted".txt' } },
    ])
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  it('M1: says when the answer was cut at the token limit', async () => {
    const server = await givenServer({
      script: [
        [
          { kind: 'text', pieces: 'Once upon' },
          { kind: 'finish', reason: 'length' },
        ],
      ],
    })
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model), never))
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'length' })
  })

  it('M1: makes a call id unique that an earlier call of the session has', async () => {
    const server = await givenServer({
      script: [[{ kind: 'call', name: 'read_file', id: 'call_0', input: { path: 'b.txt' } }]],
    })
    const messages = [
      user('look'),
      assistant(callBlock('call_0')),
      results({ callId: 'call_0', status: 'ok', output: 'A' }),
    ]
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model, messages), never))
    expect(blocksOf(parts)).toMatchObject([{ type: 'tool-call', callId: 'call_0-2' }])
  })

  it('C13: sends calls with their results, failed and skipped ones too, as a strict provider wants them', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Done.' }]] })
    const messages = [
      user('look'),
      assistant({ type: 'text', text: 'I look.' }, callBlock('call_a'), callBlock('call_b')),
      results(
        { callId: 'call_a', status: 'ok', output: 'the words of a' },
        { callId: 'call_b', status: 'skipped', output: 'Not started.' },
      ),
      user('and then?'),
    ]
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model, messages), never))

    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    const sent = JSON.stringify((await server.received(1)).body)
    for (const text of ['I look.', 'the words of a', 'Not started.', 'and then?']) expect(sent).toContain(text)
  })

  it('C13: stays valid with blank texts, no output, odd call ids and neighbours of one role', async () => {
    const server = await givenServer({ script: [[{ kind: 'text', pieces: 'Done.' }]] })
    const messages = [
      user('one'),
      user('two', ' '),
      assistant({ type: 'text', text: '\n\n' }),
      user('three'),
      assistant(callBlock('call/1:äö', 'no object'), callBlock(`call-${'x'.repeat(90)}`, undefined)),
      results(
        { callId: 'call/1:äö', status: 'error', output: '' },
        { callId: `call-${'x'.repeat(90)}`, status: 'ok', output: ' ' },
      ),
    ]
    const parts = await collect(registryFor(provider, server.url).stream(requestOf(model, messages), never))
    expect(server.requests[0]?.refused).toBeUndefined()
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })
})
