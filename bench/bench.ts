/**
 * `npm run bench`: starts the production build and a loopback model double, and prints one table of figures with their targets.
 * `npm run bench -- --rounds 5 --only stop,tokens` measures less. It measures; it never fails for a slow figure.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Belay, projectRoot } from '../e2e/support/server'
import { longSession, seedSession } from '../scripts/seed-sessions'
import { systemClock } from '../server/runtime/system-clock'
import { openDatabase } from '../server/store/database'
import { SqliteEventLog } from '../server/store/event-log'
import { type RecordedRequest, startModelServer } from '../tests/support/model-server/model-server'
import type { ServerStep } from '../tests/support/model-server/steps'
import { measureCrash, measureReload, measureStart } from './life'
import { measureLoad } from './load'
import { measureLongSession } from './long-session'
import { openBrowser } from './page'
import { measureStop } from './stop'
import { type Figure, table } from './table'
import { measureTokens } from './tokens'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, only: { type: 'string' } } })
const rounds = Number(values.rounds)
const longTurns = 500
const longId = 'ses_bench_long'

const models = await startModelServer({ script: scriptOf, models: ['steady'] })
const belay = await Belay.prepare({ env: { OPENAI_COMPATIBLE_BASE_URL: models.url } })
seedLong(belay)
await belay.startAgain()
const browser = await openBrowser()
const parts: Readonly<Record<string, () => Promise<Figure[]>>> = {
  start: () => measureStart(Math.min(rounds, 5)),
  stop: () => measureStop(browser, belay, models, rounds),
  tokens: () => measureTokens(browser, belay),
  long: () => measureLongSession(browser, belay, longId, longTurns, Math.min(rounds, 10)),
  load: () => measureLoad(belay),
  reload: () => measureReload(browser, belay, Math.min(rounds, 5)),
  crash: () => measureCrash(models, Math.min(rounds, 5)),
}
const wanted = values.only?.split(',') ?? Object.keys(parts)
const figures: Figure[] = []
try {
  for (const name of wanted) {
    const part = parts[name]
    if (!part) throw new Error(`There is no part ${name}; there are: ${Object.keys(parts).join(', ')}`)
    console.error(`measuring ${name} …`)
    figures.push(...(await part()))
  }
} finally {
  await browser.close()
  await belay.dispose()
  await models.close()
}
const [cpu] = cpus()
const text = `${cpus().length} × ${cpu?.model ?? 'unknown processor'}, Node ${process.version}\n\n${table(figures)}\n`
mkdirSync(join(projectRoot, 'bench/results'), { recursive: true })
writeFileSync(join(projectRoot, 'bench/results/latest.md'), text)
console.log(text)

/** The double's model names say what it does. */
function scriptOf(request: RecordedRequest): readonly ServerStep[] {
  const rate = /stamps-(\d+)/.exec(request.model)?.[1]
  if (rate !== undefined) {
    const perSecond = Number(rate)
    const seconds = perSecond === 20 ? 8 : perSecond > 1000 ? 4 : 6
    return [
      { kind: 'stamps', perSecond, count: perSecond * seconds },
      { kind: 'finish', reason: 'stop' },
    ]
  }
  if (request.model.includes('numbers')) {
    const pieces = Array.from({ length: 150 }, (_unused, index) => `n${index} `)
    return [
      { kind: 'text', pieces, delayMs: 20 },
      { kind: 'finish', reason: 'stop' },
    ]
  }
  return [
    { kind: 'stamps', perSecond: 50, count: 50 * 60 },
    { kind: 'finish', reason: 'stop' },
  ]
}

function seedLong(server: Belay): void {
  mkdirSync(server.home, { recursive: true })
  const database = openDatabase(join(server.home, 'belay.db'))
  const logger = { info: () => undefined, warn: console.warn, error: console.error }
  const log = new SqliteEventLog(database, { clock: systemClock, logger })
  seedSession(log, longSession(longId, longTurns, server.workspace, new Date(Date.now() - 86_400_000)))
  database.close()
}
