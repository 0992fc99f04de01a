import { describe, expect, it } from 'vitest'
import { emptyPrompt, foldPrompt, promptMessages } from '@/lib/projection/prompt'
import { type Given, given } from './support/given'
import { moment, settled } from './support/moments'
import { deafUntil, failsWith, type ReplyScript, says, saysThenHangs } from './support/scripted-model'

/** A session with one completed turn, and what its model says next. */
async function talked(...next: readonly ReplyScript[]): Promise<Given> {
  const world = given([says('the first answer'), ...next])
  world.agent.send({ text: 'the first question' })
  await world.agent.whenIdle()
  return world
}

describe('a compaction', () => {
  it('C15: is a turn of its own kind whose summary takes the place of the conversation', async () => {
    const { agent, log, model } = await talked(says('We spoke once.'), says('next'))
    expect(agent.compact()).toBe('woken')
    await agent.whenIdle()
    expect(log.last('turn.start').kind).toBe('compaction')
    expect(log.last('compaction.done').summary).toBe('We spoke once.')
    agent.send({ text: 'go on' })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('We spoke once.')
    expect(JSON.stringify(model.requests[2]?.messages)).not.toMatch(/first (question|answer)|Sum up/)
  })

  it('C15: stopped in mid summary it changes nothing, ends as aborted, and the next turn works', async () => {
    const { agent, log, model } = await talked(saysThenHangs('We spo'), says('next'))
    agent.compact()
    await model.hasSaid('We spo')
    expect(agent.cancel().effect).toBe('signalled')
    await agent.whenIdle()
    expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
    expect(log.types()).not.toContain('compaction.done')
    agent.send({ text: 'go on' })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests[2]?.messages)).toMatch(/first question.*first answer.*go on/)
    expect(JSON.stringify(model.requests[2]?.messages)).not.toMatch(/We spo|Sum up/)
  })

  it('C15: a failed one changes nothing', async () => {
    const { agent, log, model } = await talked(
      failsWith({ code: 'provider-error', message: 'It failed.', retryable: true }),
      says('next'),
    )
    agent.compact()
    await agent.whenIdle()
    expect(log.last('turn.end').outcome.kind).toBe('failed')
    agent.send({ text: 'go on' })
    await agent.whenIdle()
    expect(JSON.stringify(model.requests[2]?.messages)).toContain('the first answer')
  })

  it('C15: leaves a parked queue parked', async () => {
    const { agent, log, model } = await talked(saysThenHangs('x'), says('summary'), says('A'))
    agent.send({ text: 'stopped' })
    await model.hasSaid('x')
    agent.send({ text: 'A' })
    agent.cancel(undefined, { keepInbox: true })
    await agent.whenIdle()
    agent.compact()
    await agent.whenIdle()
    await settled()
    expect(log.all('turn.start').map((start) => start.kind)).toEqual(['prompt', 'prompt', 'compaction'])
    agent.wake()
    await agent.whenIdle()
    expect(log.all('user.message').at(-1)?.blocks[0]?.text).toBe('A')
  })

  it('C15: C18: a message sent while it runs is the next turn, unless a later cancel parks it', async () => {
    for (const then of ['finish', 'cancel'] as const) {
      const hold = moment()
      const { agent, log, model } = await talked(deafUntil(hold.reached, 'summary'), says('B'))
      agent.compact()
      await model.hasBeenAsked(2)
      agent.send({ text: 'B' })
      if (then === 'cancel') agent.cancel(undefined, { keepInbox: true })
      hold.reach()
      await agent.whenIdle()
      expect(log.all('turn.start').map((start) => start.kind)).toEqual(
        then === 'cancel' ? ['prompt', 'compaction'] : ['prompt', 'compaction', 'prompt'],
      )
    }
  })

  it('C15: cancelled before it begins it never begins, and it is refused while a turn runs', async () => {
    const { agent, log, model } = await talked(saysThenHangs('busy'))
    agent.compact()
    agent.cancel()
    await agent.whenIdle()
    expect(log.all('turn.start')).toHaveLength(1)
    agent.send({ text: 'go' })
    await model.hasSaid('busy')
    expect(() => agent.compact()).toThrow('A turn is running')
    await agent.dispose()
  })

  it('L4: its request too can be rebuilt from the log', async () => {
    const { agent, log, model } = await talked(says('summary'))
    agent.compact()
    await agent.whenIdle()
    const start = log.events.findLast((event) => event.type === 'step.start')
    const before = log.events.filter((event) => event.seq <= (start?.seq ?? 0))
    expect(promptMessages(before.reduce(foldPrompt, emptyPrompt))).toEqual(model.requests[1]?.messages)
  })
})
