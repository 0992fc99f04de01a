import { describe, expect, it } from 'vitest'
import { agentInterruptReasonOf } from '@/lib/contract/cancel-cause'
import type { ModelPart } from '@/server/runtime/ports'
import { given, ok, tool } from './support/given'
import { aborted, moment, settled } from './support/moments'
import { calls, deafUntil, type ReplyScript, says, saysThenHangs } from './support/scripted-model'

describe('a cancel', () => {
  it('C3: is installed before running is announced, and the next turn has a fresh signal', async () => {
    const { agent, agents, model, log } = given([saysThenHangs('one'), says('two')])
    const effects: string[] = []
    agents.onStatus((_agent, status) => {
      if (status === 'running' && effects.length === 0)
        effects.push(agent.cancel(undefined, { keepInbox: true }).effect)
    })
    agent.send({ text: 'a' })
    await agent.whenIdle()
    expect(effects).toEqual(['signalled'])
    expect(log.types()).not.toContain('turn.start')

    agent.wake()
    await model.hasSaid('one')
    agent.cancel()
    await agent.whenIdle()
    agent.send({ text: 'b' })
    await agent.whenIdle()
    expect(model.signals).toHaveLength(2)
    expect(model.signals[0]).not.toBe(model.signals[1])
    expect(model.signals[1]?.aborted).toBe(false)
  })

  it('C3: the same signal covers the flush that follows turn.end, and is cleared after it', async () => {
    const { agent, log, model } = given(says('done'))
    const flushing = moment<AbortSignal>()
    const release = moment()
    log.flushing = (signal) => {
      flushing.reach(signal)
      return release.reached
    }
    agent.send({ text: 'go' })
    expect(await flushing.reached).toBe(model.signals[0])
    expect(agent.live().activity).toBe('running')
    release.reach()
    await agent.whenIdle()
    expect(agent.cancel().effect).toBe('none')
    expect(model.signals[0]?.aborted).toBe(false)
  })

  it('C4: lets only the first cause count when a parent cancels after the user, and clears what was queued since', async () => {
    const release = moment()
    const { agent, model, log } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)

    expect(agent.cancel({ kind: 'user' }).effect).toBe('signalled')
    agent.send({ text: 'queued since' })
    expect(agent.cancel({ kind: 'parent' })).toEqual({ effect: 'already-signalled', discarded: 1 })

    release.reach()
    await agent.whenIdle()
    const [signal] = model.signals
    expect(signal && agentInterruptReasonOf(signal)).toBe('user')
    expect(log.all('control.requested')).toHaveLength(1)
    expect(log.all('turn.start')).toHaveLength(1)
  })

  it('C4: a repeated cancel with keepInbox leaves what was queued since', async () => {
    const release = moment()
    const { agent, model } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.cancel()
    agent.send({ text: 'queued since' })
    expect(agent.cancel(undefined, { keepInbox: true }).discarded).toBe(0)
    release.reach()
    await agent.whenIdle()
    expect(agent.wake()).toBe('woken')
    await agent.whenIdle()
    expect(model.requests).toHaveLength(2)
  })

  it('C5: clears the follow-ups and steers that exist, not injects and not what comes later', async () => {
    const { agent, model, log } = given([saysThenHangs('Hello'), says('later')])
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    const followUp = agent.send({ text: 'follow-up' })
    const steer = agent.send({ text: 'steer', delivery: 'steer' })
    agent.send({ text: 'inject', delivery: 'inject' })

    expect(agent.cancel().discarded).toBe(2)
    expect(log.last('inbox.discarded')).toEqual({ messageIds: [followUp, steer], reason: 'cancelled' })
    await agent.whenIdle()

    agent.send({ text: 'later' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('inject')
  })

  it('C5: on an idle agent does not poison the next prompt', async () => {
    const { agent, log } = given(says('fine'))
    expect(agent.cancel()).toEqual({ effect: 'none', discarded: 0 })
    expect(log.types()).toEqual(['session.created'])
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
  })

  it('C6: before the claim opens no turn and discards the work', async () => {
    const { agent, log, model } = given()
    agent.send({ text: 'go' })
    expect(agent.cancel()).toMatchObject({ effect: 'signalled', discarded: 1 })
    await agent.whenIdle()
    expect(log.types()).toEqual(['session.created', 'inbox.queued', 'control.requested', 'inbox.discarded'])
    expect(log.last('control.requested').turnId).toBeNull()
    expect(model.requests).toHaveLength(0)
  })

  it('C6: before the claim with keepInbox parks the work', async () => {
    const { agent, log, model } = given(says('now'))
    agent.send({ text: 'go' })
    agent.cancel(undefined, { keepInbox: true })
    await agent.whenIdle()
    expect(log.types()).not.toContain('turn.start')
    expect(agent.wake()).toBe('woken')
    await agent.whenIdle()
    expect(model.requests).toHaveLength(1)
  })

  it('C6: an abort while the last tool result is under way is aborted also when nothing threw', async () => {
    const going = moment()
    const politely = tool('polite', async (_input, context) => {
      going.reach()
      await aborted(context.signal)
      return ok('ended well')
    })
    const { agent, log } = given([calls({ id: 'c1', name: 'polite' }), says('never')], { tools: [politely] })
    agent.send({ text: 'go' })
    await going.reached
    agent.cancel()
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
    expect(log.last('tool.end')).toMatchObject({ status: 'ok', output: 'ended well' })
  })

  it('C6: after turn.end the outcome stands, the signal ends the flush, and no further turn opens', async () => {
    const { agent, log, model } = given([says('done'), says('never')])
    const flushing = moment()
    log.flushing = async (signal) => {
      flushing.reach()
      await aborted(signal)
      throw signal.reason
    }
    agent.send({ text: 'go' })
    agent.send({ text: 'next' })
    await flushing.reached
    expect(agent.cancel(undefined, { keepInbox: true }).effect).toBe('signalled')
    await agent.whenIdle()
    expect(log.all('turn.end')).toHaveLength(1)
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
    expect(log.last('control.requested').turnId).toBeNull()
    expect(model.requests).toHaveLength(1)
  })

  it('C6: a replacement sent by a listener of running runs under a fresh owner', async () => {
    const { agent, agents, log, model } = given(says('the replacement'))
    let replaced = false
    agents.onStatus((_agent, status) => {
      if (status !== 'running' || replaced) return
      replaced = true
      agent.cancel()
      agent.send({ text: 'replacement' })
    })
    agent.send({ text: 'old' })
    await agent.whenIdle()
    expect(model.requests).toHaveLength(1)
    expect(model.signals[0]?.aborted).toBe(false)
    expect(log.all('user.message').map((message) => message.blocks[0]?.text)).toEqual(['replacement'])
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
  })

  it('C7: leaves nothing but the coarse outcome in the log, whatever the provider threw', async () => {
    const throwsBodies: ReplyScript = async function* (_request, signal) {
      yield* says('x')(_request, signal)
      throw Object.assign(new Error('secret backend detail at /srv/app.js:1'), { body: 'raw body', stack: 'at secret' })
    }
    const dies: ReplyScript = async function* () {
      yield { type: 'block-start', block: 0, kind: 'text' } as ModelPart
      throw Object.assign(new Error('secret backend detail'), { body: 'raw body' })
    }
    const { agent, log } = given([saysThenHangs('Hello'), throwsBodies, dies])
    agent.send({ text: 'one' })
    await settled()
    agent.cancel()
    await agent.whenIdle()
    expect(log.last('turn.end')).toEqual({ turnId: expect.any(String), outcome: { kind: 'aborted' } })
    agent.send({ text: 'two' })
    await agent.whenIdle()
    agent.send({ text: 'three' })
    await agent.whenIdle()
    expect(JSON.stringify(log.events)).not.toMatch(/secret|raw body|AbortError/)
    expect(log.last('turn.end').outcome).toMatchObject({ kind: 'failed', code: 'provider-error' })
  })

  const shapes: [string, (signal: AbortSignal) => unknown][] = [
    ['an AbortError', () => new DOMException('aborted', 'AbortError')],
    ['a wrapped error', (signal) => new Error('API call failed', { cause: signal.reason })],
    ['a string', () => 'socket hang up'],
    ['the reason itself', (signal) => signal.reason],
    ['nothing at all', () => undefined],
  ]
  it.each(shapes)('C8: the signal decides, not the shape of the error: %s', async (_name, error) => {
    const { agent, log, model, lines } = given(async function* (_request, signal) {
      yield { type: 'block-start', block: 0, kind: 'text' }
      yield { type: 'block-delta', block: 0, text: 'Hello' }
      await aborted(signal)
      throw error(signal)
    })
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.cancel()
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
    expect(lines.filter((line) => line.level === 'error')).toEqual([])
  })

  it('C8: an AbortError without an abort is a failure', async () => {
    const { agent, log } = given(async function* () {
      yield { type: 'block-start', block: 0, kind: 'text' }
      throw new DOMException('aborted', 'AbortError')
    })
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome.kind).toBe('failed')
  })

  it('C12: writes no line at error level and leaves no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const { agent, model, lines } = given([saysThenHangs('Hello')])
      agent.send({ text: 'go' })
      await model.hasSaid('Hello')
      agent.cancel()
      await agent.whenIdle()
      await settled()
      expect(unhandled).toEqual([])
      expect(lines.filter((line) => line.level !== 'info')).toEqual([])
    } finally {
      process.off('unhandledRejection', note)
    }
  })

  it('S-C4: ten presses equal one, with one end and one idle, and the late one says that nothing ran', async () => {
    const { agent, agents, model, log } = given(saysThenHangs('Hello'))
    const idles: string[] = []
    agents.onStatus((_agent, status) => idles.push(status))
    agent.send({ text: 'go' })
    await model.hasSaid('Hello')
    agent.send({ text: 'a' })
    agent.send({ text: 'b' })
    const effects = Array.from({ length: 10 }, () => agent.cancel(undefined, { keepInbox: true }).effect)
    await agent.whenIdle()
    expect(effects).toEqual(['signalled', ...Array(9).fill('already-signalled')])
    expect(agent.cancel(undefined, { keepInbox: true })).toEqual({ effect: 'none', discarded: 0 })
    expect(log.all('turn.end')).toHaveLength(1)
    expect(log.all('control.requested')).toHaveLength(1)
    expect(log.types()).not.toContain('inbox.discarded')
    expect(idles).toEqual(['running', 'idle'])
  })
})
