/** What the pages need from the server for their first paint. The only file of the pages that reads the container. */

import type { FrameData } from '@/components/workbench/frame-data'
import type { SessionPageData } from '@/components/workbench/session-page-data'
import { AppError } from '@/lib/contract/errors'
import { type SessionId, sessionIdSchema } from '@/lib/contract/ids'
import type { ProvidersAnswer } from '@/lib/contract/providers'
import type { TurnRow } from '@/lib/contract/session'
import { container } from '@/server/container'

/** As many rows as the list asks for at once. */
const pageSize = 50
/** Enough to fill a screen many times; the rest is fetched when somebody scrolls up. */
const firstEvents = 200
const beyondAll = 999_999_999_999_999

export function frameData(): FrameData {
  const { sessions, models, config } = container()
  return {
    sessions: sessions.list({ limit: pageSize, archived: false }),
    models: { models: models.list(), default: models.default() },
    defaultWorkspace: config.workspace,
  }
}

/** Null when no such session is there. */
export function sessionPageData(id: string): SessionPageData | null {
  const known = sessionIdSchema.safeParse(id)
  if (!known.success) return null
  return ifFound(() => loadSession(known.data))
}

export function sessionTitle(id: string): string | null {
  const known = sessionIdSchema.safeParse(id)
  return known.success ? ifFound(() => container().sessions.get(known.data).title) : null
}

export function firstTurns(): { turns: TurnRow[]; nextCursor: string | null } {
  return container().history.list({ limit: pageSize })
}

export function providersData(): ProvidersAnswer {
  return container().providers.list()
}

function loadSession(id: SessionId): SessionPageData {
  const { sessions } = container()
  const { events } = sessions.events(id, { before: beyondAll, limit: firstEvents })
  return { session: sessions.get(id), nodes: sessions.tree(id), events }
}

function ifFound<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}
