/** The sentence that tells the model how a turn ended, so that it does not start over (C14). */
import { assertNever } from '@/lib/contract/assert-never'
import type { NewEvent } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import type { Outcome } from '@/lib/contract/outcome'

export type AbortedBy = 'user' | 'parent'

/** The note that stands right after `turn.end`, or nothing where the end needs no word. */
export function closingNote(turnId: TurnId, outcome: Outcome, abortedBy: AbortedBy): NewEvent[] {
  const text = closingText(outcome, abortedBy)
  return text === null ? [] : [{ type: 'note', data: { for: 'model', text, about: turnId } }]
}

function closingText(outcome: Outcome, abortedBy: AbortedBy): string | null {
  switch (outcome.kind) {
    case 'aborted':
      return abortedBy === 'user'
        ? `The user stopped your previous turn. ${kept}`
        : `The agent that started you stopped your previous turn. ${kept}`
    case 'disposed':
      return `Belay was shut down during your previous turn. ${kept}`
    case 'orphaned':
      return `The process that ran your previous turn died. ${kept} What was under way then has an unknown outcome.`
    case 'completed':
    case 'truncated':
    case 'blocked':
    case 'failed':
      return null
    default:
      return assertNever(outcome)
  }
}

const kept =
  'What you had said until then is kept above. Do not start over or repeat it; go on only as the next message asks.'
