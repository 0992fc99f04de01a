/** The events that close a turn which its process left open (L6). Pure: what they are made of is handed in. */
import type { Block, NewEvent, Usage } from '@/lib/contract/events'
import type { CallId, StepId } from '@/lib/contract/ids'
import { closingNote } from '@/server/runtime/closing-note'
import type { LogTail, OpenCall, OpenTurn } from './open-turn'

/** What was streamed and is not in the log. */
export interface LeftDrafts {
  /** The blocks of a step's last attempt; a call only when its end was seen and its input parses. Empty when there is no draft. */
  blocks(stepId: StepId): readonly Block[]
  /** Live output so far; empty when there is none. */
  output(callId: CallId): string
}

export const noDrafts: LeftDrafts = { blocks: () => [], output: () => '' }

/**
 * Closes `open` in the order in which a living turn would have: the partial message, one result for every unanswered call,
 * open approvals and questions, the step's estimated usage, `turn.end {orphaned}`, and the note that tells the model (C14).
 */
export function closeOrphan(open: OpenTurn, tail: LogTail, drafts: LeftDrafts): NewEvent[] {
  const { turnId, step } = open
  const events: NewEvent[] = []
  const blocks = step && !step.answered ? drafts.blocks(step.stepId) : []
  if (step && blocks.length > 0) {
    events.push({
      type: 'assistant.message',
      data: { turnId, stepId: step.stepId, partial: true, blocks: [...blocks] },
    })
  }
  for (const call of [...open.calls, ...callsOf(blocks)]) events.push(orphanedResult(open, tail, call, drafts))
  for (const approvalId of open.approvals) {
    events.push({ type: 'approval.resolved', data: { approvalId, decision: 'cancelled', by: 'cancelled' } })
  }
  for (const questionId of open.questions) {
    events.push({ type: 'question.resolved', data: { questionId, by: 'cancelled' } })
  }
  if (step) {
    events.push({ type: 'step.end', data: { turnId, stepId: step.stepId, usage: estimatedUsage(tail, blocks) } })
  }
  events.push({ type: 'turn.end', data: { turnId, outcome: { kind: 'orphaned' } } })
  return [...events, ...closingNote(turnId, { kind: 'orphaned' }, 'user')]
}

function callsOf(blocks: readonly Block[]): OpenCall[] {
  return blocks.flatMap((block) =>
    block.type === 'tool-call' ? [{ callId: block.callId, name: block.name, startedAt: null }] : [],
  )
}

function orphanedResult(open: OpenTurn, tail: LogTail, call: OpenCall, drafts: LeftDrafts): NewEvent {
  const lastAt = tail.lastAt ?? call.startedAt
  const durationMs = call.startedAt && lastAt ? Math.max(0, Date.parse(lastAt) - Date.parse(call.startedAt)) : 0
  const soFar = drafts.output(call.callId)
  const truncated = soFar.length > outputMax
  const output = orphanedOutput(call, truncated ? cutMark + tailOf(soFar) : soFar)
  const { callId } = call
  return {
    type: 'tool.end',
    data: { turnId: open.turnId, callId, status: 'orphaned', output, truncated, durationMs },
  }
}

/** What a dead call had printed is for the model to read, so it is bounded like any result; its end says most. */
const outputMax = 32_000
const cutMark = '[The beginning of the output is left out.]\n'

function tailOf(text: string): string {
  return text.slice(-outputMax).replace(/^[\udc00-\udfff]/, '') // never half a character
}

function orphanedOutput(call: OpenCall, soFar: string): string {
  const died =
    call.startedAt === null
      ? `The process that was to run ${call.name} died. The log does not show that this call began, but its outcome is unknown: look before you repeat it.`
      : `The process that ran ${call.name} died while this call was running. Its outcome is unknown: it may have taken effect wholly, partly or not at all. Look before you repeat it.`
  return soFar === '' ? died : `${soFar}\n\n[${died} The text above is its output so far.]`
}

/** About four characters make a token. A request that was sent has cost something, so neither figure is 0. */
function estimatedUsage(tail: LogTail, blocks: readonly Block[]): Usage {
  const streamed = blocks.reduce(
    (sum, block) => sum + (block.type === 'tool-call' ? JSON.stringify(block.input ?? null).length : block.text.length),
    tail.stepChars,
  )
  const tokens = (chars: number) => Math.max(1, Math.ceil(chars / 4))
  return { inputTokens: tokens(tail.chars - tail.stepChars), outputTokens: tokens(streamed), estimated: true }
}
