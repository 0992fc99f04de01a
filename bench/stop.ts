/** Stop: from the click and from the request to the closed socket, the button, and the durable end. */
import type { Browser } from '@playwright/test'
import type { Belay } from '../e2e/support/server'
import { StreamReading } from '../e2e/support/stream'
import type { ModelServer } from '../tests/support/model-server/model-server'
import { epochNow, epochOf } from './clock'
import { openPage, openSession, probeOf } from './page'
import type { Figure } from './table'

export async function measureStop(
  browser: Browser,
  belay: Belay,
  models: ModelServer,
  rounds: number,
): Promise<Figure[]> {
  const byClick = await clicks(browser, belay, models, rounds)
  const byRequest = await requests(belay, models, rounds)
  return [
    { name: 'Stop click → model socket closed', unit: 'ms', target: '≤ 5 ms', samples: byClick.sockets },
    { name: 'Stop request → model socket closed', unit: 'ms', target: '≤ 2 ms', samples: byRequest.sockets },
    { name: 'Stop click → Stopping', unit: 'ms', target: '≤ 17 ms', samples: byClick.stopping },
    { name: 'Stop click → Stopped', unit: 'ms', target: '≤ 25 ms', samples: byClick.stopped },
    {
      name: 'Stop request → turn.end on the stream',
      unit: 'ms',
      target: '≤ 5 ms, written first',
      samples: byRequest.ends,
    },
    { name: 'turn.end written before it is announced', unit: '%', target: '100 %', samples: byRequest.writtenFirst },
  ]
}

async function clicks(browser: Browser, belay: Belay, models: ModelServer, rounds: number) {
  const sockets: number[] = []
  const stopping: number[] = []
  const stopped: number[] = []
  const session = await belay.api.create({ model: 'openai-compatible/steady' })
  const page = await openPage(browser, belay)
  await openSession(page, belay, session.id)
  for (let round = 0; round < rounds; round++) {
    const n = models.requests.length + 1
    await belay.api.send(session.id, `round ${round}`)
    await models.received(n)
    const stop = page.getByRole('button', { name: 'Stop this turn' })
    await stop.waitFor()
    await page.waitForTimeout(300)
    await stop.click()
    const closedAt = epochOf(await models.socketClosed(n))
    await page.waitForFunction(
      () => (window as unknown as { belayProbe: { stoppedAt: number } }).belayProbe.stoppedAt > 0,
    )
    const probe = await probeOf(page)
    sockets.push(closedAt - probe.clickedAt)
    stopping.push(probe.stoppingAt - probe.clickedAt)
    stopped.push(probe.stoppedAt - probe.clickedAt)
  }
  await page.context().close()
  return { sockets, stopping, stopped }
}

async function requests(belay: Belay, models: ModelServer, rounds: number) {
  const sockets: number[] = []
  const ends: number[] = []
  const writtenFirst: number[] = []
  const session = await belay.api.create({ model: 'openai-compatible/steady' })
  const reading = await StreamReading.open(belay, { sessions: [session.id] })
  for (let round = 0; round < rounds; round++) {
    const n = models.requests.length + 1
    const from = reading.frames.length
    await belay.api.send(session.id, `round ${round}`)
    await models.received(n)
    await reading.text(session.id, (text) => text.length > 20, { from })
    const askedAt = epochNow()
    const asked = belay.api.cancel(session.id)
    const end = await reading.event('turn.end', undefined, { from })
    const log = await belay.api.events(session.id)
    writtenFirst.push(log.some((event) => event.position === end.position) ? 100 : 0)
    sockets.push(epochOf(await models.socketClosed(n)) - askedAt)
    ends.push(performance.timeOrigin + end.arrivedAt - askedAt)
    await asked
  }
  reading.close()
  return { sockets, ends, writtenFirst }
}
