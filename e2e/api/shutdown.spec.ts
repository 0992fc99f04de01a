/** SIGTERM and SIGINT: an orderly end within 5 s, a truthful record, and a second signal that ends at once (R3). */
import { expect } from '@playwright/test'
import { errorCodeOf, ofType } from '../support/api'
import { test } from '../support/own-belay'
import { marked } from '../support/processes'
import { pause } from '../support/scale'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { StreamReading } from '../support/stream'
import { outcomesAtRest, outcomesIn, textsIn } from '../support/turns'

test('S-L3: SIGTERM with open streams and a running command: gone within 5 s, no process left, clients come back', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const readings = [await own.read(belay, id), await own.read(belay, id), await own.read(belay)]
  await api.send(id, `run \`sleep ${own.mark} & sleep ${own.mark}\` with timeout 600 seconds`)
  await readings[0]?.event('tool.start')
  await expect.poll(() => marked(own.mark).length, { intervals: [20] }).toBeGreaterThan(1)

  const exit = await belay.stop('SIGTERM')
  expect(exit.tookMs).toBeLessThan(5000)
  expect(exit.code).toBe(0)
  expect(marked(own.mark)).toEqual([])
  for (const reading of readings) {
    await reading.over(1000)
    expect(reading.frames.at(-1)?.event).toBe('goodbye')
  }
  expect(outcomesIn(storedEvents(belay.home, id))).toEqual(['disposed'])

  const lastEventId = readings[0]?.lastEventId
  await belay.startAgain()
  expect(await api.session(id)).toMatchObject({ activity: 'idle', openTurnId: null })
  const again = await StreamReading.open(belay, { sessions: [id], ...(lastEventId !== undefined && { lastEventId }) })
  await again.until((frame) => frame.event === 'hello')
  await api.send(id, 'talk for 3 words')
  await again.event('turn.end', (event) => event.data.outcome.kind === 'completed')
  again.close()
  const seen = [...(readings[0]?.events(id) ?? []), ...again.events(id)].map((event) => event.seq)
  expect(seen, 'nothing lost, nothing doubled over the restart').toEqual(
    (await api.events(id)).map((event) => event.seq).filter((seq) => seq >= (seen[0] ?? 0)),
  )
})

test('S-L3: SIGINT twice within 200 ms ends the server within 1 s, and no marked process is left', async ({ own }) => {
  const belay = await own.start()
  const { id } = await belay.api.create({ model: 'rehearsal/script' })
  const other = await belay.api.create({ model: 'rehearsal/fast' })
  const reading = await own.read(belay, id, other.id)
  await belay.api.send(id, 'ignore the signal for 30 seconds')
  await belay.api.send(other.id, `run \`trap '' TERM INT; sleep ${own.mark}; true\` with timeout 600 seconds`)
  await reading.text(id, (text) => text.includes('signal'))
  await expect.poll(() => marked(own.mark).length, { intervals: [20] }).toBeGreaterThan(0)

  belay.signal('SIGINT')
  await pause(150)
  const exit = await belay.stop('SIGINT')
  expect(exit.tookMs).toBeLessThan(1000)
  await expect.poll(() => marked(own.mark), { timeout: 2000, intervals: [50] }).toEqual([])

  await belay.startAgain()
  expect(outcomesIn(await belay.api.events(id))).toEqual(['orphaned'])
  expect((await belay.api.session(other.id)).activity).toBe('idle')
})

test('R3: a turn that comes to rest is disposed with its text, the queue stays, and the next request says that Belay was shut down', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const model = own.models.script((_request, n) => (n === 1 ? saysThenHangs('As far as here. ') : says('Going on.')))
  const { id } = await api.create({ model: model.id })
  const reading = await own.read(belay, id)
  await api.send(id, 'talk')
  await reading.text(id, (text) => text !== '')
  const waiting = await api.send(id, 'later')

  const exit = await belay.stop('SIGTERM')
  expect(exit).toMatchObject({ code: 0 })
  expect(exit.tookMs).toBeLessThan(5000)
  const stored = storedEvents(belay.home, id)
  expect(outcomesIn(stored)).toEqual(['disposed'])
  expect(textsIn(stored)).toEqual(['As far as here. '])
  expect(ofType(stored, 'control.requested')).toEqual([])

  await belay.startAgain()
  expect(await api.session(id)).toMatchObject({ paused: true, queue: [{ messageId: waiting }] })
  await api.wake(id)
  expect(await outcomesAtRest(api, id, 2)).toEqual(['disposed', 'completed'])
  expect(model.requests()).toHaveLength(2)
  expect(model.requests()[1]?.refused).toBeUndefined()
  expect(JSON.stringify(model.requests()[1]?.body)).toMatch(/As far as here[\s\S]*Belay was shut down/)
})

test('R3: with a model that is deaf to the signal the server exits within 5 s, and the turn is orphaned, never a false disposed', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id } = await api.create({ model: 'rehearsal/script' })
  const reading = await own.read(belay, id)
  await api.send(id, 'ignore the signal for 30 seconds')
  await reading.text(id, (text) => text.includes('signal'))

  const stopping = belay.stop('SIGTERM')
  await expect
    .poll(async () => errorCodeOf(await api.ask('GET', '/api/sessions')), { timeout: 3000, intervals: [20] })
    .toBe('shutting-down')
  expect(await api.health()).toMatchObject({ status: 'shutting-down' })
  const exit = await stopping
  expect(exit.tookMs).toBeLessThan(5000)
  expect(outcomesIn(storedEvents(belay.home, id))).toEqual([])

  await belay.startAgain()
  const stored = storedEvents(belay.home, id)
  expect(outcomesIn(stored)).toEqual(['orphaned'])
  expect(textsIn(stored)[0]).toContain('I do not listen')
})
