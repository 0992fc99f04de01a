/** The approval modes in the words of the screen (T7). */
import type { ApprovalMode } from '@/lib/contract/events'

interface ModeText {
  readonly value: ApprovalMode
  readonly label: string
  /** What the mode means right now, in one plain sentence. */
  readonly sentence: string
  /** The same in a few words, for a dense row. */
  readonly short: string
}

/** Approvals are not built yet, so what would ask is not offered to the agent at all; the sentences say so. */
export const approvalModes: readonly ModeText[] = [
  {
    value: 'ask',
    label: 'Asks first',
    sentence: 'The agent may only read for now: it cannot ask you yet, so commands and writes are not offered to it.',
    short: 'May only read for now',
  },
  {
    value: 'accept-edits',
    label: 'Edits files',
    sentence: 'The agent may read and write files in the workspace. Commands are not offered to it for now.',
    short: 'No commands for now',
  },
  {
    value: 'full-access',
    label: 'Full access',
    sentence: 'Nothing asks. The agent may write files and run any command as you.',
    short: 'Nothing asks',
  },
]

export function modeText(mode: ApprovalMode): ModeText {
  const found = approvalModes.find((item) => item.value === mode)
  if (!found) throw new Error(`Unknown approval mode: ${mode}`)
  return found
}
