import { describe, expect, it } from 'vitest'
import type { Block } from '@/lib/contract/events'
import type { ToolStatus } from '@/lib/contract/outcome'
import type { ModelMessage } from '@/lib/projection/prompt'
import { ModelRegistry } from '@/server/models/registry'
import type { ModelPart, ModelRequest, ToolSpec } from '@/server/runtime/ports'
import { assistant, blocksOf, collect, user } from './given-provider'
import { PlayingClock } from './playing-clock'

const never = new AbortController().signal
const toolNames = ['read_file', 'write_file', 'run_command', 'ask_user', 'delegate_task', 'spawn_agent']

function tools(...names: string[]): ToolSpec[] {
  return names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }))
}

function requestOf(messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: 'rehearsal/script',
    system: '',
    messages,
    tools: tools(...toolNames),
    settings: { attempt: 1 },
    ...more,
  }
}

function given(clock = new PlayingClock()) {
  const registry = new ModelRegistry({ env: {}, clock, localServers: [] })
  return { clock, play: (request: ModelRequest, signal = never) => registry.stream(request, signal) }
}

/** Plays a script like the runtime does: runs every call at once with the given status, and asks again, at most `most` times. */
async function playThrough(script: string, most = 10, status: ToolStatus = 'ok'): Promise<Block[][]> {
  const { play } = given()
  const messages: ModelMessage[] = [user(script)]
  const replies: Block[][] = []
  while (replies.length < most) {
    const blocks = blocksOf(await collect(play(requestOf(messages))))
    replies.push(blocks)
    messages.push(assistant(...blocks))
    const calls = blocks.filter((block) => block.type === 'tool-call')
    if (calls.length === 0) break
    messages.push({ role: 'tool', results: calls.map(({ callId, name }) => ({ callId, name, status, output: 'out' })) })
  }
  return replies
}

const shape = (replies: readonly Block[][]) =>
  replies.map((blocks) => blocks.map((block) => (block.type === 'tool-call' ? block.name : block.type)))

function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.type === 'block-delta' ? [part.text] : [])).join('')
}

describe('rehearsal', () => {
  it('M3: talks exactly as many words as asked, at the pace that was asked', async () => {
    const { clock, play } = given()
    const parts = await collect(play(requestOf([user('talk for 200 words at 25 words per second')])))
    const [talk] = blocksOf(parts)

    expect(
      talk?.type === 'text' && talk.text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    ).toBeGreaterThan(180)
    expect(parts.filter((part) => part.type === 'block-delta' && part.block === 0)).toHaveLength(200)
    const talking = clock.sleeps.slice(0, 199)
    expect(talking.reduce((sum, ms) => sum + ms, 0)).toBe((199 * 1000) / 25)
    expect(parts.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('M3: says the same words every time, ends its sentences and closes its fences', async () => {
    for (const words of [1, 17, 150, 172, 400]) {
      const [first, second] = await Promise.all(
        [1, 2].map(async () => textOf(await collect(given().play(requestOf([user(`talk for ${words} words`)]))))),
      )
      expect(first).toBe(second)
      expect((first?.match(/```/g)?.length ?? 0) % 2).toBe(0)
    }
  })

  it('M3: plays steps without tools in one reply, and ends a reply at each tool', async () => {
    const replies = await playThrough(
      'think for 5 words, then talk for 5 words, then run `date`, then read a.txt, then talk for 3 words',
    )
    expect(shape(replies)).toEqual([['reasoning', 'text', 'run_command'], ['read_file'], ['text', 'text']])
  })

  it('M3: calls the real tools with their real inputs', async () => {
    const [[run], [write], [read], [ask]] = (await playThrough(
      'run `sleep 9` with timeout 2 seconds, then write a.txt: Hello, then read a.txt, then ask: Which colour?',
    )) as [Block[], Block[], Block[], Block[]]
    expect([run, write, read, ask]).toMatchObject([
      { name: 'run_command', input: { command: 'sleep 9', timeout_seconds: 2 } },
      { name: 'write_file', input: { path: 'a.txt', content: 'Hello' } },
      { name: 'read_file', input: { path: 'a.txt' } },
      { name: 'ask_user', input: { questions: [{ question: 'Which colour?' }] } },
    ])
  })

  it('M3: delegates to several children in one reply, each with the script', async () => {
    const [[...calls] = []] = await playThrough('delegate to 3 children: (talk for 5 words, then fail)')
    expect(calls).toHaveLength(3)
    for (const call of calls)
      expect(call).toMatchObject({ name: 'delegate_task', input: { prompt: 'talk for 5 words, then fail' } })
    expect(shape(await playThrough('spawn 2 children: (fail)'))[0]).toEqual(['spawn_agent', 'spawn_agent'])
  })

  it('M3: repeats the steps before it for ever, every call with its own id', async () => {
    const replies = await playThrough('talk for 2 words, then run `date`, then read a.txt, then loop for ever', 7)
    expect(shape(replies)).toEqual([
      ['text', 'run_command'],
      ['read_file'],
      ['text', 'run_command'],
      ['read_file'],
      ['text', 'run_command'],
      ['read_file'],
      ['text', 'run_command'],
    ])
    const ids = replies.flat().flatMap((block) => (block.type === 'tool-call' ? [block.callId] : []))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('M3: remarks on a call that did not end well, and goes on', async () => {
    const [, second] = await playThrough('run `date`, then talk for 3 words', 10, 'timed-out')
    expect(second?.[0]).toMatchObject({ type: 'text', text: expect.stringContaining('timed-out') })
    expect(second).toHaveLength(3)
  })

  it('M3: a new message is a new script, also when the old one was stopped in the middle', async () => {
    const messages = [
      user('talk for 50 words, then run `date`'),
      assistant({ type: 'text', text: 'This is' }),
      user('read b.txt'),
    ]
    expect(shape([blocksOf(await collect(given().play(requestOf(messages))))])).toEqual([['read_file']])
  })

  it('C14: what Belay tells the model is not taken for the script', async () => {
    const note = '[Belay] The user stopped this turn.'
    for (const message of [user(note, 'read b.txt'), user('read b.txt', note)]) {
      const messages = [user('fail'), assistant({ type: 'text', text: 'x' }), message]
      expect(shape([blocksOf(await collect(given().play(requestOf(messages))))])).toEqual([['read_file']])
    }
    const [first] = await playThrough('run `date`, then read a.txt')
    const [call] = first ?? []
    if (call?.type !== 'tool-call') throw new Error('no call')
    const result: ModelMessage = {
      role: 'tool',
      results: [{ callId: call.callId, name: call.name, status: 'ok', output: '' }],
    }
    const messages = [user('run `date`, then read a.txt'), assistant(call), result, user(note)]
    expect(shape([blocksOf(await collect(given().play(requestOf(messages))))])).toEqual([['read_file']])
  })

  it('M3: answers anything else with an explanation that shows how to write a script', async () => {
    const text = textOf(await collect(given().play(requestOf([user('Hello, who are you?')]))))
    for (const words of ['rehearsal', 'talk for 200 words', '`, then `', 'loop for ever']) expect(text).toContain(words)
    const partly = textOf(await collect(given().play(requestOf([user('fail, then talk for 5 words loudly')]))))
    expect(partly).toContain('talk for 5 words')
  })

  it('M3: says plainly which mode would offer a tool that this session is not offered, and goes on', async () => {
    const request = requestOf([user('run `date`, then write a.txt: b, then spawn 1 child: (fail), then read a.txt')], {
      tools: tools('read_file'),
    })
    const parts = await collect(given().play(request))
    const text = textOf(parts)
    for (const words of [
      'run_command',
      'Full access',
      'write_file',
      'Accept edits',
      'spawn_agent',
      'not available here yet',
    ])
      expect(text).toContain(words)
    expect(shape([blocksOf(parts)])).toEqual([['text', 'text', 'text', 'read_file']])
  })

  it('M3: fails as data when the script says so', async () => {
    const parts = await collect(given().play(requestOf([user('talk for 2 words, then fail')])))
    expect(parts.at(-1)).toMatchObject({ type: 'failure', code: 'provider-error', retryable: false })
  })

  it('M4: hits a rate limit at the first attempt and passes at the second', async () => {
    const messages = [user('hit a rate limit for 90 seconds, then talk for 2 words')]
    expect(await collect(given().play(requestOf(messages)))).toMatchObject([
      { type: 'failure', code: 'rate-limited', retryable: true, retryAfterMs: 90_000 },
    ])
    const again = await collect(given().play(requestOf(messages, { settings: { attempt: 2 } })))
    expect(again.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  })

  it('C11: stops at a word, in the middle of a sleep', async () => {
    const { clock, play } = given()
    const controller = new AbortController()
    clock.beforeWaking = () => {
      if (clock.sleeps.length === 5) controller.abort({ kind: 'user' })
    }
    const parts = await collect(play(requestOf([user('talk for 200 words')]), controller.signal))
    expect(parts.filter((part) => part.type === 'block-delta')).toHaveLength(5)
    expect(clock.sleeps).toHaveLength(5)
  })

  it('C11: a loop without tools ends when it is stopped, also without delays', async () => {
    const controller = new AbortController()
    let words = 0
    const request = requestOf([user('talk for 5 words, then loop for ever')], { model: 'rehearsal/fast' })
    for await (const part of given().play(request, controller.signal)) {
      if (part.type === 'block-delta') words += 1
      if (words === 23) setTimeout(() => controller.abort())
    }
    expect(words).toBeGreaterThan(22)
  })

  it('C11: the deaf step holds the stream for its time, whatever the signal says, and then rests', async () => {
    const { clock, play } = given()
    const controller = new AbortController()
    clock.beforeWaking = (ms) => {
      if (ms === 5000) controller.abort({ kind: 'user' })
    }
    const parts = await collect(
      play(requestOf([user('ignore the signal for 5 seconds, then talk for 50 words')]), controller.signal),
    )
    expect(clock.sleeps.at(-1)).toBe(5000)
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(5000)
    expect(textOf(parts)).toContain('Now I listen again.')
    expect(parts.map((part) => part.type)).not.toContain('finish')
  })

  it('M3: without delays sleeps never, and says the same', async () => {
    const { clock, play } = given()
    const request = requestOf([user('think for 9 words, then talk for 50 words')])
    const fast = await collect(play({ ...request, model: 'rehearsal/fast' }))
    expect(clock.sleeps).toEqual([])
    expect(textOf(fast)).toBe(textOf(await collect(given().play(request))))
  })

  it('M3: reports usage that the same script always has', async () => {
    const parts = await collect(given().play(requestOf([user('talk for 12 words')])))
    const usage = parts.find((part) => part.type === 'usage')
    expect(usage).toMatchObject({ inputTokens: expect.any(Number), outputTokens: expect.any(Number) })
    expect(await collect(given().play(requestOf([user('talk for 12 words')])))).toEqual(parts)
  })
})
