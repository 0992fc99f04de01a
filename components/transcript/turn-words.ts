/** What the end of a turn means, in plain words. */
import { assertNever } from '@/lib/contract/assert-never'
import type { FailureCode, ToolStatus } from '@/lib/contract/outcome'
import type { ToolState, TurnView } from '@/lib/projection/transcript-view'

/** What a failure code means for the person; the server's own message says the rest. */
export const failureWords: Record<FailureCode, string> = {
  'rate-limited': 'The provider asks to slow down',
  'provider-unreachable': 'The provider could not be reached',
  'provider-rejected': 'The provider refused the request',
  'provider-error': 'The provider had a failure of its own',
  'provider-timeout': 'The provider took too long',
  'stream-cut': 'The answer broke off',
  authentication: 'The key was not accepted',
  'context-too-long': 'The conversation is too long for this model',
  'content-filtered': 'The provider withheld the answer',
  'model-unavailable': 'This model is not available',
  'workspace-not-found': 'The workspace is not there any more',
  'step-limit': 'The turn took too many steps',
  'hook-failed': 'A hook failed',
  internal: 'Something broke inside Belay',
}

/** Who asked the turn to end, as far as the log says. */
export function requestedBy(turn: TurnView): 'user' | 'parent' | null {
  return turn.control?.by.kind ?? null
}

/** What remains of a turn that was cut; null when it ended by itself. */
export function keptWords(turn: TurnView): string | null {
  switch (turn.outcome?.kind) {
    case 'aborted':
    case 'disposed':
    case 'orphaned':
    case 'failed':
      break
    default:
      return null
  }
  const wrote = turn.items.some((item) => item.kind === 'text' || item.kind === 'reasoning')
  const ran = turn.items.some((item) => item.kind === 'tool')
  if (wrote) return 'what was written is kept'
  if (ran) return 'what was done is kept'
  return 'nothing had been written'
}

/** The word for how a tool call is or ended. A stop is a stop, not an error. */
export function toolWord(state: ToolState): string {
  switch (state) {
    case 'writing':
      return 'Being written'
    case 'waiting':
      return 'Waiting to run'
    case 'running':
      return 'Running'
    case 'ok':
      return 'OK'
    case 'error':
      return 'Error'
    case 'denied':
      return 'Denied'
    case 'timed-out':
      return 'Timed out'
    case 'aborted':
      return 'Stopped'
    case 'skipped':
      return 'Not started'
    case 'orphaned':
      return 'Lost at restart'
    default:
      return assertNever(state)
  }
}

/** Calls whose end a person will want to read at once; successes are closed. */
export function opensByDefault(state: ToolState): boolean {
  const open: readonly (ToolState | ToolStatus)[] = ['running', 'error', 'timed-out', 'aborted', 'orphaned', 'denied']
  return open.includes(state)
}
