/** One session in every state, for the fixture page and the tests. */
import type { SessionId, TurnId } from '@/lib/contract/ids'
import { type Session, type StateWord, sessionSchema } from '@/lib/contract/session'

const at = '2026-03-02T12:04:31.000Z'

/** A session that was just made, changed by what is given. */
export function sampleSession(change: Partial<Session> & { id?: SessionId } = {}): Session {
  const id = change.id ?? ('ses_sample' as SessionId)
  return sessionSchema.parse({
    id,
    kind: 'root',
    parentId: null,
    rootId: id,
    depth: 0,
    title: 'Fix the flaky upload test',
    label: null,
    workspace: '/home/ada/code/shop',
    model: 'anthropic/claude-sonnet',
    approvalMode: 'ask',
    archived: false,
    createdAt: at,
    updatedAt: at,
    lastSeq: 1,
    activity: 'idle',
    openTurnId: null,
    paused: false,
    queue: [],
    needs: 0,
    resident: false,
    lastOutcome: null,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    waitingOn: [],
    ...change,
  })
}

const turn = { openTurnId: 'turn_open' as TurnId, turnStartedAt: at }
const usage = { inputTokens: 3200, outputTokens: 212, estimated: false }

const changes: Record<StateWord, Partial<Session>> = {
  new: { title: 'Untitled idea' },
  running: { ...turn, activity: 'running', usage },
  stopping: {
    ...turn,
    activity: 'stopping',
    title: 'Watch the build',
    waitingOn: [{ kind: 'tool', name: 'run_command', killable: true, since: at }],
  },
  paused: {
    paused: true,
    title: 'Migrate the configuration',
    lastOutcome: { kind: 'aborted' },
    queue: [
      { messageId: 'msg_1' as never, text: 'also check retries', delivery: 'follow-up', at },
      { messageId: 'msg_2' as never, text: 'then write a note', delivery: 'follow-up', at },
    ],
  },
  'needs-you': { ...turn, activity: 'running', needs: 1, title: 'Release notes' },
  done: { title: 'List flaky tests', lastOutcome: { kind: 'completed' }, usage },
  stopped: { title: 'Old spike', lastOutcome: { kind: 'aborted' }, usage: { ...usage, estimated: true } },
  failed: {
    title: 'Translate the manual into a language with a rather long name',
    lastOutcome: { kind: 'failed', code: 'rate-limited', message: 'The provider allows no more requests for now.' },
  },
  orphaned: { title: 'Nightly clean-up', lastOutcome: { kind: 'orphaned' } },
}

/** In the order in which the states ask for attention. */
export const sampleSessions: Record<StateWord, Session> = Object.fromEntries(
  Object.entries(changes).map(([state, change]) => [
    state,
    sampleSession({ id: `ses_${state}` as SessionId, ...change }),
  ]),
) as Record<StateWord, Session>
