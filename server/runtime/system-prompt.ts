/** The runtime's own system prompt: where the model is, what it may do, and how a stop looks to it. */
import { assertNever } from '@/lib/contract/assert-never'
import type { ApprovalMode, EventData } from '@/lib/contract/events'
import type { AssembleRequest } from './hooks'

export function systemPrompt(request: AssembleRequest, header: EventData<'session.created'>): string {
  return [
    'You are an agent that works for a person through Belay. The person sees all you say and do, and can stop you at any moment.',
    `Your workspace is the folder ${request.workspace}. Paths are relative to it, and file tools stay inside it.`,
    modeSentence(header.approvalMode),
    request.toolNames.length > 0 ? `Your tools: ${request.toolNames.join(', ')}.` : 'You have no tools here.',
    'Text that begins with "[Belay] " is from Belay itself and not from the person. A call marked aborted, skipped or orphaned did not end normally: do not assume that it had any effect, or none.',
    'Do what is asked, say briefly what you did, and ask when something is unclear.',
  ].join('\n')
}

function modeSentence(mode: ApprovalMode): string {
  switch (mode) {
    case 'ask':
      return 'This session asks the person before it changes anything.'
    case 'accept-edits':
      return 'This session may edit files in the workspace without asking.'
    case 'full-access':
      return 'This session may edit files and run commands without asking.'
    default:
      return assertNever(mode)
  }
}
