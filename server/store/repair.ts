/** Closes at a start what a dead process left open, and finishes what it had begun to remove (L6). */
import type { SessionId, TurnId } from '@/lib/contract/ids'
import type { RuntimeLogger } from '@/server/runtime/ports'
import type { Catalogue } from './catalogue'
import type { DraftStore } from './draft-store'
import type { SqliteEventLog } from './event-log'
import { emptyTail, foldTail } from './open-turn'
import { closeOrphan } from './orphan-closing'

export interface RepairParts {
  readonly log: SqliteEventLog
  readonly drafts: DraftStore
  readonly catalogue: Catalogue
  readonly logger: RuntimeLogger
}

export interface RepairReport {
  readonly closed: readonly { readonly sessionId: SessionId; readonly turnId: TurnId }[]
  readonly removed: readonly SessionId[]
}

/**
 * Call it once, before anything runs. Each open turn is closed in one append; a second call finds nothing to do. It starts
 * nothing and touches no queue. Its cost grows with what was open, not with the store. A session that cannot be repaired
 * is logged and left as it is, with the drafts of all.
 */
export function repair({ log, drafts, catalogue, logger }: RepairParts): RepairReport {
  const removed = catalogue.hidden()
  for (const id of removed) catalogue.removeHidden(id)
  const closed: { sessionId: SessionId; turnId: TurnId }[] = []
  let failed = false
  for (const sessionId of catalogue.withOpenTurn()) {
    try {
      const turnId = closeSession(sessionId, log, drafts)
      if (turnId) closed.push({ sessionId, turnId })
    } catch (error) {
      failed = true
      const reason = error instanceof Error ? error.message : String(error)
      logger.error('A session that was left open could not be closed', { sessionId, reason })
    }
  }
  if (!failed) drafts.clearLeft()
  return { closed, removed }
}

function closeSession(sessionId: SessionId, log: SqliteEventLog, drafts: DraftStore): TurnId | null {
  let tail = emptyTail
  for (const event of log.read(sessionId)) tail = foldTail(tail, event)
  if (tail.open === null) {
    log.refold(sessionId) // damaged before its open turn: what can be read is closed already (L7)
    return null
  }
  log.append(sessionId, closeOrphan(tail.open, tail, drafts.left(sessionId)))
  return tail.open.turnId
}
