import { describe, expect, it } from 'vitest'
import { given } from './support/given'
import { settled } from './support/moments'
import { failsWith, says } from './support/scripted-model'

const limited = (retryAfterMs?: number) =>
  failsWith({
    code: 'rate-limited',
    message: 'The provider asks for a pause.',
    retryable: true,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })

describe('back-off', () => {
  it('C15: S-F3: a wait of 60 s ends at once, with no further attempt and no live timer', async () => {
    const { agent, clock, log, model } = given([limited(60_000), says('never')])
    agent.send({ text: 'go' })
    await settled()
    expect(clock.sleeping).toBe(1)
    expect(log.last('retry.waiting')).toMatchObject({ attempt: 1, until: '2026-01-01T00:01:00.000Z' })
    expect(agent.live().waitingOn).toMatchObject([{ kind: 'retry' }])
    agent.cancel()
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
    expect(clock.sleeping).toBe(0)
    clock.advance(120_000)
    await settled()
    expect(model.requests).toHaveLength(1)
  })

  it('M4: tries again after the wait and says why it waited', async () => {
    const { agent, clock, log, model } = given([limited(), limited(), says('at last')])
    agent.send({ text: 'go' })
    for (let wait = 0; wait < 2; wait++) {
      await settled()
      clock.advance(60_000)
    }
    await agent.whenIdle()
    expect(model.requests).toHaveLength(3)
    expect(log.all('step.start').map((step) => step.attempt)).toEqual([1, 2, 3])
    expect(new Set(log.all('step.start').map((step) => step.stepId)).size).toBe(1)
    expect(log.all('step.end')).toHaveLength(1)
    expect(log.last('turn.end').outcome).toEqual({ kind: 'completed' })
  })

  it('M4: a delay longer than 60 s is not slept: the turn fails and says when to try again', async () => {
    const { agent, clock, log } = given(limited(3_600_000))
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(clock.sleeping).toBe(0)
    expect(log.last('turn.end').outcome).toMatchObject({
      kind: 'failed',
      code: 'rate-limited',
      message: expect.stringContaining('2026-01-01T01:00:00.000Z'),
    })
  })

  it('M4: S-F3: a wait beyond all dates is rate-limited too', async () => {
    const { agent, log } = given(limited(1e16))
    agent.send({ text: 'go' })
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toMatchObject({ kind: 'failed', code: 'rate-limited' })
  })

  it('M4: gives up after five attempts, and at once where it is not safe', async () => {
    const { agent, clock, log, model } = given([limited(), limited(), limited(), limited(), limited(), says('never')])
    agent.send({ text: 'go' })
    for (let wait = 0; wait < 5; wait++) {
      await settled()
      clock.advance(60_000)
    }
    await agent.whenIdle()
    expect(model.requests).toHaveLength(5)
    expect(log.last('turn.end').outcome).toMatchObject({ kind: 'failed', code: 'rate-limited' })

    const shown = given(async function* () {
      yield { type: 'block-start', block: 0, kind: 'text' }
      yield { type: 'block-delta', block: 0, text: 'already shown' }
      yield { type: 'failure', code: 'provider-error', message: 'It broke.', retryable: true }
    })
    shown.agent.send({ text: 'go' })
    await shown.agent.whenIdle()
    expect(shown.model.requests).toHaveLength(1)
    expect(shown.log.last('turn.end').outcome.kind).toBe('failed')
  })
})
