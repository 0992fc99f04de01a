/** What a log leaves open at its end, as a pure fold: the facts that repair must close (L6). */
import type { SessionEvent, ToolCallBlock } from '@/lib/contract/events'
import type { ApprovalId, CallId, QuestionId, StepId, TurnId } from '@/lib/contract/ids'

export interface OpenCall {
  readonly callId: CallId
  readonly name: string
  /** When its `tool.start` was logged; null while it had not begun. */
  readonly startedAt: string | null
}

export interface OpenStep {
  readonly stepId: StepId
  readonly attempt: number
  /** Its `assistant.message` is in the log, so whatever draft is left of it is old. */
  readonly answered: boolean
}

export interface OpenTurn {
  readonly turnId: TurnId
  readonly step: OpenStep | null
  /** Calls without a result, in the order of their message. */
  readonly calls: readonly OpenCall[]
  readonly approvals: readonly ApprovalId[]
  readonly questions: readonly QuestionId[]
}

export interface LogTail {
  readonly open: OpenTurn | null
  /** UTF-16 units of what the model has been sent or has said: the ground of an estimated usage. */
  readonly chars: number
  /** Units that the open step's logged message holds. */
  readonly stepChars: number
  readonly lastAt: string | null
}

export const emptyTail: LogTail = { open: null, chars: 0, stepChars: 0, lastAt: null }

/** Applies one event. */
export function foldTail(tail: LogTail, event: SessionEvent): LogTail {
  const chars = tail.chars + charsOf(event)
  const stepChars = stepCharsAfter(tail, event)
  return { open: openAfter(tail.open, event), chars, stepChars, lastAt: event.at }
}

function openAfter(open: OpenTurn | null, event: SessionEvent): OpenTurn | null {
  if (event.type === 'turn.start') {
    return { turnId: event.data.turnId, step: null, calls: [], approvals: [], questions: [] }
  }
  if (open === null || event.type === 'turn.end') return null
  switch (event.type) {
    case 'step.start':
      return { ...open, step: { stepId: event.data.stepId, attempt: event.data.attempt, answered: false } }
    case 'step.end':
      return { ...open, step: null }
    case 'assistant.message': {
      const calls = event.data.blocks.filter((block): block is ToolCallBlock => block.type === 'tool-call')
      const step = open.step?.stepId === event.data.stepId ? { ...open.step, answered: true } : open.step
      const asked = calls.map(({ callId, name }) => ({ callId, name, startedAt: null }))
      return { ...open, step, calls: [...open.calls, ...asked] }
    }
    case 'tool.start': {
      const { callId, name } = event.data
      const started: OpenCall = { callId, name, startedAt: event.at }
      const known = open.calls.some((call) => call.callId === callId)
      const calls = known
        ? open.calls.map((call) => (call.callId === callId ? started : call))
        : [...open.calls, started]
      return { ...open, calls }
    }
    case 'tool.end':
      return { ...open, calls: open.calls.filter((call) => call.callId !== event.data.callId) }
    case 'approval.requested':
      return { ...open, approvals: [...open.approvals, event.data.approvalId] }
    case 'approval.resolved':
      return { ...open, approvals: open.approvals.filter((id) => id !== event.data.approvalId) }
    case 'question.requested':
      return { ...open, questions: [...open.questions, event.data.questionId] }
    case 'question.resolved':
      return { ...open, questions: open.questions.filter((id) => id !== event.data.questionId) }
    default:
      return open // nothing else opens or closes anything within a turn
  }
}

function stepCharsAfter(tail: LogTail, event: SessionEvent): number {
  if (event.type === 'step.start') return 0
  return event.type === 'assistant.message' ? tail.stepChars + charsOf(event) : tail.stepChars
}

function charsOf(event: SessionEvent): number {
  switch (event.type) {
    case 'user.message':
      return event.data.blocks.reduce((sum, block) => sum + block.text.length, 0)
    case 'assistant.message':
      return event.data.blocks.reduce(
        (sum, block) =>
          sum + (block.type === 'tool-call' ? JSON.stringify(block.input ?? null).length : block.text.length),
        0,
      )
    case 'tool.end':
      return event.data.output.length
    default:
      return 0
  }
}
