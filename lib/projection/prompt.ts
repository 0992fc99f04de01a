/** The fold from events to what the model is sent (L4, C13, C14). The runtime and every rebuild use this one. */
import type { Block, SessionEvent, TextBlock, ToolCallBlock } from '@/lib/contract/events'
import type { CallId, MessageId, TurnId } from '@/lib/contract/ids'
import type { ToolStatus } from '@/lib/contract/outcome'

export type ModelMessage =
  | { readonly role: 'user'; readonly blocks: readonly TextBlock[] }
  | { readonly role: 'assistant'; readonly blocks: readonly Block[] }
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] }

export interface ToolCallResult {
  readonly callId: CallId
  readonly name: ToolCallBlock['name']
  readonly status: ToolStatus
  readonly output: string
}

/** Begins every text that Belay itself says to the model, so that it cannot be taken for a person's words. */
export const belayMarker = '[Belay] '

/** One thing that was said in a turn. A reply carries the results of its calls, so that the two can never be parted (C13). */
type Said =
  | { readonly kind: 'user'; readonly blocks: readonly TextBlock[] }
  | { readonly kind: 'reply'; readonly blocks: readonly Block[]; readonly results: ReadonlyMap<CallId, ToolCallResult> }

interface PromptTurn {
  readonly turnId: TurnId
  readonly lastSeq: number
  readonly said: readonly Said[]
  /** The notes that its requests carried first: they outlive it when it is replaced. */
  readonly carried: readonly ModelNote[]
}

interface ModelNote {
  readonly text: string
  readonly about: string | undefined
}

export interface PromptState {
  readonly summary: string | null
  readonly turns: readonly PromptTurn[]
  /** Notes for the model that no request has carried yet. */
  readonly notes: readonly ModelNote[]
  readonly replaces: ReadonlyMap<MessageId, TurnId>
  /** The prompt as it was before the compaction turn that is open: an unfinished one changes nothing (C15). */
  readonly beforeCompaction: { readonly turnId: TurnId; readonly state: PromptState } | null
}

export const emptyPrompt: PromptState = {
  summary: null,
  turns: [],
  notes: [],
  replaces: new Map(),
  beforeCompaction: null,
}

/** Applies one event. Events that the model never hears of return the same state. */
export function foldPrompt(state: PromptState, event: SessionEvent): PromptState {
  switch (event.type) {
    case 'inbox.queued': {
      const { messageId, replaces } = event.data
      return replaces ? { ...state, replaces: new Map(state.replaces).set(messageId, replaces) } : state
    }
    case 'turn.start':
      return {
        ...state,
        ...(event.data.kind === 'compaction' && { beforeCompaction: { turnId: event.data.turnId, state } }),
        turns: [...state.turns, { turnId: event.data.turnId, lastSeq: event.seq, said: [], carried: [] }],
      }
    case 'user.message': {
      const kept = withoutReplaced(state, event.data.messageId)
      const blocks = [...kept.notes.map(noteBlock), ...event.data.blocks]
      return carry(say(kept, event.data.turnId, event.seq, { kind: 'user', blocks }), event.data.turnId)
    }
    case 'step.start':
      if (state.notes.length === 0) return state
      return carry(
        say(state, event.data.turnId, event.seq, { kind: 'user', blocks: state.notes.map(noteBlock) }),
        event.data.turnId,
      )
    case 'assistant.message':
      if (event.data.blocks.length === 0) return state
      return say(state, event.data.turnId, event.seq, { kind: 'reply', blocks: event.data.blocks, results: new Map() })
    case 'tool.end':
      return answer(state, event.data.turnId, event.seq, event.data)
    case 'turn.end':
      if (state.beforeCompaction?.turnId === event.data.turnId)
        return { ...state.beforeCompaction.state, replaces: state.replaces }
      return changeTurn(state, event.data.turnId, (turn) => ({ ...turn, lastSeq: event.seq }))
    case 'note': {
      if (event.data.for !== 'model') return state
      return { ...state, notes: [...state.notes, { text: event.data.text, about: event.data.about }] }
    }
    case 'compaction.done':
      return {
        ...state,
        summary: event.data.summary,
        beforeCompaction: null,
        turns: state.turns.filter((turn) => turn.lastSeq > event.data.throughSeq),
      }
    default:
      return state
  }
}

/** The messages of the next request. Valid for a strict provider: every call has its result, no message is empty (C13). */
export function promptMessages(state: PromptState): readonly ModelMessage[] {
  const messages: ModelMessage[] = []
  if (state.summary !== null) messages.push({ role: 'user', blocks: [textBlock(`${belayMarker}${state.summary}`)] })
  for (const turn of state.turns) for (const said of turn.said) messages.push(...messagesOf(said))
  if (state.notes.length > 0) messages.push({ role: 'user', blocks: state.notes.map(noteBlock) })
  return mergedUserMessages(messages)
}

/** The calls of the last reply that have no result yet (C13). */
export function unansweredCalls(state: PromptState): readonly ToolCallBlock[] {
  const last = state.turns.at(-1)?.said.findLast((said) => said.kind === 'reply')
  if (last?.kind !== 'reply') return []
  return last.blocks.filter(
    (block): block is ToolCallBlock => block.type === 'tool-call' && !last.results.has(block.callId),
  )
}

function messagesOf(said: Said): ModelMessage[] {
  if (said.kind === 'user') return said.blocks.length === 0 ? [] : [{ role: 'user', blocks: said.blocks }]
  const calls = said.blocks.filter((block): block is ToolCallBlock => block.type === 'tool-call')
  const reply: ModelMessage = { role: 'assistant', blocks: said.blocks }
  if (calls.length === 0) return [reply]
  return [reply, { role: 'tool', results: calls.map((call) => said.results.get(call.callId) ?? unknownResult(call)) }]
}

/** A call whose result never reached the log: only a log written by another hand has one. The model is told so. */
function unknownResult(call: ToolCallBlock): ToolCallResult {
  return { callId: call.callId, name: call.name, status: 'orphaned', output: 'The outcome of this call is unknown.' }
}

/** Two user messages in a row (a turn that ended before any reply) become one, which every provider accepts. */
function mergedUserMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const merged: ModelMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role === 'user' && message.role === 'user') {
      merged[merged.length - 1] = { role: 'user', blocks: [...last.blocks, ...message.blocks] }
    } else merged.push(message)
  }
  return merged
}

function say(state: PromptState, turnId: TurnId, seq: number, said: Said): PromptState {
  return changeTurn(state, turnId, (turn) => ({ ...turn, lastSeq: seq, said: [...turn.said, said] }))
}

function answer(state: PromptState, turnId: TurnId, seq: number, result: Omit<ToolCallResult, 'name'>): PromptState {
  return changeTurn(state, turnId, (turn) => {
    const index = turn.said.findLastIndex((said) => said.kind === 'reply' && hasCall(said.blocks, result.callId))
    const reply = turn.said[index]
    if (reply?.kind !== 'reply') return turn
    const call = reply.blocks.find((block) => block.type === 'tool-call' && block.callId === result.callId)
    const { callId, status, output } = result
    const name = call?.type === 'tool-call' ? call.name : ''
    const results = new Map(reply.results).set(callId, { callId, name, status, output })
    return { ...turn, lastSeq: seq, said: turn.said.with(index, { ...reply, results }) }
  })
}

function hasCall(blocks: readonly Block[], callId: CallId): boolean {
  return blocks.some((block) => block.type === 'tool-call' && block.callId === callId)
}

/** `turnId` is nearly always the last turn's: look from the end. */
function changeTurn(state: PromptState, turnId: TurnId, change: (turn: PromptTurn) => PromptTurn): PromptState {
  const index = state.turns.findLastIndex((turn) => turn.turnId === turnId)
  const turn = state.turns[index]
  return turn ? { ...state, turns: state.turns.with(index, change(turn)) } : state
}

/** The waiting notes have been said in this turn's request. */
function carry(state: PromptState, turnId: TurnId): PromptState {
  const said = changeTurn(state, turnId, (turn) => ({ ...turn, carried: [...turn.carried, ...state.notes] }))
  return { ...said, notes: [] }
}

/** A message that `replaces` a turn takes that turn, and what was noted about it, out of the prompt (W2); what it carried about others stays. */
function withoutReplaced(state: PromptState, messageId: MessageId): PromptState {
  const replaced = state.replaces.get(messageId)
  if (replaced === undefined) return state
  const carried = state.turns.find((turn) => turn.turnId === replaced)?.carried ?? []
  return {
    ...state,
    turns: state.turns.filter((turn) => turn.turnId !== replaced),
    notes: [...carried, ...state.notes].filter((note) => note.about !== replaced),
  }
}

function noteBlock(note: { readonly text: string }): TextBlock {
  return textBlock(`${belayMarker}${note.text}`)
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text }
}
