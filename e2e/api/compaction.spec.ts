/** A compaction that is stopped, overtaken or killed changes nothing of what was said (C15, L6). */
import { expect } from '@playwright/test'
import { ofType } from '../support/api'
import { test } from '../support/own-belay'
import { times } from '../support/scale'
import { type RecordedRequest, type ScriptedModels, says, saysThenHangs } from '../support/scripted-models'
import type { Belay } from '../support/server'
import { storedEvents } from '../support/stored'
import { expectContiguous, outcomesAtRest, outcomesIn } from '../support/turns'

const isCompaction = (request: RecordedRequest) => JSON.stringify(request.body).includes('Sum up this conversation')

/** A session with many turns; its model answers, and hangs in the middle of the first summary. */
async function conversation(belay: Belay, models: ScriptedModels) {
  const turns = times(80, { least: 6 })
  let summaries = 0
  const model = models.script((request) => {
    if (!isCompaction(request)) return says('Noted.')
    summaries += 1
    return summaries === 1 ? saysThenHangs('The person said ') : says('A summary of all.')
  })
  const { id } = await belay.api.create({ model: model.id })
  for (let n = 1; n <= turns; n += 1) await belay.api.send(id, `fact number ${n}.`)
  await outcomesAtRest(belay.api, id, turns, 60_000)
  const before = await belay.api.events(id)
  return { id, model, turns, before }
}

test('S-F4: Stop in the middle of a summary ends it within 1 s, and the next turn has the whole conversation', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id, model, turns, before } = await conversation(belay, own.models)
  const reading = await own.read(belay, id)
  expect((await api.ask('POST', `/api/sessions/${id}/compact`, {})).status).toBe(202)
  await reading.text(id, (text) => text.includes('The person'))

  const stoppedAt = performance.now()
  expect(await api.cancel(id, { via: 'button' })).toMatchObject({ effect: 'signalled' })
  const end = await reading.event('turn.end')
  expect(end.arrivedAt - stoppedAt).toBeLessThan(1000)
  expect(end.data.outcome).toEqual({ kind: 'aborted' })

  await api.send(id, 'what did I say?')
  expect((await outcomesAtRest(api, id, turns + 2)).slice(-2)).toEqual(['aborted', 'completed'])
  const stored = storedEvents(belay.home, id)
  expect(stored.slice(0, before.length)).toEqual(before)
  expect(ofType(stored, 'compaction.done')).toEqual([])
  expectContiguous(stored)
  const sent = JSON.stringify(model.requests().at(-1)?.body)
  for (let n = 1; n <= turns; n += 1) expect(sent).toContain(`fact number ${n}.`)
  expect(model.requests().at(-1)?.refused).toBeUndefined()
})

test('S-F4: a process that dies in the middle of a summary loses nothing, and a later compaction takes effect at once', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id, model, turns, before } = await conversation(belay, own.models)
  const reading = await own.read(belay, id)
  await api.ask('POST', `/api/sessions/${id}/compact`, {})
  await reading.text(id, (text) => text.includes('The person'))
  await belay.kill9()
  await belay.startAgain()
  const repaired = await api.events(id)
  expect(repaired.slice(0, before.length)).toEqual(before)
  expect(outcomesIn(repaired).at(-1)).toBe('orphaned')
  expect(ofType(repaired, 'compaction.done')).toEqual([])

  await api.ask('POST', `/api/sessions/${id}/compact`, {})
  await outcomesAtRest(api, id, turns + 2)
  await api.send(id, 'and now?')
  expect((await outcomesAtRest(api, id, turns + 3)).slice(-2)).toEqual(['completed', 'completed'])
  const sent = JSON.stringify(model.requests().at(-1)?.body)
  expect(sent).toContain('A summary of all.')
  expect(sent).not.toContain('fact number 1.')
  expect(model.requests().at(-1)?.refused).toBeUndefined()
  expect((await api.events(id)).slice(0, before.length), 'the log itself forgets nothing').toEqual(before)
})

test('S-F4: a message that arrives during a summary waits for it and is then answered', async ({ own }) => {
  const belay = await own.start()
  const { api } = belay
  const model = own.models.script((request) =>
    isCompaction(request) ? [{ kind: 'gate', name: 'summary' }, ...says('A summary of all.')] : says('Noted.'),
  )
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'fact number 1.')
  await outcomesAtRest(api, id, 1)
  const reading = await own.read(belay, id)
  await api.ask('POST', `/api/sessions/${id}/compact`, {})
  await reading.event('step.start')
  const waiting = await api.send(id, 'while you sum up')
  expect((await api.session(id)).queue).toMatchObject([{ messageId: waiting }])
  own.models.release('summary')
  expect(await outcomesAtRest(api, id, 3)).toEqual(['completed', 'completed', 'completed'])
  const sent = JSON.stringify(model.requests().at(-1)?.body)
  expect(sent).toMatch(/A summary of all\.[\s\S]*while you sum up/)
})
