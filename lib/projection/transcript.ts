/**
 * The fold from events to what a person reads. Pure; only the turn and the items that an event touches get a new identity, so that
 * memoised rows stay as they are. The range may begin anywhere; a turn whose start is missing has `n: null`.
 */
import { assertNever } from '@/lib/contract/assert-never'
import type { EventOf, SessionEvent } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import { foldInbox } from './inbox'
import { settleStep, startStep } from './transcript-step'
import { endCallAsked, endTool, startTool } from './transcript-tool'
import type { NoteItem, Transcript, TurnView } from './transcript-view'

export const emptyTranscript: Transcript = {
  turns: [],
  preface: [],
  created: null,
  inbox: [],
  plan: [],
  firstSeq: 0,
  lastSeq: 0,
  needsResync: false,
}

/** Applies one event. Events must come in order; one that is known already changes nothing (W7: nothing doubled). */
export function foldTranscript(transcript: Transcript, event: SessionEvent): Transcript {
  if (event.seq <= transcript.lastSeq) return transcript
  const shown = foldShown(transcript, event)
  return {
    ...shown,
    inbox: foldInbox(transcript.inbox, event),
    firstSeq: transcript.firstSeq === 0 ? event.seq : transcript.firstSeq,
    lastSeq: event.seq,
  }
}

/** Applies events in order. */
export function foldAll(transcript: Transcript, events: Iterable<SessionEvent>): Transcript {
  let folded = transcript
  for (const event of events) folded = foldTranscript(folded, event)
  return folded
}

/** Changes one turn; an unknown one is begun, with its start unknown. */
export function inTurn(
  transcript: Transcript,
  turnId: TurnId,
  event: SessionEvent,
  change: (turn: TurnView) => TurnView,
): Transcript {
  const at = indexOfTurn(transcript, turnId)
  const before = transcript.turns[at] ?? newTurn(turnId, event)
  const after = { ...change(before), lastSeq: event.seq }
  return { ...transcript, turns: at === -1 ? [...transcript.turns, after] : transcript.turns.with(at, after) }
}

/** The place of a turn, looked for from the newest; -1 when it is not in the range. */
export function indexOfTurn(transcript: Transcript, turnId: TurnId): number {
  return transcript.turns.findLastIndex((turn) => turn.turnId === turnId)
}

function newTurn(turnId: TurnId, event: SessionEvent): TurnView {
  return {
    turnId,
    n: null,
    kind: 'prompt',
    state: 'running',
    items: [],
    steps: [],
    control: null,
    outcome: null,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    startedAt: event.at,
    endedAt: null,
    replaces: [],
    replacedBy: null,
    firstSeq: event.seq,
    lastSeq: event.seq,
  }
}

function foldShown(transcript: Transcript, event: SessionEvent): Transcript {
  switch (event.type) {
    case 'session.created':
      return { ...transcript, created: event.data }
    case 'inbox.claimed':
      return claimed(transcript, event)
    case 'turn.start': {
      const { turnId, n, kind } = event.data
      return inTurn(transcript, turnId, event, (turn) => ({ ...turn, n, kind }))
    }
    case 'user.message':
      return said(transcript, event)
    case 'step.start':
      return inTurn(transcript, event.data.turnId, event, (turn) => startStep(turn, event))
    case 'assistant.message':
      return inTurn(transcript, event.data.turnId, event, (turn) => settleStep(turn, event))
    case 'tool.start':
      return inTurn(transcript, event.data.turnId, event, (turn) => startTool(turn, event))
    case 'tool.end':
      return inTurn(transcript, event.data.turnId, event, (turn) => endTool(turn, event))
    case 'step.end':
      return inTurn(transcript, event.data.turnId, event, (turn) => used(turn, event))
    case 'retry.waiting':
      return inTurn(transcript, event.data.turnId, event, (turn) => waitsForRetry(turn, event))
    case 'control.requested':
      return controlled(transcript, event)
    case 'turn.end':
      return inTurn(transcript, event.data.turnId, event, (turn) => ended(turn, event))
    case 'note':
      return event.data.for === 'person' ? noted(transcript, event) : transcript
    case 'compaction.done':
      return compacted(transcript, event)
    case 'plan.updated':
      return { ...transcript, plan: event.data.items }
    // Their cards come with approvals, questions and children.
    case 'approval.requested':
    case 'approval.resolved':
    case 'question.requested':
    case 'question.resolved':
    case 'child.spawned':
    case 'child.settled':
    // The inbox fold and the session summary show these.
    case 'session.changed':
    case 'inbox.queued':
    case 'inbox.edited':
    case 'inbox.discarded':
      return transcript
    default:
      return assertNever(event)
  }
}

/** The claimed words show at once; `user.message` says the same again, or never comes because the turn was stopped before it. */
function claimed(transcript: Transcript, event: EventOf<'inbox.claimed'>): Transcript {
  const ids = new Set(event.data.messageIds)
  const taken = transcript.inbox.filter((item) => ids.has(item.messageId))
  const replaces = taken.flatMap((item) => item.replaces ?? [])
  const { turnId } = event.data
  const next = inTurn(transcript, turnId, event, (turn) => ({
    ...turn,
    replaces: [...turn.replaces, ...replaces],
    items: [
      ...turn.items,
      ...taken
        .filter((item) => item.delivery !== 'inject')
        .map(({ messageId, text, delivery, from, at }) => ({
          kind: 'message' as const,
          key: messageId,
          messageId,
          text,
          delivery,
          from,
          at,
        })),
    ],
  }))
  if (replaces.length === 0) return next
  const gone = new Set(replaces)
  return { ...next, turns: next.turns.map((turn) => (gone.has(turn.turnId) ? { ...turn, replacedBy: turnId } : turn)) }
}

function said(transcript: Transcript, event: EventOf<'user.message'>): Transcript {
  const { turnId, messageId, blocks } = event.data
  const text = blocks.map((block) => block.text).join('\n\n')
  return inTurn(transcript, turnId, event, (turn) => {
    const at = turn.items.findIndex((item) => item.kind === 'message' && item.messageId === messageId)
    const known = turn.items[at]
    if (known?.kind === 'message') {
      return known.text === text ? turn : { ...turn, items: turn.items.with(at, { ...known, text }) }
    }
    const item = {
      kind: 'message' as const,
      key: messageId,
      messageId,
      text,
      delivery: 'follow-up' as const,
      from: { kind: 'user' as const },
      at: event.at,
    }
    return { ...turn, items: [...turn.items, item] }
  })
}

function used(turn: TurnView, event: EventOf<'step.end'>): TurnView {
  const { inputTokens, outputTokens, estimated } = event.data.usage
  const usage = {
    inputTokens: turn.usage.inputTokens + inputTokens,
    outputTokens: turn.usage.outputTokens + outputTokens,
    estimated: turn.usage.estimated || estimated,
  }
  return { ...turn, usage }
}

function waitsForRetry(turn: TurnView, event: EventOf<'retry.waiting'>): TurnView {
  const { stepId, attempt, until, reason } = event.data
  const key = `${stepId}:retry:${attempt}`
  return { ...turn, items: [...turn.items, { kind: 'retry', key, stepId, attempt, until, reason, over: false }] }
}

function controlled(transcript: Transcript, event: EventOf<'control.requested'>): Transcript {
  const { action, via, by, turnId, callId } = event.data
  if (turnId === null || indexOfTurn(transcript, turnId) === -1) return transcript
  return inTurn(transcript, turnId, event, (turn) => {
    if (action === 'end-call') return endCallAsked(turn, callId)
    if (turn.control !== null || turn.state === 'ended') return turn
    return { ...turn, state: 'stopping', control: { action, via, by, at: event.at } }
  })
}

/** What had not become a message by now is gone from the log too, so it goes from the screen. */
function ended(turn: TurnView, event: EventOf<'turn.end'>): TurnView {
  const items = turn.items.flatMap((item) => {
    if (item.kind === 'retry') return item.over ? item : { ...item, over: true }
    const isDraft =
      ((item.kind === 'text' || item.kind === 'reasoning') && item.live) ||
      (item.kind === 'tool' && item.state === 'writing')
    return isDraft ? [] : item
  })
  const steps = turn.steps.map((step) => (step.settled ? step : { ...step, settled: true }))
  return { ...turn, items, steps, state: 'ended', outcome: event.data.outcome, endedAt: event.at }
}

function noted(transcript: Transcript, event: EventOf<'note'>): Transcript {
  const { text, about } = event.data
  const item: NoteItem = { kind: 'note', key: `note:${event.seq}`, text, about: about ?? null, at: event.at }
  const last = transcript.turns.at(-1)
  if (!last) return { ...transcript, preface: [...transcript.preface, item] }
  return inTurn(transcript, last.turnId, event, (turn) => ({ ...turn, items: [...turn.items, item] }))
}

function compacted(transcript: Transcript, event: EventOf<'compaction.done'>): Transcript {
  const last = transcript.turns.at(-1)
  if (!last) return transcript
  const item = { kind: 'compaction' as const, key: `compaction:${event.seq}`, summary: event.data.summary }
  return inTurn(transcript, last.turnId, event, (turn) => ({ ...turn, items: [...turn.items, item] }))
}
