/** The server's life: start to first answer, memory at rest, a reload in mid-turn, a kill in mid-turn. */
import type { Browser } from '@playwright/test'
import { Belay } from '../e2e/support/server'
import { StreamReading } from '../e2e/support/stream'
import type { ModelServer } from '../tests/support/model-server/model-server'
import { residentMiB } from './load'
import { openPage, openSession } from './page'
import type { Figure } from './table'

export async function measureStart(rounds: number): Promise<Figure[]> {
  const starts: number[] = []
  const memory: number[] = []
  for (let round = 0; round < rounds; round++) {
    const belay = await Belay.prepare()
    const from = performance.now()
    await belay.startAgain()
    starts.push(performance.now() - from)
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    memory.push(residentMiB(belay.pid))
    await belay.dispose()
  }
  return [
    { name: 'start → first answer', unit: 'ms', target: '≤ 800 ms', samples: starts },
    { name: 'memory at rest', unit: 'MiB', target: '≤ 150 MiB', samples: memory },
  ]
}

export async function measureReload(browser: Browser, belay: Belay, rounds: number): Promise<Figure[]> {
  const caughtUp: number[] = []
  let wrong = 0
  for (let round = 0; round < rounds; round++) {
    const session = await belay.api.create({ model: 'openai-compatible/numbers' })
    const page = await openPage(browser, belay)
    await openSession(page, belay, session.id)
    await belay.api.send(session.id, 'go')
    await page
      .getByText(/\bn40\b/)
      .first()
      .waitFor()
    await page.reload({ waitUntil: 'commit' })
    caughtUp.push(
      await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const look = () => {
              if (/\bn4\d\b/.test(document.querySelector('main')?.textContent ?? '')) resolve(performance.now())
              else requestAnimationFrame(look)
            }
            look()
          }),
      ),
    )
    await page
      .getByText(/\bn149\b/)
      .first()
      .waitFor({ timeout: 30_000 })
    const shown = (await page.locator('main').textContent())?.match(/n\d+(?= )/g) ?? []
    const expected = Array.from({ length: 150 }, (_unused, index) => `n${index}`)
    if (shown.join() !== expected.join()) wrong++
    await page.context().close()
  }
  return [
    { name: 'reload in mid-turn → caught up', unit: 'ms', target: '≤ 500 ms', samples: caughtUp },
    { name: 'reloads with text lost or doubled', unit: '', target: '0', samples: [wrong] },
  ]
}

export async function measureCrash(models: ModelServer, rounds: number): Promise<Figure[]> {
  const lost: number[] = []
  let orphaned = 0
  for (let round = 0; round < rounds; round++) {
    const belay = await Belay.start({ env: { OPENAI_COMPATIBLE_BASE_URL: models.url } })
    const session = await belay.api.create({ model: 'openai-compatible/stamps-500' })
    const reading = await StreamReading.open(belay, { sessions: [session.id] })
    await belay.api.send(session.id, 'go')
    await reading.text(session.id, (text) => text.length > 4_000 + 997 * round)
    await belay.kill9()
    await belay.startAgain()
    const [message] = await belay.api.eventsOf(session.id, 'assistant.message')
    const kept = message?.data.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('') ?? ''
    lost.push(shownSince(reading, kept.length))
    const [end] = await belay.api.eventsOf(session.id, 'turn.end')
    if (end?.data.outcome.kind === 'orphaned') orphaned++
    await belay.dispose()
  }
  return [
    { name: 'kill -9 in mid-turn: text lost', unit: 'ms', target: '≤ 250 ms', samples: lost },
    { name: 'such turns that say orphaned', unit: '%', target: '100 %', samples: [(100 * orphaned) / rounds] },
  ]
}

/** Milliseconds from the moment at which the first character behind `offset` was shown to the last one that was shown. */
function shownSince(reading: StreamReading, offset: number): number {
  const deltas = reading.frames.flatMap((frame) => (frame.event === 'delta' ? [{ ...frame.data, at: frame.at }] : []))
  const firstLost = deltas.find((delta) => delta.offset + delta.text.length > offset)
  return firstLost ? (deltas.at(-1)?.at ?? firstLost.at) - firstLost.at : 0
}
