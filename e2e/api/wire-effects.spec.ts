/** What a cancel answers: signalled, already-signalled, stale or none, and what each leaves in the log (W3, L3). */
import { expect, test } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, outcomesAtRest, outcomesIn } from '../support/turns'

const given = givenBelay()

/** A session whose turn streams and does not end by itself; with a deaf tool when it shall be slow to stop. */
async function running(kind: 'prompt' | 'slow to stop' = 'prompt') {
  const { api } = given
  const model = kind === 'prompt' ? given.models.script(saysThenHangs('Going. ')).id : 'rehearsal/fast'
  const { id } = await api.create({ model })
  const reading = await given.reading(id)
  await api.send(id, kind === 'prompt' ? 'go' : "run `trap '' TERM INT; echo on; sleep 30`")
  const { turnId } = (await reading.event('turn.start')).data
  await reading.until((frame) => frame.event === (kind === 'prompt' ? 'delta' : 'tool-output'))
  return { id, turnId, reading }
}

test('W3: signalled writes one control.requested before the turn.end that it explains', async () => {
  const { id, turnId, reading } = await running()
  const answer = await given.api.cancel(id, { via: 'button', turnId })
  await reading.event('turn.end')
  expect(answer).toEqual({ accepted: true, effect: 'signalled', requestId: expect.any(String), discarded: 0 })
  const stored = storedEvents(given.belay.home, id)
  const [request] = ofType(stored, 'control.requested')
  expect(request?.data).toEqual({
    requestId: answer.requestId,
    action: 'cancel',
    via: 'button',
    by: { kind: 'user' },
    turnId,
    keepInbox: true,
  })
  const [end] = ofType(stored, 'turn.end')
  expect(request?.seq).toBeLessThan(end?.seq ?? 0)
})

test('W3: already-signalled writes nothing, and still clears the queue when it is asked to', async () => {
  const { api } = given
  const { id, reading } = await running('slow to stop')
  await api.cancel(id)
  const waiting = await api.send(id, 'waiting')
  expect(await api.cancel(id, { via: 'ctrl-c' })).toEqual({ accepted: true, effect: 'already-signalled', discarded: 0 })
  expect((await api.session(id)).queue.map((message) => message.messageId)).toEqual([waiting])
  expect(await api.cancel(id, { keepInbox: false })).toEqual({
    accepted: true,
    effect: 'already-signalled',
    discarded: 1,
  })
  await reading.event('turn.end')
  const stored = storedEvents(given.belay.home, id)
  expect(ofType(stored, 'control.requested').map((event) => event.data.via)).toEqual(['api'])
  expect(await atRest(api, id)).toMatchObject({ queue: [], paused: false })
})

test('W3: stale changes nothing at all: another turn is open than the one that was meant', async () => {
  const { api } = given
  const model = given.models.script((_request, n) => (n === 1 ? says('One.') : saysThenHangs('Two. ')))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'one')
  const first = (await reading.event('turn.end')).data.turnId
  await api.send(id, 'two')
  await reading.text(id, (text) => text.includes('Two'))
  await api.send(id, 'waiting')
  const before = storedEvents(given.belay.home, id)
  expect(await api.cancel(id, { turnId: first, keepInbox: false })).toEqual({
    accepted: true,
    effect: 'stale',
    discarded: 0,
  })
  expect(storedEvents(given.belay.home, id)).toEqual(before)
  expect(await api.session(id)).toMatchObject({ activity: 'running' })
  await api.cancel(id, { keepInbox: false })
})

test('W3: none for an idle session, with and without turnId, and after a restart; the next prompt is not poisoned', async () => {
  const { api, belay } = given
  const model = given.models.script(says('Hello.'))
  const { id } = await api.create({ model: model.id })
  const before = storedEvents(belay.home, id)
  expect(await api.cancel(id)).toEqual({ accepted: true, effect: 'none', discarded: 0 })
  expect(await api.cancel(id, { turnId: 'turn_unknown' })).toEqual({ accepted: true, effect: 'none', discarded: 0 })
  expect(storedEvents(belay.home, id)).toEqual(before)
  await api.send(id, 'hi')
  expect(await outcomesAtRest(api, id, 1)).toEqual(['completed'])
  const { turnId } = ofType(await api.events(id), 'turn.end')[0]?.data ?? {}
  expect(await api.cancel(id, { turnId })).toEqual({ accepted: true, effect: 'none', discarded: 0 })
})

test('W3: with keepInbox false what waits at that moment is discarded, and its number is told', async () => {
  const { api } = given
  const { id, reading } = await running()
  const queued = [await api.send(id, 'A'), await api.send(id, 'B', { delivery: 'steer' }), await api.send(id, 'C')]
  expect(await api.cancel(id, { keepInbox: false })).toMatchObject({ effect: 'signalled', discarded: 3 })
  await reading.event('turn.end')
  const stored = storedEvents(given.belay.home, id)
  expect(ofType(stored, 'inbox.discarded').map((event) => event.data)).toEqual([
    { messageIds: queued, reason: 'cancelled' },
  ])
  expect(ofType(stored, 'control.requested')[0]?.data.keepInbox).toBe(false)
  expect(await atRest(api, id)).toMatchObject({ queue: [], paused: false })
})

test('W3: stop-all of a single session signals it once, and then says that it was over', async () => {
  const { api } = given
  const { id, reading } = await running()
  await api.send(id, 'waiting')
  const path = `/api/sessions/${id}/stop-all`
  expect((await api.ask('POST', path, {})).body).toEqual({ accepted: true, signalled: [id], over: [], failed: [] })
  await reading.event('turn.end')
  await atRest(api, id)
  expect((await api.ask('POST', path, {})).body).toEqual({ accepted: true, signalled: [], over: [id], failed: [] })
  const stored = storedEvents(given.belay.home, id)
  expect(ofType(stored, 'control.requested').map((event) => event.data.action)).toEqual(['stop-all'])
  expect((await api.session(id)).queue).toHaveLength(1)
})

test('W3: wake answers none without work, woken with it, and a wake during the wind-down is latched', async () => {
  const { api } = given
  const { id, reading } = await running('slow to stop')
  expect(await api.wake(id)).toEqual({ accepted: true, effect: 'none' })
  await api.cancel(id)
  await api.send(id, 'talk for 3 words')
  const { callId } = (await reading.event('tool.start')).data
  await api.endCall(id, callId, { force: true })
  expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
  expect(await api.wake(id)).toEqual({ accepted: true, effect: 'none' })
})

test('W3: every later cancel clears the latch: what was sent during the wind-down stays, parked', async () => {
  const { api } = given
  const { id, reading } = await running('slow to stop')
  await api.cancel(id)
  const kept = await api.send(id, 'talk for 3 words')
  expect((await api.cancel(id)).effect).toBe('already-signalled')
  const { callId } = (await reading.event('tool.start')).data
  await api.endCall(id, callId, { force: true })
  await reading.event('turn.end')
  const session = await atRest(api, id)
  expect(session).toMatchObject({ paused: true, queue: [{ messageId: kept }] })
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted'])
})
