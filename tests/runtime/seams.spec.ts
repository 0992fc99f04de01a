import { AsyncLocalStorage } from 'node:async_hooks'
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { AgentHandle } from '@/server/runtime/agent-handle'
import { executionContext, runAs } from '@/server/runtime/execution-context'
import type { Hooks, Seam } from '@/server/runtime/hooks'
import { given, ok, tool } from './support/given'
import { aborted, type Moment, moment, settled } from './support/moments'
import { calls, failsWith, type ReplyScript, says, saysThenHangs } from './support/scripted-model'

/** A seam of a compaction turn is met by asking for one. */
function start(agent: AgentHandle, seam: Seam): void {
  if (seam === 'compaction') agent.compact()
  else agent.send({ text: 'go' })
}

interface Seen {
  readonly signal: AbortSignal
  readonly context: unknown
}

/** One registration per seam: a cooperative listener that tells what it was given and then waits for the signal. */
type Register = (hooks: Hooks, wait: (signal: AbortSignal) => Promise<void>) => void

const seams: Record<Seam, { readonly register: Register; readonly replies?: readonly ReplyScript[] }> = {
  promptSubmit: {
    register: (hooks, wait) =>
      hooks.on('promptSubmit', async (agent, id, blocks, signal, next) => {
        await wait(signal)
        return next(agent, id, blocks, signal)
      }),
  },
  assemblePrompt: {
    register: (hooks, wait) =>
      hooks.on('assemblePrompt', async (agent, request, next) => {
        if (!request.signal) throw new Error('the request value carries the signal')
        await wait(request.signal)
        return next(agent, request)
      }),
  },
  sessionPrefix: {
    register: (hooks, wait) =>
      hooks.on('sessionPrefix', async (agent, signal, next) => {
        await wait(signal)
        return next(agent, signal)
      }),
  },
  beforeStep: {
    register: (hooks, wait) =>
      hooks.on('beforeStep', async (agent, stepId, signal, next) => {
        await wait(signal)
        return next(agent, stepId, signal)
      }),
  },
  request: {
    register: (hooks, wait) =>
      hooks.on('request', async (agent, request, signal, next) => {
        await wait(signal)
        return next(agent, request, signal)
      }),
  },
  modelStream: {
    register: (hooks, wait) =>
      hooks.on('modelStream', async function* (agent, request, signal, next) {
        await wait(signal)
        yield* next(agent, request, signal)
      }),
  },
  requestError: {
    replies: [failsWith({ code: 'provider-error', message: 'It failed.', retryable: true })],
    register: (hooks, wait) =>
      hooks.on('requestError', async (agent, failure, attempt, signal, next) => {
        await wait(signal)
        return next(agent, failure, attempt, signal)
      }),
  },
  stepResult: {
    register: (hooks, wait) =>
      hooks.on('stepResult', async (agent, blocks, signal, next) => {
        await wait(signal)
        return next(agent, blocks, signal)
      }),
  },
  toolExecute: {
    replies: [calls({ id: 'c1', name: 'noop' })],
    register: (hooks, wait) =>
      hooks.on('toolExecute', async (agent, call, signal, next) => {
        await wait(signal)
        return next(agent, call, signal)
      }),
  },
  continueDecision: {
    register: (hooks, wait) =>
      hooks.on('continueDecision', async (agent, called, signal, next) => {
        await wait(signal)
        return next(agent, called, signal)
      }),
  },
  compaction: {
    register: (hooks, wait) =>
      hooks.on('compaction', async (agent, signal, next) => {
        await wait(signal)
        return next(agent, signal)
      }),
  },
  turnStop: {
    register: (hooks, wait) =>
      hooks.on('turnStop', async (agent, signal, next) => {
        await wait(signal)
        return next(agent, signal)
      }),
  },
}
const names = Object.keys(seams) as Seam[]

/** A session whose listener at `seam` waits for the signal in the first turn only. */
async function waitingAt(seam: Seam) {
  const entered: Moment<Seen> = moment()
  const later: AbortSignal[] = []
  const noop = tool('noop', () => Promise.resolve(ok('done')))
  const earlier = seam === 'compaction' ? [says('something to sum up')] : []
  const replies = [...earlier, ...(seams[seam].replies ?? []), says('answer'), says('answer')]
  const world = given(replies, { tools: [noop] })
  if (seam === 'compaction') world.agent.send({ text: 'earlier' })
  await world.agent.whenIdle()
  let first = true
  seams[seam].register(world.hooks, async (signal) => {
    if (!first) {
      later.push(signal)
      return
    }
    first = false
    entered.reach({ signal, context: executionContext() })
    await aborted(signal)
  })
  return { ...world, entered: entered.reached, later }
}

describe('a cooperative listener', () => {
  it.each(names)('C9: settles at seam %s, with identity {agent} and the signal of its turn', async (seam) => {
    const { agent, log, entered, lines } = await waitingAt(seam)
    const ends = log.all('turn.end').length
    start(agent, seam)
    const { signal, context } = await entered
    expect(signal.aborted).toBe(false)
    expect(Object.keys(context as object)).toEqual(['agent'])
    expect((context as { agent: AgentHandle }).agent).toBe(agent)
    expect(agent.live().waitingOn.length).toBeGreaterThan(0)

    expect(agent.cancel().effect).toBe('signalled')
    await agent.whenIdle()

    expect(signal.aborted).toBe(true)
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
    expect(log.all('turn.end')).toHaveLength(ends + 1)
    expect(lines.filter((line) => line.level === 'error')).toEqual([])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each(names)('C9: at seam %s the next turn has a fresh signal', async (seam) => {
    const { agent, log, entered, later } = await waitingAt(seam)
    start(agent, seam)
    const { signal } = await entered
    agent.cancel()
    await agent.whenIdle()
    start(agent, seam)
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    for (const other of later) {
      expect(other).not.toBe(signal)
      expect(other.aborted).toBe(false)
    }
  })

  it('C9: every seam of one turn gets the same signal object, and a tool one that follows it', async () => {
    const noop = tool('noop', () => Promise.resolve(ok('done')))
    const retryable = failsWith({ code: 'provider-error', message: 'It failed.', retryable: true })
    const { agent, hooks, clock, log } = given([retryable, calls({ id: 'c1', name: 'noop' }), says('done')], {
      tools: [noop],
    })
    const seen = new Map<Seam, Set<AbortSignal>>()
    for (const name of names) {
      seams[name].register(hooks, (signal) => {
        seen.set(name, (seen.get(name) ?? new Set()).add(signal))
        return Promise.resolve()
      })
    }
    agent.send({ text: 'go' })
    await settled()
    clock.advance(60_000)
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    const ofPrompts = names.filter((name) => name !== 'compaction')
    expect([...seen.keys()].sort()).toEqual(ofPrompts.sort())
    const own = [...seen].filter(([name]) => name !== 'toolExecute').flatMap(([, signals]) => [...signals])
    expect(new Set(own).size).toBe(1)
  })

  it('C9: a listener that throws ends the turn as failed, not the driver', async () => {
    const { agent, hooks, log } = given([says('one'), says('two')])
    const undo = hooks.on('beforeStep', () => Promise.reject(new Error('a faulty listener')))
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome.kind).toBe('failed')
    undo()
    agent.send({ text: 'again' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome.kind).toBe('completed')
  })

  it('a hook that refuses the prompt ends the turn as blocked, and the model never hears of it', async () => {
    const { agent, hooks, log, model } = given([says('next')])
    const undo = hooks.on('promptSubmit', () => Promise.resolve({ kind: 'blocked', reason: 'No secrets, please.' }))
    agent.send({ text: 'my password is x' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'blocked' })
    expect(log.last('note')).toMatchObject({ for: 'person', text: 'No secrets, please.' })
    undo()
    agent.send({ text: 'hello' })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests)).not.toContain('password')
  })
})

describe('the ambient context', () => {
  it('C10: keeps concurrent agents apart', async () => {
    const one = given(saysThenHangs('one'))
    const two = given(saysThenHangs('two'))
    const seen = new Map<string, unknown>()
    for (const [name, world] of [['one', one] as const, ['two', two] as const]) {
      world.hooks.on('modelStream', async function* (agent, request, signal, next) {
        await settled()
        seen.set(name, executionContext()?.agent)
        yield* next(agent, request, signal)
      })
      world.agent.send({ text: 'go' })
    }
    await Promise.all([one.model.hasSaid('one'), two.model.hasSaid('two')])
    expect(seen.get('one')).toBe(one.agent)
    expect(seen.get('two')).toBe(two.agent)
    expect(executionContext()).toBeUndefined()
    one.agent.cancel()
    expect(two.model.signals[0]?.aborted).toBe(false)
    await Promise.all([one.agent.whenIdle(), two.agent.dispose()])
  })

  it('C10: lets a nested identity shadow its parent and nothing more', async () => {
    const { agent: parent } = given()
    const { agent: child } = given()
    const seen = await runAs(parent, async () => {
      const inner = await runAs(child, async () => {
        await settled()
        return executionContext()
      })
      return [inner, executionContext()] as const
    })
    expect(seen[0]).toEqual({ agent: child })
    expect(seen[1]).toEqual({ agent: parent })
    expect(Object.isFrozen(seen[0])).toBe(true)
    expect(new AsyncLocalStorage().getStore()).toBeUndefined()
  })
})
