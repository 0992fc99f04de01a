/** The words of the screen for states and outcomes: short, plain, in the present. One place, so that they can be said in another language. */
import { assertNever } from '@/lib/contract/assert-never'
import type { Outcome } from '@/lib/contract/outcome'
import { type Session, type StateWord, stateWordOf } from '@/lib/contract/session'

export const stateWords: Record<StateWord, string> = {
  new: 'New',
  running: 'Running',
  stopping: 'Stopping',
  paused: 'Paused',
  'needs-you': 'Needs you',
  done: 'Done',
  stopped: 'Stopped',
  failed: 'Failed',
  orphaned: 'Lost at restart',
}

/** The order in which filters and the fixture page list the states: what asks for attention first. */
export const stateOrder: readonly StateWord[] = [
  'needs-you',
  'running',
  'stopping',
  'paused',
  'failed',
  'orphaned',
  'stopped',
  'done',
  'new',
]

type StateSource = Pick<Session, 'needs' | 'activity' | 'paused' | 'lastOutcome' | 'queue' | 'kind'>

/** The state of a session in full: "Paused, 2 waiting", "Stopped by you", "Needs you (2)". */
export function sessionStateText(session: StateSource): string {
  const state = stateWordOf(session)
  switch (state) {
    case 'needs-you':
      return session.needs > 1 ? `Needs you (${session.needs})` : stateWords[state]
    case 'paused':
      return session.queue.length > 0 ? `Paused, ${session.queue.length} waiting` : stateWords[state]
    case 'done':
    case 'stopped':
    case 'failed':
    case 'orphaned':
      return session.lastOutcome
        ? outcomeText(session.lastOutcome, session.kind === 'root' ? 'user' : null)
        : stateWords[state]
    case 'running':
    case 'stopping':
    case 'new':
      return stateWords[state]
    default:
      return assertNever(state)
  }
}

/** How a turn ended, in words; `requestedBy` says who stopped it where that is known. */
export function outcomeText(outcome: Outcome, requestedBy: 'user' | 'parent' | null): string {
  switch (outcome.kind) {
    case 'completed':
      return 'Done'
    case 'truncated':
      return 'Done, cut at the token limit'
    case 'aborted':
      if (requestedBy === null) return 'Stopped'
      return requestedBy === 'parent' ? 'Stopped by parent' : 'Stopped by you'
    case 'disposed':
      return 'Stopped at shutdown'
    case 'blocked':
      return 'Blocked by a hook'
    case 'orphaned':
      return 'Lost at restart'
    case 'failed':
      return 'Failed'
    default:
      return assertNever(outcome)
  }
}

/** The state whose colour and shape stand for an outcome; a turn without one is still open. */
export function outcomeState(outcome: Outcome | null): StateWord {
  if (!outcome) return 'running'
  return stateWordOf({ needs: 0, activity: 'idle', paused: false, lastOutcome: outcome })
}
