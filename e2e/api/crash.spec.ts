/** `kill -9` at any moment: what was accepted is there, what was said is there, and nothing runs by itself (L5, L6). */
import { expect } from '@playwright/test'
import { ofType } from '../support/api'
import { test } from '../support/own-belay'
import { pause, times, waited } from '../support/scale'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedDrafts, storedEvents } from '../support/stored'
import { expectContiguous, expectPaired, outcomesAtRest, outcomesIn, textsIn } from '../support/turns'

test('L5: a message answered with 202 is there after a kill -9 that follows at once', async ({ own }) => {
  test.slow()
  const tries = times(20, { least: 4 })
  const belay = await own.start()
  const model = own.models.script(saysThenHangs('Yes. '))
  const { id } = await belay.api.create({ model: model.id })
  const accepted: string[] = []
  for (let n = 1; n <= tries; n += 1) {
    accepted.push(await belay.api.send(id, `message ${n}`, { clientId: `try-${n}` }))
    await belay.kill9()
    const queued = ofType(storedEvents(belay.home, id), 'inbox.queued').map((event) => event.data.messageId)
    expect(queued).toEqual(accepted)
    await belay.startAgain()
    expect(await belay.api.send(id, 'sent again after the crash', { clientId: `try-${n}` })).toBe(accepted[n - 1])
  }
  expectContiguous(storedEvents(belay.home, id))
})

test('L6: a kill -9 in mid-stream loses at most 250 ms of text, and the turn is orphaned with a note for the model', async ({
  own,
}) => {
  const belay = await own.start()
  const model = own.models.script((_request, n) =>
    n === 1 ? [{ kind: 'stamps', count: 10_000, perSecond: 50 }] : says('I see.'),
  )
  const { id } = await belay.api.create({ model: model.id })
  const reading = await own.read(belay, id)
  await belay.api.send(id, 'talk')
  await reading.text(id, (text) => text.split(' ').length > 60)
  await belay.kill9()
  const stamps = (text: string) => text.trim().split(' ').map(Number)
  let seen = ''
  await reading
    .text(
      id,
      (text) => {
        seen = text
        return false
      },
      { within: 1 },
    )
    .catch(() => undefined) // Reads what has arrived: there is no more to wait for.

  await belay.startAgain()
  const events = await belay.api.events(id)
  const [kept = ''] = textsIn(events)
  expect(seen.startsWith(kept) || kept.startsWith(seen)).toBe(true)
  const lostMs = (stamps(seen).at(-1) ?? 0) - (stamps(kept).at(-1) ?? 0)
  expect(lostMs).toBeLessThanOrEqual(250)
  expect(outcomesIn(events)).toEqual(['orphaned'])
  expect(ofType(events, 'assistant.message')[0]?.data.partial).toBe(true)
  expect(ofType(events, 'note').at(-1)?.data).toMatchObject({ for: 'model', text: expect.stringContaining('died') })

  await belay.restart('SIGKILL')
  expect(await belay.api.events(id), 'a second start changes nothing').toEqual(events)
  expect(storedDrafts(belay.home)).toBe(0)
  expect(await belay.api.session(id)).toMatchObject({ activity: 'idle', openTurnId: null, resident: false })

  await belay.api.send(id, 'go on')
  expect(await outcomesAtRest(belay.api, id, 2)).toEqual(['orphaned', 'completed'])
  const last = model.requests().at(-1)
  expect(last?.refused).toBeUndefined()
  const sent = JSON.stringify(last?.body)
  expect(sent).toContain(kept.trim())
  expect(sent).toContain('The process that ran your previous turn died')
})

test('L6: a call that the crash cut off is orphaned, and the model is told that its outcome is unknown', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await own.read(belay, id)
  await api.send(id, `run \`echo before the end; sleep ${own.mark}\``)
  await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('before the end'))
  await pause(300) // Live output is on disk within 250 ms; the text below is looked for after the crash.
  await belay.kill9()
  await belay.startAgain()
  const stored = storedEvents(belay.home, id)
  expectPaired(stored)
  expect(ofType(stored, 'tool.end')).toMatchObject([
    { data: { status: 'orphaned', output: expect.stringMatching(/before the end[\s\S]*outcome is unknown/) } },
  ])
})

test('S-L2: after kill -9 nothing says running, the queue is kept and not run, sending works; twice changes nothing', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const model = own.models.script((_request, n) => (n === 1 ? saysThenHangs('In the middle of it. ') : says('Done.')))
  const talking = await api.create({ model: model.id, title: 'Talking' })
  const tooling = await api.create({ model: 'rehearsal/fast', title: 'Tooling' })
  const reading = await own.read(belay, talking.id, tooling.id)
  await api.send(talking.id, 'talk about zanzibar')
  await api.send(tooling.id, `run \`sleep ${own.mark}\``)
  await reading.text(talking.id, (text) => text !== '')
  await reading.event('tool.start')
  const waiting = await api.send(talking.id, 'a queued message')

  for (const round of ['first', 'second'] as const) {
    const before = storedEvents(belay.home)
    await belay.kill9()
    await belay.startAgain()
    const sessions = await api.sessions()
    expect(sessions).toHaveLength(2)
    for (const session of sessions) {
      expect(session).toMatchObject({ activity: 'idle', openTurnId: null, resident: false, waitingOn: [] })
      expect(session.lastOutcome).toEqual({ kind: 'orphaned' })
    }
    if (round === 'second') expect(storedEvents(belay.home)).toEqual(before)
  }
  await pause(waited(10_000))
  const requestsAfterCrash = model.requests().length
  expect(requestsAfterCrash).toBe(1)
  expect(await api.session(talking.id)).toMatchObject({ paused: true, queue: [{ messageId: waiting }] })
  expect((await api.cancel(talking.id)).effect).toBe('none')
  const { turns } = await api.turns('?outcome=orphaned')
  expect(turns.map((turn) => turn.sessionId).sort()).toEqual([talking.id, tooling.id].sort())
  const found = await api.turns('?query=zanzibar')
  expect(found.turns).toMatchObject([{ sessionId: talking.id, outcome: { kind: 'orphaned' }, requestedBy: null }])

  await api.send(talking.id, 'and a new one')
  expect(await outcomesAtRest(api, talking.id, 3)).toEqual(['orphaned', 'completed', 'completed'])
  const asked = ofType(await api.events(talking.id), 'user.message').map((event) => event.data.blocks.at(-1)?.text)
  expect(asked).toEqual(['talk about zanzibar', 'a queued message', 'and a new one'])
})

test('S-L2: a stored state that says running although nobody runs it is closed at the start', async ({ own }) => {
  const belay = await own.start()
  const { api } = belay
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await own.read(belay, id)
  await api.send(id, `run \`sleep ${own.mark}\``)
  await reading.event('tool.start')
  await belay.kill9()
  expect(outcomesIn(storedEvents(belay.home, id)), 'the dead process has written no end').toEqual([])
  await belay.startAgain()
  expect(outcomesIn(storedEvents(belay.home, id))).toEqual(['orphaned'])
})
