/** Stop at any moment and any number of times: before the turn exists, ten times at once, under a flood, with a queue behind it. */
import { expect, test } from '@playwright/test'
import type { CancelAnswer } from '@/lib/contract/commands'
import { type Api, ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { pause, times, waited } from '../support/scale'
import { type RecordedRequest, runs, says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, outcomesAtRest, outcomesIn, textsIn } from '../support/turns'

const given = givenBelay()

test('S-C1: a Stop fired 0 to 50 ms after the send is never lost: acknowledged, the turn ends aborted or never opens', async () => {
  const { api } = given
  const model = given.models.script([{ kind: 'wait', ms: 1000 }, ...says('Too late.')])
  const { id } = await api.create({ model: model.id })
  const seed = Date.now() % 1_000_000
  const random = seededRandom(seed)
  const tries = times(200, { least: 20 })
  const effects: string[] = []
  for (let n = 1; n <= tries; n += 1) {
    const delay = Math.floor(random() * 51)
    const context = `seed ${seed}, try ${n}, ${delay} ms between send and Stop`
    const sending = api.send(id, `try ${n}`)
    if (delay > 0) await pause(delay)
    const stopping = api.cancel(id, { via: 'button' })
    const [messageId, { effect }] = await Promise.all([sending, stopping])
    effects.push(effect)
    if (effect === 'none') await api.cancel(id, {}) // The Stop came first: it was told that nothing ran.
    const session = await atRest(api, id, 2000)

    const events = await api.events(id)
    const claim = ofType(events, 'inbox.claimed').find((event) =>
      event.data.messageIds.some((one) => one === messageId),
    )
    if (claim) {
      const end = ofType(events, 'turn.end').find((event) => event.data.turnId === claim.data.turnId)
      expect(end?.data.outcome, context).toEqual({ kind: 'aborted' })
    } else {
      expect(
        session.queue.map((message) => message.messageId),
        context,
      ).toEqual([messageId])
      const removed = await api.ask('DELETE', `/api/sessions/${id}/messages/${messageId}`)
      expect(removed.status, context).toBe(204)
    }
    expect(textsIn(events), context).toEqual([])
  }
  console.log(`S-C1: seed ${seed}, effects ${JSON.stringify(countBy(effects))}`)
  expect(effects).toContain('signalled')
  const stored = storedEvents(given.belay.home, id)
  expect(new Set(outcomesIn(stored))).toEqual(new Set(['aborted']))
  expect(ofType(stored, 'turn.start')).toHaveLength(outcomesIn(stored).length)
})

test('S-C4: ten presses within 50 ms count as one, and a late one says that nothing was running', async () => {
  const { api } = given
  const model = given.models.script(saysThenHangs('Working on it. '))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'first')
  await reading.text(id, (text) => text !== '')
  const queued = [await api.send(id, 'second'), await api.send(id, 'third')]

  const presses = Array.from({ length: 10 }, () => api.cancel(id, { via: 'button' }))
  const answers: CancelAnswer[] = await Promise.all(presses)
  const end = await reading.event('turn.end')
  await reading.summary(id, (session) => session.activity === 'idle' && session.lastOutcome !== null)
  const before = await api.session(id)
  const late = await api.cancel(id, { via: 'button' })

  expect(answers.filter((answer) => answer.effect === 'signalled')).toHaveLength(1)
  expect(answers.filter((answer) => answer.requestId !== undefined)).toHaveLength(1)
  expect(answers.every((answer) => answer.discarded === 0)).toBe(true)
  expect(end.data.outcome).toEqual({ kind: 'aborted' })
  expect(late).toEqual({ accepted: true, effect: 'none', discarded: 0 })
  expect(await api.session(id)).toEqual(before)
  expect(before.queue.map((message) => message.messageId)).toEqual(queued)
  const stored = storedEvents(given.belay.home, id)
  expect(ofType(stored, 'control.requested').map((event) => event.data.action)).toEqual(['cancel'])
  expect(outcomesIn(stored)).toEqual(['aborted'])
  expect(
    changesToIdle(
      reading.frames.flatMap((frame) => (frame.event === 'session' ? [frame.data] : [])),
      id,
    ),
  ).toBe(1)
})

test('S-C5: Stop is served at once while 2,000 pieces a second stream', async () => {
  const { api } = given
  const model = given.models.script([{ kind: 'stamps', count: 60_000, perSecond: 2000 }])
  const replies: number[] = []
  const effects: number[] = []
  const tries = times(50, { least: 5 })
  for (let n = 0; n < tries; n += 1) {
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'flood')
    await reading.text(id, (text) => text.length > 2000)
    const stoppedAt = performance.now()
    const reply = await api.ask('POST', `/api/sessions/${id}/cancel`, { via: 'button' })
    const end = await reading.event('turn.end')
    replies.push(reply.tookMs)
    effects.push(end.arrivedAt - stoppedAt)
    expect(end.data.outcome).toEqual({ kind: 'aborted' })
    reading.close()
  }
  // The mark is the 99th percentile of 50 tries; the few tries of a short run are held to it by their median.
  const part = tries >= 50 ? 0.99 : 0.5
  expect(atPercentile(replies, part)).toBeLessThan(500)
  expect(atPercentile(effects, part)).toBeLessThan(1000)
})

for (const way of ['wake', 'send'] as const) {
  const title = way === 'wake' ? 'Resume runs A, then B' : 'a new message C runs A, B, C'
  test(`S-D3: a Stop pauses the queue; ${title}, each once`, async () => {
    const { api } = given
    const model = given.models.script((request) =>
      lastPrompt(request).includes('first') ? saysThenHangs('On it. ') : says(`Did ${lastPrompt(request)}.`),
    )
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'first')
    await reading.text(id, (text) => text !== '')
    const queued = [await api.send(id, 'A'), await api.send(id, 'B')]
    await api.cancel(id, { via: 'button' })
    await reading.event('turn.end')

    await pause(waited(10_000))
    const paused = await api.session(id)
    expect(paused).toMatchObject({ activity: 'idle', paused: true })
    expect(paused.queue.map((message) => message.messageId)).toEqual(queued)
    expect(model.requests()).toHaveLength(1)

    if (way === 'wake') expect(await api.wake(id)).toEqual({ accepted: true, effect: 'woken' })
    else await api.send(id, 'C')
    const wanted = way === 'wake' ? ['A', 'B'] : ['A', 'B', 'C']
    const outcomes = await outcomesAtRest(api, id, 1 + wanted.length)
    expect(outcomes).toEqual(['aborted', ...wanted.map(() => 'completed')])
    const stored = storedEvents(given.belay.home, id)
    const asked = ofType(stored, 'user.message').map((event) => event.data.blocks.at(-1)?.text)
    expect(asked).toEqual(['first', ...wanted])
    expect(model.requests().slice(1).map(lastPrompt)).toEqual(wanted)
    expect(await api.session(id)).toMatchObject({ queue: [], paused: false })
  })
}

test('S-D3: what a command prints or a note says does not release the queue', async () => {
  const { api } = given
  const model = given.models.script((request) =>
    lastPrompt(request).includes('first') ? [runs('sleep 30')] : says('Did it.'),
  )
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'first')
  await reading.event('tool.start')
  await api.send(id, 'A')
  await api.cancel(id, { via: 'button' })
  await reading.event('note')
  await api.ask('PATCH', `/api/sessions/${id}`, { title: 'Renamed while paused' })
  await pause(waited(5000))
  expect(ofType(await api.events(id), 'turn.start')).toHaveLength(1)
  expect(await api.session(id)).toMatchObject({ paused: true, activity: 'idle' })
})

/** The last thing the person said in a chat completions request, without what Belay put before it. */
function lastPrompt(request: RecordedRequest): string {
  const messages = request.body.messages as { role: string; content: string | { text: string }[] }[]
  const content = messages.findLast((message) => message.role === 'user')?.content ?? ''
  return typeof content === 'string' ? (content.split('\n').at(-1) ?? '') : (content.at(-1)?.text ?? '')
}

function changesToIdle(summaries: readonly Awaited<ReturnType<Api['session']>>[], id: string): number {
  let before = 'idle'
  let changes = 0
  for (const { id: of, activity } of summaries) {
    if (of !== id) continue
    if (before !== 'idle' && activity === 'idle') changes += 1
    before = activity
  }
  return changes
}

function atPercentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.POSITIVE_INFINITY
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** A small generator with a printed seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
