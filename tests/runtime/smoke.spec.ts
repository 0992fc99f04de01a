import { expect, it } from 'vitest'
import { given } from './support/given'
import { says, saysThenHangs } from './support/scripted-model'

it('C14: keeps the words already streamed and tells the next request that the user stopped there', async () => {
  const { agent, log, model, drafts } = given([saysThenHangs('Hello '), says('Welcome back')])
  agent.send({ text: 'hi' })
  await model.hasSaid('Hello ')

  agent.cancel()
  await agent.whenIdle()

  expect(log.last('assistant.message')).toMatchObject({ partial: true, blocks: [{ type: 'text', text: 'Hello ' }] })
  expect(log.last('turn.end').outcome).toEqual({ kind: 'aborted' })
  expect(log.types().slice(-2)).toEqual(['turn.end', 'note'])
  expect(drafts.openDrafts.size).toBe(0)

  agent.send({ text: 'go on' })
  await agent.whenIdle()
  expect(model.requests[1]?.messages).toMatchObject([
    { role: 'user', blocks: [{ text: 'hi' }] },
    { role: 'assistant', blocks: [{ text: 'Hello ' }] },
    {
      role: 'user',
      blocks: [{ text: expect.stringContaining('The user stopped your previous turn.') }, { text: 'go on' }],
    },
  ])
})
