import { describe, expect, it } from 'vitest'
import { agentInterruptReasonOf } from '@/lib/contract/cancel-cause'
import { given, ok, tool } from './support/given'
import { moment, settled } from './support/moments'
import { calls, deafUntil, type ReplyScript, says, saysThenHangs } from './support/scripted-model'

describe('rest', () => {
  it('C11: is reported only when a deaf model and a deaf tool have really settled', async () => {
    const modelDone = moment()
    const toolDone = moment()
    const began = moment()
    const deaf = tool('deaf', async () => {
      began.reach()
      await toolDone.reached
      return ok('finally')
    })
    const { agent, log, model } = given([calls({ id: 'c1', name: 'deaf' }), deafUntil(modelDone.reached)], {
      tools: [deaf],
    })
    let rested = false
    agent.send({ text: 'go' })
    await began.reached
    agent.cancel(undefined, { keepInbox: true })
    void agent.whenIdle().then(() => {
      rested = true
    })
    await settled()
    expect(rested).toBe(false)
    expect(agent.live()).toMatchObject({
      activity: 'stopping',
      waitingOn: [{ kind: 'tool', name: 'deaf', callId: 'c1' }],
    })
    expect(log.types()).not.toContain('turn.end')
    toolDone.reach()
    await agent.whenIdle()

    agent.send({ text: 'again' })
    await model.hasBeenAsked(2)
    agent.cancel()
    await settled()
    expect(agent.live()).toMatchObject({ activity: 'stopping', waitingOn: [{ kind: 'model', name: 'test/model' }] })
    modelDone.reach()
    await agent.whenIdle()
    expect(agent.live()).toEqual({ activity: 'idle', waitingOn: [] })
    expect(log.all('turn.end').map((end) => end.outcome.kind)).toEqual(['aborted', 'aborted'])
  })

  it('C11: a chunk that comes after the abort is not taken, and the stream is closed before the turn ends', async () => {
    const order: string[] = []
    const late: ReplyScript = async function* () {
      try {
        yield { type: 'block-start', block: 0, kind: 'text' }
        yield { type: 'block-delta', block: 0, text: 'before' }
        agentOf().cancel()
        yield { type: 'block-delta', block: 0, text: ' after' }
        order.push('read on')
      } finally {
        await settled()
        order.push('closed')
      }
    }
    const { agent, log } = given(late)
    const agentOf = () => agent
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(order).toEqual(['closed'])
    expect(log.last('assistant.message').blocks).toEqual([{ type: 'text', text: 'before' }])
  })

  const doubles: [string, (done: Promise<void>) => ReplyScript][] = [
    ['rejects with AbortError on the signal', () => saysThenHangs('x')],
    [
      'rejects with another error',
      (done) =>
        async function* () {
          yield { type: 'block-start', block: 0, kind: 'text' }
          await done
          throw new Error('connection reset')
        },
    ],
    ['resolves late with data', (done) => deafUntil(done)],
    [
      'throws synchronously',
      () => () => {
        throw new Error('no promise at all')
      },
    ],
  ]
  it.each(doubles)('S-B1: the running flag is cleared when the provider %s', async (_name, script) => {
    const done = moment()
    const { agent, agents, log, model } = given([script(done.reached), says('fine')])
    const idle: string[] = []
    agents.onStatus((_agent, status) => idle.push(status))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.cancel()
    done.reach()
    await agent.whenIdle()
    expect(log.all('turn.end')).toHaveLength(1)
    expect(idle).toEqual(['running', 'idle'])
    agent.send({ text: 'next' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
  })
})

describe('dispose', () => {
  it('C17: interrupts as disposed, waits for rest and keeps the inbox', async () => {
    const release = moment()
    const { agent, agents, model, log } = given([deafUntil(release.reached), says('after'), says('after')])
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.send({ text: 'waits' })
    let disposed = false
    const ended = agents.dispose(agent.id).then(() => {
      disposed = true
    })
    await settled()
    expect(disposed).toBe(false)
    const [signal] = model.signals
    expect(signal && agentInterruptReasonOf(signal)).toBe('disposed')
    release.reach()
    await ended
    expect(log.last('turn.end').outcome).toEqual({ kind: 'disposed' })
    expect(log.last('note').text).toContain('shut down')
    expect(log.types()).not.toContain('inbox.discarded')
    expect(log.types()).not.toContain('control.requested')
    expect(agents.get(agent.id)).toBeUndefined()

    const again = agents.open(agent.id)
    expect(again.live().activity).toBe('idle')
    again.wake()
    await again.whenIdle()
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('waits')
  })

  it('C8: disposed wins over an earlier cancel', async () => {
    const release = moment()
    const { agent, model, log } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.cancel()
    const ended = agent.dispose()
    release.reach()
    await ended
    expect(log.last('turn.end').outcome).toEqual({ kind: 'disposed' })
    const [signal] = model.signals
    expect(signal && agentInterruptReasonOf(signal)).toBe('user')
  })

  it('C18: never latches: what was sent while a turn wound down waits for the next life', async () => {
    const release = moment()
    const { agent, model, log } = given(deafUntil(release.reached))
    agent.send({ text: 'go' })
    await model.hasBeenAsked(1)
    agent.cancel()
    agent.send({ text: 'latched' })
    const ended = agent.dispose()
    expect(() => agent.send({ text: 'too late' })).toThrow('being closed')
    release.reach()
    await ended
    expect(log.all('turn.start')).toHaveLength(1)
    expect(log.all('inbox.queued')).toHaveLength(2)
  })
})
