/** What the pages need from the server for their first paint. The only file of the pages that reads the container. */

import type { FrameData } from '@/components/workbench/frame-data'
import type { SessionPageData } from '@/components/workbench/session-page-data'
import type { SessionStart } from '@/lib/client/session-start'
import { AppError } from '@/lib/contract/errors'
import { type SessionId, sessionIdSchema, type TurnId, turnIdSchema } from '@/lib/contract/ids'
import type { ProvidersAnswer } from '@/lib/contract/providers'
import type { TurnRow } from '@/lib/contract/session'
import { container } from '@/server/container'

/** As many rows as the list asks for at once. */
const pageSize = 50
/** Enough to fill a screen many times; the rest is fetched when somebody scrolls up. */
const firstEvents = 200
/** Shown before a turn that an address leads to, so that there is a way up. */
const eventsBefore = 40
const beyondAll = 999_999_999_999_999

export function frameData(): FrameData {
  const { sessions, models, config } = container()
  return {
    sessions: sessions.list({ limit: pageSize, archived: false }),
    models: { models: models.list(), default: models.default() },
    defaultWorkspace: config.workspace,
  }
}

/** Null when no such session is there. `openAt` is the turn that the address names. */
export function sessionPageData(id: string, openAt: string | null): SessionPageData | null {
  const known = sessionIdSchema.safeParse(id)
  if (!known.success) return null
  const turn = turnIdSchema.safeParse(openAt)
  return ifFound(() => loadSession(known.data, turn.success ? turn.data : null))
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

function loadSession(id: SessionId, turn: TurnId | null): SessionPageData {
  const { sessions } = container()
  return { session: sessions.get(id), nodes: sessions.tree(id), start: sessionStart(id, turn) }
}

function sessionStart(id: SessionId, turn: TurnId | null): SessionStart {
  const { sessions, source } = container()
  const { events } = sessions.events(id, { before: beyondAll, limit: firstEvents })
  const [first] = turn === null ? [] : sessions.events(id, { turnId: turn, limit: 1 }).events
  const isNew = first === undefined || first.seq >= (events[0]?.seq ?? 0)
  const after = Math.max(0, (first?.seq ?? 0) - 1 - eventsBefore)
  return {
    events,
    deltas: source.openDeltas([id]),
    outputs: source.openToolOutputs([id]),
    around: isNew ? null : sessions.events(id, { after, limit: firstEvents }).events,
  }
}

function ifFound<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return null
    throw error
  }
}
