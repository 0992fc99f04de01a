/** The composition root: builds everything once per process and keeps it across hot reloads. Only app, cli and start-up read it. */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Config } from './config'
import { LiveSource } from './container/live-source'
import { createLogger } from './container/logger'
import { processAccess, processConfig } from './container/process-config'
import { Providers } from './container/providers'
import { takeServerLock } from './container/server-lock'
import { SessionViews } from './container/session-views'
import { Sessions } from './container/sessions'
import { EventStream } from './http/event-stream'
import type { Access } from './http/guard'
import { readProviderSettings } from './models/provider-settings'
import { ModelRegistry } from './models/registry'
import { Agents } from './runtime/agents'
import { Hooks } from './runtime/hooks'
import type { RuntimeLogger } from './runtime/ports'
import { randomIds } from './runtime/random-ids'
import { systemClock } from './runtime/system-clock'
import { Catalogue } from './store/catalogue'
import { openDatabase } from './store/database'
import { DraftStore } from './store/draft-store'
import { SqliteEventLog } from './store/event-log'
import { repair } from './store/repair'
import { TurnHistory } from './store/turn-history'
import { createTools } from './tools/registry'

const version = '0.1.0'
/** How often idle sessions leave memory and local model servers are looked for, in milliseconds. */
const housekeepingMs = 60_000

export interface Container {
  readonly config: Config
  readonly access: Access
  readonly version: string
  /** Random per process: tells a client that it talks to another server than before. */
  readonly runtimeId: string
  readonly logger: RuntimeLogger
  readonly agents: Agents
  readonly sessions: Sessions
  readonly history: TurnHistory
  readonly models: ModelRegistry
  readonly providers: Providers
  readonly stream: EventStream
  readonly source: LiveSource
  /** False once the server is going down (R3). */
  isAccepting(): boolean
  /** From now on requests are refused. */
  stopAccepting(): void
  /** Writes what is left and lets go of the data folder. Call it when nothing runs any more. */
  close(): void
}

const key = Symbol.for('belay.container')
const shared = globalThis as { [key]?: Container }

/** The container of this process, built on first use: at start-up by `instrumentation.ts`, before the first request. */
export function container(): Container {
  shared[key] ??= build()
  return shared[key]
}

function build(): Container {
  const config = processConfig()
  const releaseLock = takeServerLock(config.home, addressOf(config))
  const logger = createLogger()
  try {
    return compose(config, logger, releaseLock)
  } catch (error) {
    releaseLock()
    throw error
  }
}

function compose(config: Config, logger: RuntimeLogger, releaseLock: () => void): Container {
  const database = openDatabase(path.join(config.home, 'belay.db'))
  const catalogue = new Catalogue(database)
  const log = new SqliteEventLog(database, { clock: systemClock, logger })
  const drafts = new DraftStore(database, { logger })
  repair({ log, drafts, catalogue, logger })

  const settings = readProviderSettings(config.home)
  const models = new ModelRegistry({ env: process.env, settings, clock: systemClock })
  const ports = { log, drafts, models, tools: createTools(), clock: systemClock, ids: randomIds, logger }
  const agents = new Agents(ports, new Hooks())
  const views = new SessionViews(catalogue, agents)
  const runtimeId = `run_${randomUUID()}`
  const source = new LiveSource({ runtimeId, log, drafts, agents, views })
  const sessions = new Sessions({
    agents,
    log,
    catalogue,
    views,
    models,
    ids: randomIds,
    logger,
    workspace: config.workspace,
    onRemoved: (id) => source.removed(id),
  })

  const stopProbing = models.keepProbing(housekeepingMs)
  const housekeeping = setInterval(() => {
    agents
      .expireIdle()
      .catch((error: unknown) => logger.error('an idle session could not be let go', { error: String(error) }))
  }, housekeepingMs).unref()
  let accepting = true
  return {
    config,
    access: processAccess(),
    version,
    runtimeId,
    logger,
    agents,
    sessions,
    history: new TurnHistory(database),
    models,
    providers: new Providers({ home: config.home, models }),
    stream: new EventStream(source),
    source,
    isAccepting: () => accepting,
    stopAccepting: () => {
      accepting = false
    },
    close: () => {
      clearInterval(housekeeping)
      stopProbing().catch(() => undefined) // Its own end is no news.
      source.close()
      drafts.close()
      database.close()
      releaseLock()
    },
  }
}

function addressOf({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
