/** Everything behind the routes, with a real store; only the model is scripted. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { SendMessageBody } from '@/lib/contract/commands'
import { AppError } from '@/lib/contract/errors'
import type { EventOf, EventType } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import { LiveSource } from '@/server/container/live-source'
import { SessionViews } from '@/server/container/session-views'
import { Sessions } from '@/server/container/sessions'
import { EventStream } from '@/server/http/event-stream'
import { Agents } from '@/server/runtime/agents'
import { Hooks } from '@/server/runtime/hooks'
import type { Tool } from '@/server/runtime/ports'
import { randomIds } from '@/server/runtime/random-ids'
import { systemClock } from '@/server/runtime/system-clock'
import { Catalogue } from '@/server/store/catalogue'
import { openDatabase } from '@/server/store/database'
import { DraftStore } from '@/server/store/draft-store'
import { SqliteEventLog } from '@/server/store/event-log'
import { type ReplyScript, ScriptedModel } from '../runtime/support/scripted-model'

export function tempFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `belay-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function givenServer(replies: readonly ReplyScript[] = [], tools: readonly Tool[] = []) {
  const workspace = tempFolder('workspace')
  const errors: string[] = []
  const logger = { info: () => undefined, warn: () => undefined, error: (message: string) => void errors.push(message) }
  const database = openDatabase(path.join(tempFolder('home'), 'belay.db'))
  const catalogue = new Catalogue(database)
  const log = new SqliteEventLog(database, { clock: systemClock, logger })
  const drafts = new DraftStore(database, { logger })
  const model = new ScriptedModel([...replies])
  const ports = {
    log,
    drafts,
    models: model,
    tools: { offered: () => tools },
    clock: systemClock,
    ids: randomIds,
    logger,
  }
  const agents = new Agents(ports, new Hooks())
  const views = new SessionViews(catalogue, agents)
  const source = new LiveSource({ runtimeId: 'run_test', log, drafts, agents, views })
  const models = {
    default: () => 'test/model',
    check: (name: string) => {
      if (!name.startsWith('test/')) throw new AppError('model-unavailable', `${name} needs TEST_API_KEY.`)
    },
  }
  const removed: SessionId[] = []
  const onRemoved = (id: SessionId) => {
    removed.push(id)
    source.removed(id)
  }
  const sessions = new Sessions({ agents, log, catalogue, views, models, ids: randomIds, logger, workspace, onRemoved })
  const stream = new EventStream(source)
  onTestFinished(async () => {
    await agents.disposeAll()
    await sessions.whenRemoved()
    stream.close()
    drafts.close()
    database.close()
  })
  return {
    workspace,
    errors,
    log,
    catalogue,
    model,
    agents,
    views,
    source,
    stream,
    sessions,
    removed,
    create: (text?: string) => sessions.create(text === undefined ? {} : { message: { text } }).session.id,
    send: (id: SessionId, text: string, more: Partial<SendMessageBody> = {}) => sessions.send(id, { text, ...more }),
    whenIdle: (id: SessionId) => agents.get(id)?.whenIdle(),
    all: <T extends EventType>(id: SessionId, type: T) =>
      [...log.read(id)]
        .filter((event): event is EventOf<T> => event.type === type)
        .map((event) => event.data as EventOf<T>['data']),
  }
}

/** The code of the refusal that `work` throws. */
export function refusalOf(work: () => unknown): AppError {
  try {
    work()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was refused')
}
