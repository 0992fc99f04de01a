/** What streams before it is a message (W6, W7): deltas of the open step and live output of running tools. */
import type { StepId } from '@/lib/contract/ids'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import { indexOfTurn } from './transcript'
import { isDraftOf, type StepItem, withAttempt } from './transcript-step'
import { appendText, closeText, emptyText, type FlowText, textOf } from './transcript-text'
import { addOutput, noOutput } from './transcript-tool'
import type { ReasoningItem, TextItem, ToolItem, Transcript, TurnView } from './transcript-view'

/** Applies one delta. `nowMs` (epoch) dates a thought. An offset that does not fit sets `needsResync` and changes nothing else. */
export function foldDelta(transcript: Transcript, delta: Delta, nowMs: number): Transcript {
  const at = indexOfTurn(transcript, delta.turnId)
  const turn = transcript.turns[at]
  if (!turn || turn.state === 'ended') return transcript
  const step = turn.steps.find((known) => known.stepId === delta.stepId)
  if (step && (step.settled || step.attempt > delta.attempt)) return transcript
  const begun = withAttempt(turn, delta.stepId, delta.attempt, new Date(nowMs).toISOString())
  const next = inStep(begun, delta, nowMs)
  if (next === 'gap') return transcript.needsResync ? transcript : { ...transcript, needsResync: true }
  return next === turn ? transcript : { ...transcript, turns: transcript.turns.with(at, next) }
}

/** Applies live output of a call that runs; of one that has ended nothing counts any more. */
export function foldToolOutput(transcript: Transcript, output: ToolOutput): Transcript {
  const place = placeOfCall(transcript, output)
  if (!place) return transcript
  const { turnAt, itemAt, turn, item } = place
  if (item.state !== 'running' && item.state !== 'waiting') return transcript
  const known = item.output.length
  if (output.offset > known) return transcript.needsResync ? transcript : { ...transcript, needsResync: true }
  const overlap = known - output.offset
  if (overlap >= output.text.length && (output.offset > 0 || known > 0)) return transcript
  const next = { ...item, output: addOutput(known === 0 ? noOutput : item.output, output.text.slice(overlap)) }
  const turns = transcript.turns.with(turnAt, { ...turn, items: turn.items.with(itemAt, next) })
  return { ...transcript, turns }
}

/** Says that the drafts have been asked for again: what comes now begins at offset 0. */
export function resyncAsked(transcript: Transcript): Transcript {
  return transcript.needsResync ? { ...transcript, needsResync: false } : transcript
}

function inStep(turn: TurnView, delta: Delta, nowMs: number): TurnView | 'gap' {
  const at = turn.items.findLastIndex((item) => isDraftOf(item, delta.stepId) && item.block === delta.block)
  const known = turn.items[at]
  if (!known || !isDraftOf(known, delta.stepId)) {
    if (delta.offset !== 0) return 'gap'
    const items = endThoughts(turn.items, delta.stepId, nowMs)
    return { ...turn, items: [...items, opened(delta, nowMs)] }
  }
  const next = continued(known, delta)
  if (next === 'gap') return 'gap'
  return next === known ? turn : { ...turn, items: turn.items.with(at, next) }
}

/** A thought ends when the next block begins. */
function endThoughts(items: TurnView['items'], stepId: StepId, nowMs: number): TurnView['items'] {
  if (!items.some((item) => isOpenThought(item, stepId))) return items
  return items.map((item) =>
    isOpenThought(item, stepId)
      ? { ...item, flow: closeText(item.flow), durationMs: nowMs - (item.sinceMs ?? nowMs) }
      : item,
  )
}

function isOpenThought(item: TurnView['items'][number], stepId: StepId): item is ReasoningItem {
  return item.kind === 'reasoning' && item.live && item.stepId === stepId && item.durationMs === null
}

function opened(delta: Delta, nowMs: number): StepItem {
  const { stepId, block, text, kind } = delta
  const key = `${stepId}:${block}`
  const flow = appendText(emptyText, text)
  switch (kind) {
    case 'text':
      return { kind, key, stepId, block, flow, live: true, partial: false }
    case 'reasoning':
      return { kind, key, stepId, block, flow, live: true, partial: false, sinceMs: nowMs, durationMs: null }
    case 'tool-call':
      return {
        kind: 'tool',
        key,
        stepId,
        block,
        callId: null,
        name: delta.name ?? 'tool',
        input: undefined,
        rawInput: text,
        state: 'writing',
        output: noOutput,
        startedAt: null,
        durationMs: null,
        endAsked: false,
        truncated: false,
      }
  }
}

function continued(item: StepItem, delta: Delta): StepItem | 'gap' {
  if (item.kind === 'tool') {
    const rawInput = joined(item.rawInput, delta)
    if (rawInput === null) return 'gap'
    return rawInput === item.rawInput ? item : { ...item, rawInput }
  }
  const flow = joinedFlow(item, delta)
  if (flow === null) return 'gap'
  return flow === item.flow ? item : { ...item, flow }
}

function joined(known: string, delta: Delta): string | null {
  if (delta.offset > known.length) return null
  if (delta.offset === 0) return delta.text
  return delta.offset + delta.text.length <= known.length ? known : known.slice(0, delta.offset) + delta.text
}

/** At offset 0 the block is replaced; where the new text only carries on, the old chunks stay, so that nothing flickers. */
function joinedFlow(item: TextItem | ReasoningItem, delta: Delta): FlowText | null {
  const { flow } = item
  if (delta.offset > flow.length) return null
  if (delta.offset === flow.length) return appendText(flow, delta.text)
  if (delta.offset > 0) return appendText(flow, delta.text.slice(flow.length - delta.offset))
  const known = textOf(flow)
  if (delta.text.startsWith(known)) return appendText(flow, delta.text.slice(known.length))
  return appendText(emptyText, delta.text)
}

function placeOfCall(
  transcript: Transcript,
  output: ToolOutput,
): { turnAt: number; itemAt: number; turn: TurnView; item: ToolItem } | null {
  for (let turnAt = transcript.turns.length - 1; turnAt >= 0; turnAt -= 1) {
    const turn = transcript.turns[turnAt]
    if (!turn || turn.state === 'ended') return null
    const itemAt = turn.items.findLastIndex((item) => item.kind === 'tool' && item.callId === output.callId)
    const item = turn.items[itemAt]
    if (item?.kind === 'tool') return { turnAt, itemAt, turn, item }
  }
  return null
}
