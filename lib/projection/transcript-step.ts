/** How a model step becomes items of its turn: begun, streamed as drafts, settled by its message. */
import { assertNever } from '@/lib/contract/assert-never'
import type { Block, EventOf } from '@/lib/contract/events'
import type { StepId } from '@/lib/contract/ids'
import { closeText, type FlowText, textOf, wholeText } from './transcript-text'
import { noOutput } from './transcript-tool'
import type { ReasoningItem, StepView, TextItem, ToolItem, TurnItem, TurnView } from './transcript-view'

export type StepItem = TextItem | ReasoningItem | ToolItem

/** A new attempt empties what an earlier one streamed (W7). */
export function startStep(turn: TurnView, event: EventOf<'step.start'>): TurnView {
  const { stepId, attempt } = event.data
  return withAttempt(turn, stepId, attempt, event.at)
}

/** The step at this attempt; an older attempt never comes back. */
export function withAttempt(turn: TurnView, stepId: StepId, attempt: number, at: string): TurnView {
  const index = turn.steps.findLastIndex((step) => step.stepId === stepId)
  const known = turn.steps[index]
  if (known && known.attempt >= attempt) return turn
  const step: StepView = { stepId, attempt, startedAt: at, settled: false }
  const items = turn.items
    .filter((item) => !isDraftOf(item, stepId))
    .map((item) => (item.kind === 'retry' && !item.over ? { ...item, over: true } : item))
  return { ...turn, items, steps: known ? turn.steps.with(index, step) : [...turn.steps, step] }
}

/** The message takes the place of its drafts and keeps their keys, so that nothing on the screen is built anew. */
export function settleStep(turn: TurnView, event: EventOf<'assistant.message'>): TurnView {
  const { stepId, blocks, partial } = event.data
  const at = turn.items.findIndex((item) => isDraftOf(item, stepId))
  const drafts = turn.items.filter((item) => isDraftOf(item, stepId))
  const others = turn.items.filter((item) => !isDraftOf(item, stepId))
  const step = turn.steps.find((known) => known.stepId === stepId)
  const onlyThought = !blocks.some((block) => block.type === 'text')
  const stepMs = step && onlyThought ? Date.parse(event.at) - Date.parse(step.startedAt) : null
  const settled = blocks.flatMap((block, index) => settledItem(block, index, stepId, partial, drafts, stepMs))
  const place = at === -1 ? others.length : at
  const items = [...others.slice(0, place), ...settled, ...others.slice(place)]
  const done: StepView = step ? { ...step, settled: true } : { stepId, attempt: 1, startedAt: event.at, settled: true }
  const steps = step ? turn.steps.map((known) => (known === step ? done : known)) : [...turn.steps, done]
  return { ...turn, items, steps }
}

/** Which draft block an item is; drafts are what has no message yet. */
export function isDraftOf(item: TurnItem, stepId: StepId): item is StepItem {
  switch (item.kind) {
    case 'text':
    case 'reasoning':
      return item.live && item.stepId === stepId
    case 'tool':
      return item.state === 'writing' && item.stepId === stepId
    case 'message':
    case 'retry':
    case 'note':
    case 'compaction':
      return false
    default:
      return assertNever(item)
  }
}

function settledItem(
  block: Block,
  index: number,
  stepId: StepId,
  partial: boolean,
  drafts: StepItem[],
  stepMs: number | null,
): StepItem[] {
  switch (block.type) {
    case 'text': {
      if (block.text.trim() === '') return []
      const draft = takeDraft(drafts, 'text')
      const key = draft?.key ?? `${stepId}:${index}`
      return [{ kind: 'text', key, stepId, block: index, flow: settledText(draft, block.text), live: false, partial }]
    }
    case 'reasoning': {
      if (block.text.trim() === '') return []
      const draft = takeDraft(drafts, 'reasoning')
      const key = draft?.key ?? `${stepId}:${index}`
      const flow = settledText(draft, block.text)
      const sinceMs = draft?.sinceMs ?? null
      const durationMs = draft?.durationMs ?? stepMs
      return [{ kind: 'reasoning', key, stepId, block: index, flow, live: false, partial, sinceMs, durationMs }]
    }
    case 'tool-call': {
      const draft = takeDraft(drafts, 'tool')
      return [
        {
          kind: 'tool',
          key: draft?.key ?? `${stepId}:${index}`,
          stepId,
          block: index,
          callId: block.callId,
          name: block.name,
          input: block.input,
          rawInput: '',
          state: 'waiting',
          output: noOutput,
          startedAt: null,
          durationMs: null,
          endAsked: false,
          truncated: false,
        },
      ]
    }
    default:
      return assertNever(block)
  }
}

/** The next draft of that kind, in order; one draft serves once. */
function takeDraft<K extends StepItem['kind']>(
  drafts: StepItem[],
  kind: K,
): Extract<StepItem, { kind: K }> | undefined {
  const at = drafts.findIndex((draft) => draft.kind === kind)
  if (at === -1) return undefined
  return drafts.splice(at, 1)[0] as Extract<StepItem, { kind: K }> | undefined
}

function settledText(draft: TextItem | ReasoningItem | undefined, text: string): FlowText {
  if (draft && draft.flow.length === text.length && textOf(draft.flow) === text) return closeText(draft.flow)
  return wholeText(text)
}
