import { describe, expect, it } from 'vitest'
import { emptyPrompt, foldPrompt, promptMessages } from '@/lib/projection/prompt'
import { type Given, given, ok, tool } from './support/given'
import { aborted, moment } from './support/moments'
import { callParts, calls, failsWith, type ReplyScript, says, saysThenHangs } from './support/scripted-model'

const write = (name: string, body: () => Promise<void> = () => Promise.resolve()) =>
  tool(name, async () => {
    await body()
    return ok(`${name} done`)
  })

const statuses = ({ log }: Given) => log.all('tool.end').map((end) => `${end.callId} ${end.status}`)

describe('the record of a stopped turn', () => {
  it('C13: S-E4: a stop during the second of five writes gives one result each: ok, aborted, skipped three times', async () => {
    const started = moment()
    const slow = tool('slow', async (_input, { signal }) => {
      started.reach()
      await aborted(signal)
      throw signal.reason
    })
    const asked = [
      { id: 'c1', name: 'quick' },
      { id: 'c2', name: 'slow' },
      { id: 'c3', name: 'quick' },
      { id: 'c4', name: 'quick' },
      { id: 'c5', name: 'quick' },
    ]
    const world = given([calls(...asked), says('hello')], { tools: [write('quick'), slow] })
    world.agent.send({ text: 'go' })
    await started.reached
    world.agent.cancel()
    await world.agent.whenIdle()
    expect(statuses(world)).toEqual(['c1 ok', 'c2 aborted', 'c3 skipped', 'c4 skipped', 'c5 skipped'])
    expect(world.log.all('tool.start').map((start) => start.callId)).toEqual(['c1', 'c2'])
    world.agent.send({ text: 'hello' })
    await world.agent.whenIdle()
    expect(world.log.last('turn.end').outcome.kind).toBe('completed')
  })

  it('T1: parallel reads that run get the signal, and nothing of the batch starts after it', async () => {
    let running = 0
    const both = moment()
    const read = tool(
      'read',
      async (_input, { signal }) => {
        running += 1
        if (running === 2) both.reach()
        await aborted(signal)
        throw signal.reason
      },
      'read',
    )
    const asked = [
      { id: 'c1', name: 'read' },
      { id: 'c2', name: 'read' },
      { id: 'c3', name: 'quick' },
    ]
    const world = given(calls(...asked), { tools: [read, write('quick')] })
    world.agent.send({ text: 'go' })
    await both.reached
    world.agent.cancel()
    await world.agent.whenIdle()
    expect(statuses(world).sort()).toEqual(['c1 aborted', 'c2 aborted', 'c3 skipped'])
    expect(running).toBe(2)
  })

  const cuts: [string, (world: () => Given) => readonly ReplyScript[]][] = [
    [
      'while arguments stream',
      () => [
        async function* (_request, signal) {
          yield { type: 'block-start', block: 0, kind: 'text' }
          yield { type: 'block-delta', block: 0, text: 'I will write' }
          yield { type: 'block-start', block: 1, kind: 'tool-call', callId: 'c1' as never, name: 'quick' }
          yield { type: 'block-delta', block: 1, text: '{"half": "inp' }
          await aborted(signal)
        },
      ],
    ],
    [
      'after the call but before it starts',
      (world) => [
        async function* (_request, signal) {
          yield* callParts({ id: 'c1', name: 'quick' }, 0)
          world().agent.cancel()
          await aborted(signal)
        },
      ],
    ],
    ['during it', () => [calls({ id: 'c1', name: 'hangs' })]],
    ['between two calls', () => [calls({ id: 'c1', name: 'stops' }, { id: 'c2', name: 'quick' })]],
  ]
  it.each(cuts)(
    'S-G1: a stop %s leaves a history that a strict provider accepts, and hello is answered',
    async (_name, replies) => {
      const hanging = moment()
      const tools = [
        write('quick'),
        tool('hangs', async (_input, { signal }) => {
          hanging.reach()
          await aborted(signal)
          throw signal.reason
        }),
        write('stops', async () => {
          world.agent.cancel()
        }),
      ]
      const world: Given = given([...replies(() => world), says('hello back')], { tools })
      world.agent.send({ text: 'go' })
      await Promise.race([world.model.hasSaid('half'), hanging.reached, world.agent.whenIdle()])
      world.agent.cancel()
      await world.agent.whenIdle()
      expect(world.log.last('turn.end').outcome.kind).toBe('aborted')
      world.agent.send({ text: 'hello' })
      await world.agent.whenIdle()
      expect(world.log.last('turn.end').outcome.kind).toBe('completed')
      const asked = world.log
        .all('assistant.message')
        .flatMap((message) => message.blocks.filter((block) => block.type === 'tool-call'))
      expect(world.log.all('tool.end')).toHaveLength(asked.length)
    },
  )

  it('C14: keeps whole call blocks with a skipped result and drops half ones', async () => {
    const world = given(
      async function* (_request, signal) {
        yield* callParts({ id: 'whole', name: 'quick', input: { path: 'a' } }, 0)
        yield { type: 'block-start', block: 1, kind: 'tool-call', callId: 'half' as never, name: 'quick' }
        yield { type: 'block-delta', block: 1, text: '{"half' }
        await aborted(signal)
      },
      { tools: [write('quick')] },
    )
    world.agent.send({ text: 'go' })
    await world.model.hasSaid('{"half')
    world.agent.cancel()
    await world.agent.whenIdle()
    expect(world.log.last('assistant.message')).toMatchObject({
      partial: true,
      blocks: [{ type: 'tool-call', callId: 'whole', input: { path: 'a' } }],
    })
    expect(statuses(world)).toEqual(['whole skipped'])
  })

  it('C14: S-G2: reasoning keeps its signature only when its block has ended', async () => {
    const world = given(async function* (_request, signal) {
      yield { type: 'block-start', block: 0, kind: 'reasoning' }
      yield { type: 'block-delta', block: 0, text: 'whole thought' }
      yield { type: 'block-end', block: 0, signature: 'signed' }
      yield { type: 'block-start', block: 1, kind: 'reasoning' }
      yield { type: 'block-delta', block: 1, text: 'cut thou' }
      await aborted(signal)
    })
    world.agent.send({ text: 'go' })
    await world.model.hasSaid('cut thou')
    world.agent.cancel()
    await world.agent.whenIdle()
    expect(world.log.last('assistant.message').blocks).toEqual([
      { type: 'reasoning', text: 'whole thought', signature: 'signed' },
      { type: 'reasoning', text: 'cut thou' },
    ])
  })

  const closings: [string, (world: Given) => unknown, RegExp][] = [
    ['the user', (world) => world.agent.cancel(), /^The user stopped/],
    ['the parent', (world) => world.agent.cancel({ kind: 'parent' }), /^The agent that started you stopped/],
    ['a shutdown', (world) => world.agent.dispose(), /^Belay was shut down/],
  ]
  it.each(closings)('C14: the note right after turn.end says that it was %s', async (_name, end, words) => {
    const world = given(saysThenHangs('Hello'))
    world.agent.send({ text: 'go' })
    await world.model.hasSaid('Hello')
    await end(world)
    await world.agent.whenIdle()
    expect(world.log.types().slice(-2)).toEqual(['turn.end', 'note'])
    expect(world.log.last('note')).toMatchObject({ for: 'model', text: expect.stringMatching(words) })
  })

  it('S-O1: the cut step is counted with a marked estimate, the finished one exactly', async () => {
    const world = given([calls({ id: 'c1', name: 'quick' }), saysThenHangs('a partial answer')], {
      tools: [write('quick')],
    })
    world.agent.send({ text: 'go' })
    await world.model.hasSaid('a partial answer')
    world.agent.cancel()
    await world.agent.whenIdle()
    const [whole, cut] = world.log.all('step.end').map((step) => step.usage)
    expect(whole).toEqual({ inputTokens: 10, outputTokens: 5, estimated: false })
    expect(cut?.estimated).toBe(true)
    expect(cut?.outputTokens).toBeGreaterThan(0)
  })

  it('C14: a call whose input is nested beyond reason keeps the text before it and is refused in words', async () => {
    const deep = `{"path":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const world = given(
      [
        async function* () {
          yield { type: 'block-start', block: 0, kind: 'text' }
          yield { type: 'block-delta', block: 0, text: 'I will read' }
          yield { type: 'block-end', block: 0 }
          yield { type: 'block-start', block: 1, kind: 'tool-call', callId: 'c1' as never, name: 'quick' }
          yield { type: 'block-delta', block: 1, text: deep }
          yield { type: 'block-end', block: 1 }
          yield { type: 'finish', reason: 'tool-calls' }
        },
        says('ok'),
      ],
      { tools: [write('quick')] },
    )
    world.agent.send({ text: 'go' })
    await world.agent.whenIdle()
    expect(world.log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    expect(world.log.all('assistant.message')[0]?.blocks).toMatchObject([
      { type: 'text', text: 'I will read' },
      { type: 'tool-call', input: { invalidJson: deep } },
    ])
  })

  it('C13: half a character at the cut is left out, and a broken one inside a call is mended', async () => {
    const world = given(
      async function* (_request, signal) {
        yield { type: 'block-start', block: 0, kind: 'text' }
        yield { type: 'block-delta', block: 0, text: 'abc\ud83d' }
        yield* callParts({ id: 'c1', name: 'quick', input: { path: 'x\ud83dy' } }, 1)
        yield { type: 'block-start', block: 2, kind: 'reasoning' }
        yield { type: 'block-delta', block: 2, text: 'now' }
        await aborted(signal)
      },
      { tools: [write('quick')] },
    )
    world.agent.send({ text: 'go' })
    await world.model.hasSaid('now')
    world.agent.cancel()
    await world.agent.whenIdle()
    expect(world.log.last('assistant.message').blocks).toMatchObject([
      { type: 'text', text: 'abc' },
      { type: 'tool-call', input: { path: 'x\ufffdy' } },
      { type: 'reasoning', text: 'now' },
    ])
  })

  it('a stream that ends without a finish is a failure that keeps what was shown', async () => {
    const world = given(async function* () {
      yield { type: 'block-start', block: 0, kind: 'text' }
      yield { type: 'block-delta', block: 0, text: 'half an ans' }
    })
    world.agent.send({ text: 'go' })
    await world.agent.whenIdle()
    expect(world.log.last('assistant.message')).toMatchObject({ partial: true })
    expect(world.log.last('turn.end').outcome).toMatchObject({ kind: 'failed', code: 'stream-cut' })
  })
})

describe('the control record', () => {
  it('L3: stands before the turn.end it explains, and says who asked and how', async () => {
    const { agent, log, model } = given(saysThenHangs('Hello'))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    const receipt = agent.cancel(
      undefined,
      { keepInbox: true },
      { action: 'cancel', via: 'button', by: { kind: 'user' } },
    )
    await agent.whenIdle()
    const { turnId } = log.last('turn.end')
    expect(log.last('control.requested')).toEqual({
      requestId: receipt.requestId,
      action: 'cancel',
      via: 'button',
      by: { kind: 'user' },
      turnId,
      keepInbox: true,
    })
    expect(log.types().indexOf('control.requested')).toBeLessThan(log.types().indexOf('turn.end'))
    agent.cancel()
    expect(log.all('control.requested')).toHaveLength(1)
  })

  it('L3: a failed append never prevents the abort', async () => {
    const { agent, log, model } = given(saysThenHangs('Hello'))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.send({ text: 'waits' })
    log.refuses = (events) =>
      events.some((event) => event.type === 'control.requested' || event.type === 'inbox.discarded')
    expect(agent.cancel()).toMatchObject({ effect: 'signalled', discarded: 0 })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
  })

  it('C13: C14: what a full disk refused is written in front of the next append: the words, the results, the end', async () => {
    const started = moment()
    const slow = tool('slow', async (_input, { signal }) => {
      started.reach()
      await aborted(signal)
      throw signal.reason
    })
    const replies = [calls({ id: 'c1', name: 'slow' }, { id: 'c2', name: 'slow' }), says('fine')]
    const { agent, log, model, drafts } = given(replies, { tools: [slow] })
    agent.send({ text: 'go' })
    await started.reached
    log.refuses = () => true
    expect(agent.cancel().effect).toBe('signalled')
    await agent.whenIdle()
    expect(agent.live().activity).toBe('idle')
    expect(log.types()).not.toContain('turn.end')
    expect(drafts.openDrafts.size).toBe(0)

    log.refuses = () => false
    agent.send({ text: 'again' })
    await agent.whenIdle()
    expect(log.events.map((event) => event.seq)).toEqual(log.events.map((_event, index) => index + 1))
    expect(log.all('tool.end').map((end) => `${end.callId} ${end.status}`)).toEqual(['c1 aborted', 'c2 skipped'])
    expect(log.all('step.end')).toHaveLength(2)
    expect(log.all('turn.end').map((end) => end.outcome.kind)).toEqual(['aborted', 'completed'])
    expect(model.requests).toHaveLength(2)
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('The user stopped your previous turn.')
  })

  it('C14: a message that the disk refused keeps its draft until it is written', async () => {
    const { agent, agents, log, model, drafts } = given(saysThenHangs('Hello'))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    log.refuses = () => true
    agent.cancel()
    await agent.whenIdle()
    expect(drafts.openDrafts.size).toBe(1)
    log.refuses = () => false
    await agents.expireIdle()
    expect(drafts.openDrafts.size).toBe(0)
    expect(log.last('assistant.message')).toMatchObject({ partial: true, blocks: [{ text: 'Hello' }] })
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
  })

  it('L4: every request can be rebuilt from the log alone', async () => {
    const world = given(
      [
        calls({ id: 'c1', name: 'quick' }),
        failsWith({ code: 'provider-rejected', message: 'no', retryable: false }),
        saysThenHangs('Hello'),
        says('done'),
      ],
      { tools: [write('quick')] },
    )
    for (const text of ['one', 'two', 'three']) {
      world.agent.send({ text })
      if (text === 'two') {
        await world.model.hasSaid('Hello')
        world.agent.cancel(undefined, { keepInbox: true })
      }
      await world.agent.whenIdle()
    }
    const starts = world.log.events.filter((event) => event.type === 'step.start')
    expect(starts).toHaveLength(world.model.requests.length)
    for (const [index, start] of starts.entries()) {
      if (start.type !== 'step.start') throw new Error('filtered above')
      const before = world.log.events.filter((event) => event.seq <= start.seq)
      const request = world.model.requests[index]
      expect(promptMessages(before.reduce(foldPrompt, emptyPrompt))).toEqual(request?.messages)
      expect(world.log.text(start.data.request.systemHash)).toBe(request?.system)
      expect(world.log.text(start.data.request.toolsHash)).toBe(JSON.stringify(request?.tools))
      expect(start.data.request.model).toBe(request?.model)
    }
  })
})

describe('one tool call', () => {
  it('T8: ends without ending the turn, and the model goes on with its output so far', async () => {
    const started = moment<AbortSignal>()
    const slow = tool('slow', async (_input, { signal }) => {
      started.reach(signal)
      await aborted(signal)
      return { status: 'aborted', output: 'line 1\nInterrupted.', truncated: false }
    })
    const { agent, log, model } = given([calls({ id: 'c1', name: 'slow' }), says('went on')], { tools: [slow] })
    agent.send({ text: 'go' })
    const signal = await started.reached
    expect(agent.endCall('c1' as never)).toBe('signalled')
    expect(agent.endCall('c1' as never)).toBe('already-signalled')
    await agent.whenIdle()
    expect(agent.endCall('c1' as never)).toBe('none')
    expect(log.last('tool.end')).toMatchObject({
      status: 'aborted',
      output: expect.stringMatching(/line 1[\s\S]*The user ended this call/),
    })
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    expect(log.last('control.requested')).toMatchObject({ action: 'end-call', callId: 'c1' })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('line 1')
    expect(signal.reason).toBeInstanceOf(DOMException)
    expect(model.signals[0]?.aborted).toBe(false)
  })

  it('T8: force reaches a call that is already stopping', async () => {
    const started = moment()
    const forced = moment()
    const deaf = tool('deaf', async (_input, { forceSignal }) => {
      started.reach()
      await aborted(forceSignal)
      forced.reach()
      return ok('killed')
    })
    const { agent } = given(calls({ id: 'c1', name: 'deaf' }), { tools: [deaf] })
    agent.send({ text: 'go' })
    await started.reached
    agent.cancel()
    expect(agent.endCall('c1' as never)).toBe('already-signalled')
    expect(agent.endCall('c1' as never, { force: true })).toBe('signalled')
    await forced.reached
    await agent.whenIdle()
  })

  it('an unknown tool and a tool that throws are readable errors, and the turn goes on', async () => {
    const broken = tool('broken', () => Promise.reject(new Error('internal secret')))
    const { agent, log } = given([calls({ id: 'c1', name: 'nope' }, { id: 'c2', name: 'broken' }), says('ok')], {
      tools: [broken],
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(log.all('tool.end').map((end) => end.status)).toEqual(['error', 'error'])
    expect(JSON.stringify(log.events)).not.toContain('secret')
    expect(log.last('turn.end').outcome.kind).toBe('completed')
  })
})

it('C13: gives every call of a session an id of its own, also when the provider repeats itself and a turn is replaced', async () => {
  const world = given(
    [
      calls({ id: 'call_0', name: 'quick' }, { id: 'call_0', name: 'quick' }),
      says('one'),
      calls({ id: 'call_0', name: 'quick' }),
    ],
    { tools: [write('quick')] },
  )
  world.agent.send({ text: 'go' })
  await world.agent.whenIdle()
  world.agent.send({ text: 'go again', replaces: world.log.last('turn.end').turnId })
  await world.agent.whenIdle()
  expect(world.log.all('tool.end').map((end) => end.callId)).toEqual(['call_0', 'call_0-2', 'call_0-3'])
})
