/** Stop is not cosmetic: it reaches the model call and the tool, and a session says it is at rest only when it is. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { pause, waited } from '../support/scale'
import { onThisClock, runs, says } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, expectPaired, outcomesAtRest, outcomesIn, textsIn } from '../support/turns'

const given = givenBelay()

test('S-A1: nothing of an endless loop goes on after Stop, nothing starts by itself, and the next message is answered', async () => {
  test.slow()
  const file = 'loop.txt'
  let loops = true
  const model = given.models.script(() =>
    loops ? [{ kind: 'wait', ms: 350 }, runs(`echo line >> ${file}; sleep 0.1`)] : says('A normal answer.'),
  )
  const { id } = await given.api.create({ model: model.id })
  const reading = await given.reading(id)
  const lines = () => countLines(path.join(given.belay.workspace, file))
  await given.api.send(id, 'loop')
  const seen = Math.max(2, Math.round(waited(3000) / 500))
  await expect.poll(lines, { timeout: 20_000, intervals: [50] }).toBeGreaterThanOrEqual(seen)

  await given.api.cancel(id, { via: 'button' })
  const answeredAt = performance.now()
  await reading.event('turn.end')
  await expect.poll(() => performance.now() - answeredAt, { timeout: 5000 }).toBeGreaterThan(2000)
  const linesAfter = lines()
  await pause(waited(30_000))

  expect(lines()).toBe(linesAfter)
  const last = model.requests().at(-1)
  expect(last && onThisClock(last.receivedAt) - answeredAt).toBeLessThan(2000)
  expect(await given.api.session(id)).toMatchObject({ activity: 'idle', lastOutcome: { kind: 'aborted' } })
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted'])

  loops = false
  await given.api.send(id, 'and now?')
  expect(await outcomesAtRest(given.api, id, 2)).toEqual(['aborted', 'completed'])
  const stored = storedEvents(given.belay.home, id)
  expect(textsIn(stored).at(-1)).toBe('A normal answer.')
  expectPaired(stored)
})

test('S-A2: Stop closes the model call in flight, and the stored text is exactly what had been streamed', async () => {
  const model = given.models.script([{ kind: 'stamps', count: 1200, perSecond: 20 }])
  const { id } = await given.api.create({ model: model.id })
  const reading = await given.reading(id)
  await given.api.send(id, 'talk for a minute')
  const words = Math.max(6, Math.round(waited(2000) / 50))
  await reading.text(id, (text) => text.split(' ').length > words)

  const stoppedAt = performance.now()
  await given.api.cancel(id, { via: 'button' })
  const end = await reading.event('turn.end')

  await expect.poll(() => model.requests()[0]?.socketClosedAt, { timeout: 5000, intervals: [20] }).toBeDefined()
  const closedAt = model.requests()[0]?.socketClosedAt
  expect(closedAt && onThisClock(closedAt) - stoppedAt).toBeLessThan(1000)
  expect(end.data.outcome).toEqual({ kind: 'aborted' })
  const stored = storedEvents(given.belay.home, id)
  const [message] = ofType(stored, 'assistant.message')
  expect(message?.data.partial).toBe(true)
  let streamed = ''
  await reading.text(id, (text) => {
    streamed = text
    return text === textsIn(stored)[0]
  })
  expect(streamed).toBe(textsIn(stored)[0])
  await pause(waited(10_000))
  expect(model.requests()).toHaveLength(1)
})

test('S-A4: no sample says idle while the tool of the stopped turn still acts', async () => {
  const file = path.join(given.belay.workspace, 'deaf.txt')
  const deaf = `trap '' TERM INT; i=0; while [ $i -lt 25 ]; do echo $i >> deaf.txt; i=$((i+1)); sleep 0.2; done`
  const { id } = await given.api.create({ model: 'rehearsal/fast' })
  await given.api.send(id, `run \`${deaf}\``)
  await expect.poll(() => countLines(file), { timeout: 10_000, intervals: [50] }).toBeGreaterThan(2)

  const samples: { activity: string; outcome: string | undefined; bytes: number }[] = []
  const reply = await given.api.ask('POST', `/api/sessions/${id}/cancel`, { via: 'button' })
  const until = performance.now() + 8000
  let restful = 0
  while (performance.now() < until && restful < 12) {
    const { activity, lastOutcome } = await given.api.session(id)
    samples.push({ activity, outcome: lastOutcome?.kind, bytes: readFileSync(file).byteLength })
    if (activity === 'idle') restful += 1
    await pause(100)
  }

  expect(reply.status).toBe(202)
  expect(reply.tookMs).toBeLessThan(500)
  const stopping = samples.filter((sample) => sample.activity === 'stopping')
  expect(stopping.length).toBeGreaterThan(3)
  expect(new Set(stopping.map((sample) => sample.bytes)).size, 'it did go on acting while stopping').toBeGreaterThan(1)
  expect(stopping.filter((sample) => sample.outcome === 'aborted')).toEqual([])
  const atRestSamples = samples.filter((sample) => sample.activity === 'idle' || sample.outcome === 'aborted')
  expect(atRestSamples.length).toBeGreaterThan(5)
  expect(new Set(atRestSamples.map((sample) => sample.bytes)).size).toBe(1)
})

test('S-F3: Stop ends a back-off of 60 s at once, and no further attempt is made', async () => {
  const model = given.models.script([
    { kind: 'answer', status: 429, headers: { 'retry-after': '60', 'content-type': 'application/json' }, body: '{}' },
  ])
  const { id } = await given.api.create({ model: model.id })
  const reading = await given.reading(id)
  await given.api.send(id, 'hello')
  const waiting = await reading.event('retry.waiting')
  await reading.summary(id, (session) => session.waitingOn.some((wait) => wait.kind === 'retry'))
  expect(Date.parse(waiting.data.until) - Date.parse(waiting.at)).toBeGreaterThan(55_000)
  await pause(waited(1000))

  const stoppedAt = performance.now()
  await given.api.cancel(id, { via: 'button' })
  const end = await reading.event('turn.end')

  expect(end.arrivedAt - stoppedAt).toBeLessThan(300)
  expect(end.data.outcome).toEqual({ kind: 'aborted' })
  await pause(waited(70_000))
  expect(model.requests()).toHaveLength(1)
  expect(await atRest(given.api, id)).toMatchObject({ waitingOn: [], lastOutcome: { kind: 'aborted' } })
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted'])
})

function countLines(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}
