/** What a transcript is made of: the shapes that `foldTranscript` builds and the screen reads. */
import type { Delivery, EventData, PlanItem, Usage } from '@/lib/contract/events'
import type { CallId, MessageId, StepId, TurnId } from '@/lib/contract/ids'
import type { Outcome, ToolStatus } from '@/lib/contract/outcome'
import type { InboxItems } from './inbox'
import type { FlowText } from './transcript-text'

export interface Transcript {
  readonly turns: readonly TurnView[]
  /** What was said before the first turn. */
  readonly preface: readonly NoteItem[]
  /** Known when the range begins at the session's first event. */
  readonly created: EventData<'session.created'> | null
  readonly inbox: InboxItems
  readonly plan: readonly PlanItem[]
  /** 0 before the first event. */
  readonly firstSeq: number
  readonly lastSeq: number
  /** A delta did not fit on what is known: reconnect (W7). */
  readonly needsResync: boolean
}

export interface TurnView {
  readonly turnId: TurnId
  /** Null while its start is not in the range. */
  readonly n: number | null
  readonly kind: EventData<'turn.start'>['kind']
  readonly state: 'running' | 'stopping' | 'ended'
  readonly items: readonly TurnItem[]
  readonly steps: readonly StepView[]
  /** The first request that asked this turn to end (L3); who asked and what came of it are two facts (C7). */
  readonly control: ControlView | null
  readonly outcome: Outcome | null
  readonly usage: Usage
  readonly startedAt: string
  readonly endedAt: string | null
  /** The turns that its messages replace (W2). */
  readonly replaces: readonly TurnId[]
  readonly replacedBy: TurnId | null
  readonly firstSeq: number
  readonly lastSeq: number
}

export interface ControlView {
  readonly action: EventData<'control.requested'>['action']
  readonly via: EventData<'control.requested'>['via']
  readonly by: EventData<'control.requested'>['by']
  readonly at: string
}

export interface StepView {
  readonly stepId: StepId
  readonly attempt: number
  readonly startedAt: string
  /** Its message is in the log: what still arrives as a delta is ignored (W7). */
  readonly settled: boolean
}

export type TurnItem = MessageItem | TextItem | ReasoningItem | ToolItem | RetryItem | NoteItem | CompactionItem

export interface MessageItem {
  readonly kind: 'message'
  readonly key: string
  readonly messageId: MessageId
  readonly text: string
  readonly delivery: Delivery
  readonly from: EventData<'inbox.queued'>['from']
  readonly at: string
}

export interface TextItem {
  readonly kind: 'text'
  readonly key: string
  readonly stepId: StepId
  readonly block: number
  readonly flow: FlowText
  /** A draft: not a message yet. */
  readonly live: boolean
  /** Cut short (C14). */
  readonly partial: boolean
}

export interface ReasoningItem {
  readonly kind: 'reasoning'
  readonly key: string
  readonly stepId: StepId
  readonly block: number
  readonly flow: FlowText
  readonly live: boolean
  readonly partial: boolean
  /** When its first piece was seen here, epoch ms; null when it came from the log. */
  readonly sinceMs: number | null
  /** How long it took, where that is known. */
  readonly durationMs: number | null
}

/** `writing`: the model is still writing the input. `waiting`: asked for, not begun. Then as `tool.end` says. */
export type ToolState = 'writing' | 'waiting' | 'running' | ToolStatus

export interface ToolItem {
  readonly kind: 'tool'
  readonly key: string
  readonly stepId: StepId | null
  readonly block: number
  /** Null while the model is still writing the call. */
  readonly callId: CallId | null
  readonly name: string
  readonly input: unknown
  /** Raw JSON while it is being written. */
  readonly rawInput: string
  readonly state: ToolState
  readonly output: OutputText
  readonly startedAt: string | null
  readonly durationMs: number | null
  /** Somebody asked for the end of this call alone (T8). */
  readonly endAsked: boolean
  /** The tool said that its output was cut. */
  readonly truncated: boolean
}

/** Output of a tool, kept to a bound: the first part and the last part. */
export interface OutputText {
  readonly head: string
  readonly tail: string
  /** Units between head and tail that were let go. */
  readonly dropped: number
  /** All units seen, for the offset check. */
  readonly length: number
}

export interface RetryItem {
  readonly kind: 'retry'
  readonly key: string
  readonly stepId: StepId
  /** The attempt that failed. */
  readonly attempt: number
  readonly until: string
  readonly reason: string
  /** The wait is behind us. */
  readonly over: boolean
}

export interface NoteItem {
  readonly kind: 'note'
  readonly key: string
  readonly text: string
  readonly about: string | null
  readonly at: string
}

export interface CompactionItem {
  readonly kind: 'compaction'
  readonly key: string
  readonly summary: string
}

/** Whether the model produced anything in this turn: if not, a stopped prompt may go back into the composer (U4). */
export function hasProduced(turn: TurnView): boolean {
  return turn.items.some((item) => item.kind === 'text' || item.kind === 'reasoning' || item.kind === 'tool')
}

/** The person's words that opened the turn, joined. */
export function promptOf(turn: TurnView): string {
  const firstWork = turn.items.findIndex((item) => item.kind !== 'message')
  const opening = firstWork === -1 ? turn.items : turn.items.slice(0, firstWork)
  return opening
    .flatMap((item) => (item.kind === 'message' && item.from.kind === 'user' ? [item.text] : []))
    .join('\n\n')
}
