/** Joining the stream: nothing doubled, nothing lost, and pieces that add up exactly to the message (W6, W7). */
import { expect, test } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { Mirror } from '../support/mirror'
import { times } from '../support/scale'
import { runs, type ServerStep, says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { StreamReading } from '../support/stream'
import { atRest, outcomesAtRest } from '../support/turns'

const given = givenBelay()

/** A turn of three steps with thoughts, text with code points of two units, and commands with output. */
const longTurn = (n: number): readonly ServerStep[] => {
  const words = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${n}-${at} 🪢 `)
  const thought: ServerStep = { kind: 'reasoning', pieces: words('thought', 10), delayMs: 8 }
  const text: ServerStep = { kind: 'text', pieces: words('word', 25), delayMs: 8 }
  return n % 3 === 0 ? [thought, text] : [thought, text, runs(`for i in 1 2 3; do echo line-$i; sleep 0.05; done`)]
}

test('W6: hello comes first, durable events carry their position as id, and nothing else has an id', async () => {
  const { api } = given
  const model = given.models.script((_request, n) => longTurn(n))
  const { id } = await api.create({ model: model.id })
  const other = await api.create({ model: model.id })
  const reading = await given.reading(id)
  const summaries = await given.reading()
  await api.send(id, 'go')
  await api.send(other.id, 'go too')
  await reading.event('turn.end')
  await summaries.summary(other.id, (session) => session.lastOutcome?.kind === 'completed', { within: 20_000 })

  for (const each of [reading, summaries]) {
    expect(each.frames[0]).toMatchObject({ event: 'hello', data: { runtimeId: (await api.health()).runtimeId } })
    for (const frame of each.frames) {
      if (frame.event === 'session-event') expect(frame.id).toBe(String(frame.data.position))
      else expect(frame.id ?? '').toBe('')
    }
  }
  const ofOthers = (frame: (typeof reading.frames)[number]) =>
    (frame.event === 'session-event' || frame.event === 'delta' || frame.event === 'tool-output') &&
    frame.data.sessionId !== id
  expect(reading.frames.filter(ofOthers), 'events and pieces of the named sessions only').toEqual([])
  expect(new Set(summaries.frames.map((frame) => frame.event))).toEqual(new Set(['hello', 'session']))
  const seen = new Set(summaries.frames.flatMap((frame) => (frame.event === 'session' ? [frame.data.id] : [])))
  expect(seen, 'summaries of all sessions feed list and tree').toEqual(new Set([id, other.id]))
})

test('W7: a client that keeps one stream sees every event once, and deltas that add up to each message exactly', async () => {
  const { api, belay } = given
  const model = given.models.script((_request, n) => longTurn(n))
  const { id } = await api.create({ model: model.id })
  const reading = await StreamReading.open(belay, { sessions: [id], after: 0 })
  await api.send(id, 'go')
  await reading.event('turn.end', undefined, { within: 20_000 })
  const mirror = new Mirror(id)
  for (const frame of reading.frames) mirror.apply(frame)
  reading.close()
  expect(mirror.faults).toEqual([])
  expect(mirror.compared).toBe(3)
  expect(mirror.events).toEqual(storedEvents(belay.home, id).slice(0, mirror.events.length))
})

test('W7: a client that reconnects at random moments with its last id loses nothing and sees nothing twice', async () => {
  test.slow()
  const { api, belay } = given
  const rounds = times(20, { least: 3 })
  for (let round = 0; round < rounds; round += 1) {
    const model = given.models.script((_request, n) => longTurn(n))
    const { id } = await api.create({ model: model.id })
    const mirror = new Mirror(id)
    let applied = 0
    let reading = await StreamReading.open(belay, { sessions: [id], after: 0 })
    const take = () => {
      while (applied < reading.frames.length) {
        const frame = reading.frames[applied]
        if (frame) mirror.apply(frame)
        applied += 1
      }
    }
    await api.send(id, 'go')
    let reconnects = 0
    while (!mirror.events.some((event) => event.type === 'turn.end')) {
      const enough = reading.frames.length + 3 + ((round * 7 + reconnects * 5) % 40)
      let count = 0
      await reading.until(() => ++count >= enough || reading.events(id).some((event) => event.type === 'turn.end'))
      take()
      const lastEventId = reading.lastEventId
      reading.close()
      // The header beats the query, as it does when a browser comes back by itself (W7).
      reading = await StreamReading.open(belay, {
        sessions: [id],
        after: 0,
        ...(lastEventId !== undefined && { lastEventId }),
      })
      reading.lastEventId = lastEventId
      mirror.reconnected()
      applied = 0
      reconnects += 1
    }
    reading.close()
    expect(mirror.faults, `round ${round}, ${reconnects} reconnects`).toEqual([])
    expect(mirror.events.map((event) => event.seq)).toEqual(mirror.events.map((_, index) => index + 1))
    expect(reconnects).toBeGreaterThan(1)
    expect(mirror.compared).toBeGreaterThan(0)
  }
})

test('W7: stream first, then GET events, then what has a higher seq: the join has no gap at any moment of a turn', async () => {
  const { api, belay } = given
  const model = given.models.script((_request, n) => longTurn(n))
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'go')
  const joins: Promise<void>[] = []
  for (let n = 0; n < times(60, { least: 8 }); n += 1) {
    const reading = await StreamReading.open(belay, { sessions: [id] })
    await reading.until((frame) => frame.event === 'hello')
    const events = await api.events(id)
    joins.push(
      (async () => {
        if (!events.some((event) => event.type === 'turn.end')) {
          await reading.event('turn.end', undefined, { within: 20_000 })
        }
        const known = events.at(-1)?.seq ?? 0
        const later = reading.events(id).filter((event) => event.seq > known)
        const all = [...events, ...later].map((event) => event.seq)
        expect(all).toEqual(all.map((_, index) => index + 1))
        reading.close()
      })(),
    )
  }
  await Promise.all(joins)
  await atRest(api, id)
})

test('W7: to follow another session the new stream is opened with the last id before the old one is closed, without a loss', async () => {
  const { api, belay } = given
  const model = given.models.script((_request, n) => longTurn(n))
  const [first, second] = [await api.create({ model: model.id }), await api.create({ model: model.id })]
  const mirrors = [new Mirror(first.id), new Mirror(second.id)]
  const old = await StreamReading.open(belay, { sessions: [first.id], after: 0 })
  await api.send(first.id, 'go')
  await old.text(first.id, (text) => text.length > 100)
  const wide = await StreamReading.open(belay, {
    sessions: [first.id, second.id],
    after: 0,
    ...(old.lastEventId !== undefined && { lastEventId: old.lastEventId }),
  })
  await wide.until((frame) => frame.event === 'hello')
  const before = old.frames.length
  old.close()
  await api.send(second.id, 'go')
  await Promise.all([
    wide.until(
      (frame) =>
        frame.event === 'session-event' && frame.data.type === 'turn.end' && frame.data.sessionId === second.id,
      { within: 20_000 },
    ),
    wide.until(
      (frame) => frame.event === 'session-event' && frame.data.type === 'turn.end' && frame.data.sessionId === first.id,
      { within: 20_000 },
    ),
  ])
  const lastId = Number(old.lastEventId ?? 0)
  for (const frame of old.frames.slice(0, before)) {
    if (frame.event !== 'session-event' || frame.data.position <= lastId) mirrors[0]?.apply(frame)
  }
  mirrors[0]?.reconnected()
  for (const frame of wide.frames) mirrors[0]?.apply(frame)
  expect(mirrors[0]?.faults).toEqual([])
  const seqs = wide.events(second.id).map((event) => event.seq)
  expect(seqs).toEqual([...new Set(seqs)].sort((left, right) => left - right))
  expect(seqs.at(-1)).toBeGreaterThanOrEqual((storedEvents(belay.home, second.id).at(-1)?.seq ?? 0) - 1)
  wide.close()
})

test('W7: a reader that joins in the middle of a reply gets what is open from offset 0, text and tool output alike', async () => {
  const { api } = given
  const talking = given.models.script(saysThenHangs('So far, so good. '))
  const { id } = await api.create({ model: talking.id })
  const early = await given.reading(id)
  await api.send(id, 'go')
  await early.text(id, (text) => text.includes('good'))
  const late = await given.reading(id)
  expect(await late.text(id, (text) => text !== '')).toBe('So far, so good. ')
  await api.cancel(id)

  const tool = await api.create({ model: 'rehearsal/fast' })
  const first = await given.reading(tool.id)
  await api.send(tool.id, 'run `echo already printed; sleep 30`')
  await first.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('already printed'))
  const second = await given.reading(tool.id)
  const frame = await second.until((each) => each.event === 'tool-output')
  expect(frame.data).toMatchObject({ offset: 0, text: expect.stringContaining('already printed') })
  await api.cancel(tool.id)
})

test('W7: a new attempt of a step has the next number and begins its blocks at 0', async () => {
  const { api, belay } = given
  const model = given.models.script((_request, n) =>
    n === 1
      ? [{ kind: 'answer', status: 503, headers: { 'retry-after': '0' }, body: 'busy' }]
      : says('The second attempt speaks.'),
  )
  const { id } = await api.create({ model: model.id })
  const reading = await StreamReading.open(belay, { sessions: [id], after: 0 })
  await api.send(id, 'go')
  await reading.event('turn.end', undefined, { within: 20_000 })
  const attempts = reading.events(id).flatMap((event) => (event.type === 'step.start' ? [event.data.attempt] : []))
  expect(attempts).toEqual([1, 2])
  const deltas = reading.frames.flatMap((frame) => (frame.event === 'delta' ? [frame.data] : []))
  expect(deltas[0]).toMatchObject({ attempt: 2, offset: 0 })
  const mirror = new Mirror(id)
  for (const frame of reading.frames) mirror.apply(frame)
  reading.close()
  expect(mirror).toMatchObject({ faults: [], compared: 1 })
})

test('W6: a position ahead of this store gets reset; without after nothing old is told', async () => {
  const { api, belay } = given
  const model = given.models.script(says('Hello.'))
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'hi')
  await outcomesAtRest(api, id, 1)
  const ahead = await StreamReading.open(belay, { sessions: [id], after: 999_999_999 })
  await ahead.until((frame) => frame.event === 'reset')
  ahead.close()
  const fresh = await given.reading(id)
  const hello = await fresh.until((frame) => frame.event === 'hello')
  await api.ask('PATCH', `/api/sessions/${id}`, { title: 'A new title' })
  await fresh.event('session.changed')
  expect(fresh.events(id).map((event) => event.type)).toEqual(['session.changed'])
  expect(hello.data).toMatchObject({ position: (fresh.events(id)[0]?.position ?? 0) - 1 })
})

test('W6: a reader that comes back is told of the summaries that changed and of sessions that were removed', async () => {
  const { api, belay } = given
  const kept = await api.create({ model: 'rehearsal/fast', title: 'Kept' })
  const gone = await api.create({ model: 'rehearsal/fast', title: 'Gone' })
  const reading = await given.reading(kept.id)
  const hello = await reading.until((frame) => frame.event === 'hello')
  const position = (hello.data as { position: number }).position
  reading.close()
  await api.ask('PATCH', `/api/sessions/${kept.id}`, { title: 'Kept and renamed' })
  await api.ask('DELETE', `/api/sessions/${gone.id}`)
  const again = await StreamReading.open(belay, { after: position })
  await again.summary(kept.id, (session) => session.title === 'Kept and renamed')
  await again.until((frame) => frame.event === 'session-removed' && frame.data.sessionId === gone.id)
  again.close()
})

test('W8: no chunk of the stream ends inside a code point, whatever pieces the model sends', async () => {
  const { api } = given
  const emoji = '👩‍👩‍👧‍👦🪢漢字'
  const model = given.models.script([
    { kind: 'text', pieces: Array.from({ length: 40 }, (_, at) => emoji.slice(at % emoji.length)), delayMs: 2 },
  ])
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'go')
  await reading.event('turn.end')
  for (const chunk of reading.chunks) {
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(chunk)).not.toThrow()
  }
})
