/** A process that streams into a store until it is killed. Run by `drafts.spec.ts`; prints `said N` after every tenth piece. */
import { join } from 'node:path'
import type { CallId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import { openDatabase } from '@/server/store/database'
import { DraftStore } from '@/server/store/draft-store'
import { SqliteEventLog } from '@/server/store/event-log'

const folder = process.argv[2]
if (!folder) throw new Error('the folder is missing')
const silent = { info: () => {}, warn: () => {}, error: () => {} }
const database = openDatabase(join(folder, 'belay.db'))
const log = new SqliteEventLog(database, { clock: { now: () => new Date() }, logger: silent })
const drafts = new DraftStore(database, { logger: silent })
const sessionId = 'ses_a' as SessionId
const turnId = 't1' as TurnId
const stepId = 's1' as StepId
const request = { model: 'rehearsal/script', settings: {}, systemHash: 's', toolsHash: 't' }

log.append(sessionId, [
  {
    type: 'session.created',
    data: {
      kind: 'root',
      parentId: null,
      rootId: sessionId,
      depth: 0,
      label: null,
      workspace: '/work',
      model: 'rehearsal/script',
      approvalMode: 'full-access',
    },
  },
  { type: 'turn.start', data: { turnId, n: 1, kind: 'prompt' } },
  { type: 'step.start', data: { turnId, stepId, attempt: 1, request } },
])
const draft = drafts.open({ sessionId, turnId, stepId, attempt: 1 })
draft.start(0, 'reasoning')
draft.append(0, 'thinking 取消 🧗')
draft.end(0)
draft.start(1, 'tool-call', { callId: 'c1' as CallId, name: 'run_command' })
draft.append(1, '{"command":"ls"}')
draft.end(1)
draft.start(2, 'text')
let n = 0
setInterval(() => {
  n += 1
  draft.append(2, `${n} `)
  drafts.toolOutput(sessionId, 'c9' as CallId, `line ${n}\n`)
  if (n % 10 === 0) console.log(`said ${n} at ${Date.now()}`)
}, 5)
