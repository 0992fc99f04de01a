import { describe, expect, it } from 'vitest'
import type { EventData } from '@/lib/contract/events'
import { given, ok, tool } from './support/given'
import { moment, settled } from './support/moments'
import { calls, deafUntil, failsWith, says, saysThenHangs } from './support/scripted-model'

const textsOf = (messages: EventData<'user.message'>[]) => messages.map((message) => message.blocks[0]?.text)
const fatal = failsWith({ code: 'provider-rejected', message: 'The provider refused.', retryable: false })

describe('the queue', () => {
  it('C18: a message sent while a cancelled turn winds down runs by itself, behind retained work', async () => {
    const release = moment()
    const { agent, log, model } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.send({ text: 'retained' })
    agent.cancel(undefined, { keepInbox: true })
    agent.send({ text: 'latched' })
    release.reach()
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'retained', 'latched'])
    expect(log.all('turn.end').map((end) => end.outcome.kind)).toEqual(['aborted', 'completed', 'completed'])
  })

  it('C18: a later cancel clears the latch and keeps the message, parked', async () => {
    const release = moment()
    const { agent, log, model } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.cancel(undefined, { keepInbox: true })
    agent.send({ text: 'latched' })
    agent.cancel(undefined, { keepInbox: true })
    release.reach()
    await agent.whenIdle()
    expect(log.all('turn.start')).toHaveLength(1)
    expect(agent.wake()).toBe('woken')
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'latched'])
  })

  it('C18: a wake from a listener of idle is not lost', async () => {
    const { agent, agents, log } = given()
    let sent = false
    agents.onStatus((_agent, status) => {
      if (status !== 'idle' || sent) return
      sent = true
      agent.send({ text: 'from the idle listener' })
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'from the idle listener'])
  })

  it('C20: goes on after completed and truncated, and parks after every other outcome', async () => {
    const { agent, log, model } = given([says('done'), says('cut', 'length'), fatal, says('resumed')])
    for (const text of ['a', 'b', 'c', 'd']) agent.send({ text })
    await agent.whenIdle()
    expect(log.all('turn.end').map((end) => end.outcome.kind)).toEqual(['completed', 'truncated', 'failed'])
    expect(model.requests).toHaveLength(3)
    expect(agent.wake()).toBe('woken')
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['a', 'b', 'c', 'd'])
  })

  it('C20: a steer joins the running turn at its next step', async () => {
    const started = moment()
    const go = moment()
    const slow = tool('slow', async () => {
      started.reach()
      await go.reached
      return ok('done')
    })
    const { agent, log, model } = given([calls({ id: 'c1', name: 'slow' }), says('steered')], { tools: [slow] })
    agent.send({ text: 'go' })
    await started.reached
    agent.send({ text: 'to the left', delivery: 'steer' })
    go.reach()
    await agent.whenIdle()
    expect(log.all('turn.start')).toHaveLength(1)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', blocks: [{ text: 'to the left' }] })
  })

  it('C20: a steer that arrives during the last reply, the continue decision or the turn stop gets one more step', async () => {
    const { agent, hooks, log, model } = given([says('one'), says('two'), says('three'), says('four')])
    const seen: string[] = []
    const once = (name: string) => {
      if (seen.includes(name)) return
      seen.push(name)
      agent.send({ text: name, delivery: 'steer' })
    }
    hooks.on('stepResult', async (_agent, _blocks, _signal, next) => {
      once('during the reply')
      return next(_agent, _blocks, _signal)
    })
    hooks.on('continueDecision', async (_agent, _called, _signal, next) => {
      once('at the decision')
      return next(_agent, _called, _signal)
    })
    hooks.on('turnStop', async (_agent, _signal, next) => {
      once('at the stop')
      return next(_agent, _signal)
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(model.requests).toHaveLength(4)
    expect(log.all('turn.start')).toHaveLength(1)
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'during the reply', 'at the decision', 'at the stop'])
  })

  it('C20: a steer that finds no step any more is the next follow-up, at its place', async () => {
    const { agent, log, model } = given([saysThenHangs('Hello')])
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.send({ text: 'first follow-up' })
    agent.send({ text: 'steer', delivery: 'steer' })
    agent.send({ text: 'last follow-up' })
    agent.cancel(undefined, { keepInbox: true })
    await agent.whenIdle()
    agent.wake()
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'first follow-up', 'steer', 'last follow-up'])
    expect(log.all('turn.start')).toHaveLength(4)
  })

  it('C20: on an idle session a steer is a follow-up', async () => {
    const { agent, log } = given()
    agent.send({ text: 'go', delivery: 'steer' })
    await agent.whenIdle()
    expect(log.last('inbox.queued').delivery).toBe('follow-up')
    expect(log.last('turn.end').outcome.kind).toBe('completed')
  })

  it('C20: a steer accepted before the claim, and parked there, keeps a turn of its own', async () => {
    const { agent, log } = given()
    agent.send({ text: 'first' })
    agent.send({ text: 'steer before the claim', delivery: 'steer' })
    agent.cancel(undefined, { keepInbox: true })
    await agent.whenIdle()
    agent.wake()
    await agent.whenIdle()
    expect(log.all('inbox.claimed').map((claimed) => claimed.messageIds.length)).toEqual([1, 1])
  })

  it('C13: a listener that wants one more step without anything new gets a request that ends in something to answer', async () => {
    const { agent, hooks, log, model } = given([says('complete'), says('and more')])
    let asked = false
    hooks.on('continueDecision', async (_agent, _called, _signal, next) => {
      if (asked) return next(_agent, _called, _signal)
      asked = true
      return 'continue'
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(model.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      blocks: [{ type: 'text', text: '[Belay] Go on with the task.' }],
    })
    expect(log.last('turn.end').outcome.kind).toBe('completed')
  })

  it('C13: a steer refused after a complete reply asks for no further step', async () => {
    const { agent, hooks, log, model } = given([says('complete')])
    hooks.on('promptSubmit', async (_agent, _id, blocks, _signal, next) =>
      blocks[0]?.text === 'refused' ? { kind: 'blocked' as const, reason: 'no' } : next(_agent, _id, blocks, _signal),
    )
    hooks.on('stepResult', async (_agent, _blocks, _signal, next) => {
      agent.send({ text: 'refused', delivery: 'steer' })
      return next(_agent, _blocks, _signal)
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(model.requests).toHaveLength(1)
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
  })

  it('an inject wakes nobody, is not counted and rides with the next request', async () => {
    const { agent, log, model } = given()
    agent.send({ text: 'context', delivery: 'inject' })
    await settled()
    expect(log.types()).not.toContain('turn.start')
    expect(agent.wake()).toBe('none')
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests[0]?.messages)).toMatch(/context.*go|go.*context/)
  })

  it('S-D3: after a cancel with keepInbox nothing starts by itself; a resume plays A then B, a new message plays A, B, C', async () => {
    for (const then of ['resume', 'send'] as const) {
      const { agent, log, model } = given([saysThenHangs('Hello')])
      agent.send({ text: 'go' })
      await model.hasSaid('Hello')
      agent.send({ text: 'A' })
      agent.send({ text: 'B' })
      agent.cancel(undefined, { keepInbox: true })
      await agent.whenIdle()
      await settled()
      expect(model.requests).toHaveLength(1)
      if (then === 'resume') agent.wake()
      else agent.send({ text: 'C' })
      await agent.whenIdle()
      expect(textsOf(log.all('user.message'))).toEqual(then === 'resume' ? ['go', 'A', 'B'] : ['go', 'A', 'B', 'C'])
    }
  })

  it('edits, moves and removes what waits, and refuses once it has been claimed', async () => {
    const { agent, log, model } = given([saysThenHangs('Hello')])
    const claimed = agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    const [a, b, c] = ['a', 'b', 'c'].map((text) => agent.send({ text }))
    if (!a || !b || !c) throw new Error('three messages were sent')
    expect(agent.edit(claimed, { text: 'late' })).toBe(false)
    expect(agent.remove(claimed)).toBe(false)
    expect(agent.edit(c, { position: 0, text: 'C' })).toBe(true)
    expect(agent.remove(a)).toBe(true)
    agent.cancel(undefined, { keepInbox: true })
    await agent.whenIdle()
    agent.wake()
    await agent.whenIdle()
    expect(textsOf(log.all('user.message'))).toEqual(['go', 'C', 'b'])
  })

  it('gives the same clientId the same answer for ever, also in a later life of the agent', async () => {
    const { agent, agents, log } = given()
    const first = agent.send({ text: 'go', clientId: 'tab-1' })
    expect(agent.send({ text: 'go', clientId: 'tab-1' })).toBe(first)
    await agent.whenIdle()
    await agents.dispose(agent.id)
    expect(agents.open(agent.id).send({ text: 'go', clientId: 'tab-1' })).toBe(first)
    expect(log.all('inbox.queued')).toHaveLength(1)
  })

  it('C14: a note about an earlier turn survives when the turn that carried it is replaced', async () => {
    const { agent, log, model } = given([saysThenHangs('half an answer'), saysThenHangs(''), says('done')])
    agent.send({ text: 'first' })
    await model.hasSaid('half an answer')
    agent.cancel()
    await agent.whenIdle()
    agent.send({ text: 'second tpyo' })
    await model.hasBeenAsked(2)
    agent.cancel()
    await agent.whenIdle()
    agent.send({ text: 'second', replaces: log.last('turn.end').turnId })
    await agent.whenIdle()
    const last = model.requests[2]?.messages.at(-1)
    expect(last).toMatchObject({
      role: 'user',
      blocks: [{ text: expect.stringContaining('The user stopped') }, { text: 'second' }],
    })
    expect(JSON.stringify(model.requests[2]?.messages)).not.toContain('tpyo')
  })

  it('replaces: leaves the named turn out of the prompt once its replacement is said', async () => {
    const { agent, log, model } = given([saysThenHangs('wrong way'), says('right way'), says('more')])
    agent.send({ text: 'first try' })
    await model.hasSaid('wrong way')
    agent.cancel()
    await agent.whenIdle()
    agent.send({ text: 'second try', replaces: log.last('turn.end').turnId })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests[1]?.messages)).not.toMatch(/first try|wrong way|stopped/)
    expect(model.requests[1]?.messages).toMatchObject([{ role: 'user', blocks: [{ text: 'second try' }] }])
  })
})
