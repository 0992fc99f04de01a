/** One session in every state, for the fixture page and the tests. */
import type { SessionId, TurnId } from '@/lib/contract/ids'
import { type Session, type StateWord, sessionSchema } from '@/lib/contract/session'

const usualTime = '2026-03-02T12:04:31.000Z'

/** A session that was made at `change.createdAt`, changed by what is given. */
export function sampleSession(change: Partial<Session> = {}): Session {
  const id = change.id ?? ('ses_sample' as SessionId)
  const at = change.createdAt ?? usualTime
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

/** One session in every state; what runs has run since `at` (ISO 8601). */
export function sampleSessions(at: string = usualTime): Record<StateWord, Session> {
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
  return Object.fromEntries(
    Object.entries(changes).map(([state, change]) => [
      state,
      sampleSession({ id: `ses_${state}` as SessionId, createdAt: at, ...change }),
    ]),
  ) as Record<StateWord, Session>
}
