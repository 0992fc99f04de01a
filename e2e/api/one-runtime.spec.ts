/** Every route, the start-up hook and the stream share one runtime in the production build. */
import { expect, test } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { saysThenHangs } from '../support/scripted-models'

const given = givenBelay()

test('S-L4: in production a turn sent through one route is stopped through another and listed by a third, with one runtime id', async () => {
  const { api } = given
  const model = given.models.script(saysThenHangs('Here. '))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  const hello = await reading.until((frame) => frame.event === 'hello')
  await api.send(id, 'go')
  await reading.text(id, (text) => text !== '')
  const health = await api.health()
  expect(hello.data).toMatchObject({ runtimeId: health.runtimeId })
  expect(health.activeTurns).toBe(1)
  const running = await api.sessions('?activity=running')
  expect(running.map((session) => session.id)).toEqual([id])

  expect(await api.cancel(id)).toMatchObject({ effect: 'signalled' })
  await reading.event('turn.end')
  await reading.summary(id, (session) => session.activity === 'idle' && session.lastOutcome !== null)
  expect(await api.sessions('?activity=running,stopping')).toEqual([])
  expect(await api.health()).toMatchObject({ activeTurns: 0, runtimeId: health.runtimeId })
})
