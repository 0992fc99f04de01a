/** The event stream as bytes on a wire: at once, never compressed, kept alive, and cheap when somebody does not read (W8). */
import type { IncomingMessage } from 'node:http'
import { expect, test } from '@playwright/test'
import { type BufferingProxy, startBufferingProxy } from '../support/buffering-proxy'
import { givenBelay } from '../support/given-belay'
import { connect } from '../support/http'
import { connectionsAt, residentBytes } from '../support/processes'
import { pause, times, waited } from '../support/scale'
import type { ServerStep } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { StreamReading } from '../support/stream'
import { outcomesAtRest, textsIn } from '../support/turns'

const given = givenBelay()
let proxy: BufferingProxy | undefined
let quiet: StreamReading | undefined

test.beforeAll(async () => {
  proxy = await startBufferingProxy(given.belay.url)
  quiet = await StreamReading.open(given.belay)
})
test.afterAll(async () => {
  quiet?.close()
  await proxy?.close()
})

for (const way of ['straight', 'through a buffering reverse proxy'] as const) {
  test(`S-K1: pieces and the stop arrive as they happen, ${way}, whatever encoding the client accepts`, async () => {
    const { api, belay } = given
    const pieces = times(50, { least: 20 })
    const steps: ServerStep[] = [
      { kind: 'text', pieces: Array.from({ length: pieces }, (_, n) => `piece-${n} `), delayMs: 100 },
      { kind: 'hang' },
    ]
    const model = given.models.script(steps)
    const through = way === 'straight' ? belay.url : (proxy?.url ?? '')
    const hellos: number[] = []
    const gaps: number[] = []
    const stops: number[] = []
    // Three rounds and their medians: a buffer holds back every round, a busy machine only one.
    for (let round = 0; round < 3; round += 1) {
      const { id } = await api.create({ model: model.id })
      const reading = await StreamReading.open(belay, {
        sessions: [id],
        through,
        headers: { 'accept-encoding': 'gzip, br' },
      })
      expect(reading.headers['content-encoding']).toBeUndefined()
      const hello = await reading.until((frame) => frame.event === 'hello')
      hellos.push(hello.at - reading.askedAt)

      await api.send(id, 'go')
      await reading.text(id, (text) => text.includes(`piece-${pieces - 1}`))
      const arrivals = reading.frames.flatMap((frame) => (frame.event === 'delta' ? [frame.at] : []))
      gaps.push(...arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? at)))

      const stoppedAt = performance.now()
      await api.cancel(id, { via: 'button' })
      stops.push((await reading.event('turn.end')).arrivedAt - stoppedAt)
      reading.close()
    }
    expect(median(hellos)).toBeLessThan(300)
    expect(median(gaps)).toBeGreaterThanOrEqual(80)
    expect(median(gaps)).toBeLessThanOrEqual(150)
    expect(median(stops)).toBeLessThan(300)
  })
}

test('S-K3: a turn outlives its clients: all of them leave, the turn completes and its text is whole', async () => {
  const { api } = given
  const words = times(400, { least: 40 })
  const model = given.models.script((_request, n) => {
    if (n < 3) return [{ kind: 'text', pieces: `Part ${n}. ` }, runsFor(waited(3000) / 1000)]
    return [{ kind: 'text', pieces: Array.from({ length: words }, (_, word) => `word-${word} `), delayMs: 20 }]
  })
  const { id } = await api.create({ model: model.id })
  const readers = [await given.reading(id), await given.reading(id)]
  await api.send(id, 'a long turn')
  await readers[0]?.event('tool.start')
  for (const reader of readers) reader.close()
  await pause(waited(40_000))

  expect(await outcomesAtRest(api, id, 1, 30_000)).toEqual(['completed'])
  const stored = storedEvents(given.belay.home, id)
  expect(textsIn(stored)).toEqual([
    'Part 1. ',
    'Part 2. ',
    Array.from({ length: words }, (_, word) => `word-${word} `).join(''),
  ])
})

test('S-K3: a Stop sent just before leaving ends the turn as aborted', async () => {
  const { api } = given
  const model = given.models.script([{ kind: 'stamps', count: 1000, perSecond: 20 }])
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'a long turn')
  await reading.text(id, (text) => text !== '')
  const stopping = api.cancel(id, { via: 'button' })
  reading.close()
  await stopping
  expect(await outcomesAtRest(api, id, 1)).toEqual(['aborted'])
})

test('S-K5: a client that never reads is dropped, costs little memory, and delays nobody', async () => {
  test.slow()
  const { api, belay } = given
  const megabytes = times(200, { least: 24 })
  const perTurn = 2
  const piece = 'x'.repeat(32 * 1024)
  const steps: ServerStep[] = [{ kind: 'text', pieces: Array.from({ length: (perTurn * 1024) / 32 }, () => piece) }]
  const model = given.models.script(steps)
  const connections = connectionsAt(belay.port)
  // The same work once without the stalled client: what that one costs is the difference.
  const { id: usualId } = await api.create({ model: model.id })
  const usual = await produce(usualId, megabytes)

  const { id } = await api.create({ model: model.id })
  const stalled = await stalledReader(id)
  const most = await produce(id, megabytes)
  expect(most - usual).toBeLessThan(60 * 1024 * 1024)

  const endless = given.models.script([{ kind: 'stamps', count: 100_000, perSecond: 100 }])
  const { id: other } = await api.create({ model: endless.id })
  const reading = await given.reading(other)
  await api.send(other, 'go')
  await reading.text(other, (text) => text !== '')
  const stoppedAt = performance.now()
  await api.cancel(other)
  expect((await reading.event('turn.end')).arrivedAt - stoppedAt).toBeLessThan(1000)
  reading.close()

  const leaving = await stalledReader(id)
  await produce(id, perTurn)
  leaving.destroy()
  const late = await readToItsEnd(stalled)
  expect(late, 'dropped: what it had missed was given up').toBeLessThan((megabytes / 2) * 1024 * 1024)
  await expect.poll(() => connectionsAt(belay.port), { timeout: 10_000 }).toBe(connections)

  /** Turns that stream so much text, one after the other, each read completely by a client that reads. Returns the most memory seen. */
  async function produce(session: string, amount: number): Promise<number> {
    let seen = 0
    for (let sent = 0; sent < amount; sent += perTurn) {
      const reader = await StreamReading.open(belay, { sessions: [session] })
      const { turns } = await api.turns(`?session=${session}&limit=1`)
      await api.send(session, 'much', turns[0] && { replaces: turns[0].turnId })
      await reader.event('turn.end', undefined, { within: 20_000 })
      const lengths = reader.frames.map((frame) => (frame.event === 'delta' ? frame.data.text.length : 0))
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(perTurn * 1024 * 1024)
      reader.close()
      seen = Math.max(seen, residentBytes(belay.pid) ?? 0)
    }
    return seen
  }
})

test('W8: the stream is neither stored, compressed nor buffered, and says so', async () => {
  const response = await connect(`${given.belay.url}/api/stream`, {
    headers: { authorization: `Bearer ${given.belay.token}`, 'accept-encoding': 'gzip, br, deflate' },
  })
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  expect(response.headers['content-encoding']).toBeUndefined()
  response.destroy()
})

test('W8: a quiet stream gets a keep-alive comment every 15 s', async () => {
  const reading = quiet
  if (!reading) throw new Error('The quiet stream is opened before the first test.')
  const first = await reading.keptAlive(20_000)
  expect(first.text.trim()).toBe('keep-alive')
  // A busy machine delivers late, never early: what matters is that a proxy with an idle limit of 20 s does not cut.
  expect((reading.comments[0]?.at ?? 0) - reading.askedAt).toBeLessThan(20_000)
  const gaps = reading.comments.slice(1).map(({ at }, index) => at - (reading.comments[index]?.at ?? at))
  for (const gap of gaps) expect(gap).toBeLessThan(20_000)
})

/** Opens the stream and reads nothing of it. */
async function stalledReader(id: string): Promise<IncomingMessage> {
  const response = await connect(`${given.belay.url}/api/stream?sessions=${id}`, {
    headers: { authorization: `Bearer ${given.belay.token}` },
  })
  expect(response.statusCode).toBe(200)
  response.on('error', () => undefined) // It is cut off in the end: that is what is expected.
  return response.pause()
}

/** Reads whatever is still on its way until the server's cut; returns the bytes. */
function readToItsEnd(response: IncomingMessage): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
    })
    response.once('close', () => resolve(bytes))
    response.resume()
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN
}

function runsFor(seconds: number): ServerStep {
  return { kind: 'call', name: 'run_command', input: { command: `sleep ${seconds}` } }
}
