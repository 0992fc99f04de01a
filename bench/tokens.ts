/** Tokens: from the model's socket to our event stream and to the page, and the rate that the page keeps up with. */
import type { Browser } from '@playwright/test'
import type { Belay } from '../e2e/support/server'
import { StreamReading } from '../e2e/support/stream'
import { openPage, openSession, probeOf } from './page'
import type { Figure } from './table'

export async function measureTokens(browser: Browser, belay: Belay): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const rate of [100, 500]) {
    figures.push({
      name: `chunk → event stream at ${rate} tok/s`,
      unit: 'ms',
      target: '≤ 1 ms, p95 ≤ 3 ms',
      samples: await toStream(belay, rate),
    })
    figures.push({
      name: `chunk → DOM at ${rate} tok/s`,
      unit: 'ms',
      target: '≤ 10 ms, p95 ≤ 17 ms',
      samples: (await toPage(browser, belay, rate)).ages,
    })
  }
  const flood = await toPage(browser, belay, 8000)
  figures.push({
    name: 'page behind the model at 8,000 tok/s, at the end',
    unit: 'ms',
    target: '≤ 250 ms',
    samples: [flood.behind],
  })
  return figures
}

async function toStream(belay: Belay, rate: number): Promise<number[]> {
  const session = await belay.api.create({ model: `openai-compatible/stamps-${rate}` })
  const reading = await StreamReading.open(belay, { sessions: [session.id] })
  await belay.api.send(session.id, 'go')
  await reading.event('turn.end', undefined, { within: 60_000 })
  reading.close()
  const ages: number[] = []
  for (const frame of reading.frames) {
    if (frame.event !== 'delta') continue
    const newest = frame.data.text.match(/1\d{12}\.\d+/g)?.at(-1)
    if (newest) ages.push(performance.timeOrigin + frame.at - Number(newest))
  }
  return ages
}

async function toPage(browser: Browser, belay: Belay, rate: number) {
  const session = await belay.api.create({ model: `openai-compatible/stamps-${rate}` })
  const page = await openPage(browser, belay)
  await openSession(page, belay, session.id)
  const reading = await StreamReading.open(belay, { sessions: [session.id] })
  await belay.api.send(session.id, 'go')
  await reading.event('turn.end', undefined, { within: 120_000 })
  reading.close()
  await page.getByRole('button', { name: 'Stop this turn' }).waitFor({ state: 'detached', timeout: 60_000 })
  const { ages } = await probeOf(page)
  await page.context().close()
  return { ages, behind: ages.at(-1) ?? Number.NaN }
}
