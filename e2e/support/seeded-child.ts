/** Puts a subagent's session into a stopped server's store, so that the routes for roots can refuse it before children exist. */
import path from 'node:path'
import type { SessionId } from '@/lib/contract/ids'
import { openDatabase } from '@/server/store/database'
import { SqliteEventLog } from '@/server/store/event-log'

export function seedChild(home: string, parentId: string, kind: 'one-shot' | 'continuable'): string {
  const database = openDatabase(path.join(home, 'belay.db'))
  try {
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined }
    const log = new SqliteEventLog(database, { clock: { now: () => new Date() }, logger })
    const id = `ses_child_${kind}` as SessionId
    log.append(id, [
      {
        type: 'session.created',
        data: {
          kind,
          parentId: parentId as SessionId,
          rootId: parentId as SessionId,
          depth: 1,
          label: 'A seeded child',
          workspace: home,
          model: 'rehearsal/fast',
          approvalMode: 'ask',
        },
      },
    ])
    return id
  } finally {
    database.close()
  }
}
