import { describe, expect, it } from 'vitest'
import { agentInterruptReasonOf, normalizeCancelCause } from '@/lib/contract/cancel-cause'
import { given } from './support/given'
import { saysThenHangs } from './support/scripted-model'

describe('the cancel cause', () => {
  it('C1: is user when nothing is said', () => {
    expect(normalizeCancelCause(undefined)).toEqual({ kind: 'user' })
  })

  it('C1: knows user and parent, from plain and from null-prototype objects', () => {
    expect(normalizeCancelCause({ kind: 'parent' })).toEqual({ kind: 'parent' })
    expect(normalizeCancelCause(Object.assign(Object.create(null), { kind: 'user' }))).toEqual({ kind: 'user' })
  })

  it('C2: is a new frozen object that shares nothing with what the caller gave', () => {
    const mine = { kind: 'user' }
    const accepted = normalizeCancelCause(mine)
    mine.kind = 'parent'
    expect(accepted).not.toBe(mine)
    expect(accepted).toEqual({ kind: 'user' })
    expect(Object.isFrozen(accepted)).toBe(true)
  })

  class Cause {
    kind = 'user'
  }
  const hidden = Object.defineProperty({}, 'kind', { value: 'user', enumerable: false })
  const getter = Object.defineProperty({}, 'kind', { get: () => 'user', enumerable: true })
  const refused: [string, unknown][] = [
    ['a string', 'user'],
    ['null', null],
    ['a number', 1],
    ['true', true],
    ['an array', ['user']],
    ['a class instance', new Cause()],
    ['an Error', Object.assign(new Error('x'), { kind: 'user' })],
    ['an AbortSignal', AbortSignal.abort()],
    ['a getter', getter],
    ['a hidden property', hidden],
    ['an extra key', { kind: 'user', why: 'x' }],
    ['a symbol key', { kind: 'user', [Symbol('x')]: 1 }],
    ['no key', {}],
    ['{kind: "disposed"}', { kind: 'disposed' }],
    ['an unknown kind', { kind: 'timeout' }],
    ['a String object as kind', { kind: Object('user') }],
    ['an inherited kind', Object.create({ kind: 'user' })],
    ['a function', () => ({ kind: 'user' })],
  ]

  it.each(refused)('C2: refuses %s, also while the agent is idle, and changes nothing', async (_name, cause) => {
    const { agent, log } = given(saysThenHangs('x'))
    agent.send({ text: 'first' })
    agent.cancel()
    await agent.whenIdle()
    agent.send({ text: 'kept', delivery: 'inject' })
    const before = log.events.length
    expect(() => agent.cancel(cause)).toThrow(TypeError)
    expect(log.events.length).toBe(before)
  })

  it.each(refused)('C2: refuses %s while a turn runs, and the turn runs on', async (_name, cause) => {
    const { agent, log, model } = given(saysThenHangs('Hello'))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.send({ text: 'waits' })
    const before = log.events.length

    expect(() => agent.cancel(cause)).toThrow(TypeError)

    expect(log.events.length).toBe(before)
    expect(model.signals[0]?.aborted).toBe(false)
    expect(agent.live().activity).toBe('running')
    await agent.dispose()
  })

  it('C2: is the reason of the turn signal', async () => {
    const { agent, model } = given(saysThenHangs('Hello'))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.cancel({ kind: 'parent' })
    expect(model.signals[0]?.reason).toEqual({ kind: 'parent' })
    expect(Object.isFrozen(model.signals[0]?.reason)).toBe(true)
    await agent.whenIdle()
  })

  it('C17: the reason is read from the given signal only, and a foreign one is no reason', () => {
    const by = (reason: unknown) => agentInterruptReasonOf(AbortSignal.abort(reason))
    expect(by(normalizeCancelCause({ kind: 'parent' }))).toBe('parent')
    expect(by(new DOMException('x', 'AbortError'))).toBeUndefined()
    expect(by({ kind: 'user' })).toBeUndefined()
    expect(by('user')).toBeUndefined()
    expect(agentInterruptReasonOf(new AbortController().signal)).toBeUndefined()
  })
})
