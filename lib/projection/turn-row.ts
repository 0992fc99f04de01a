/** The fold from a turn's events to its row in the history (U8, W2 `/api/turns`). */
import type { Block, EventOf, SessionEvent } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import type { TurnRow } from '@/lib/contract/session'
import { cutText, firstLine } from './cut-text'

/** A `TurnRow` without what belongs to its session or to a search. Plain JSON. */
export type TurnRecord = Omit<TurnRow, 'rootId' | 'title' | 'snippet'>

const promptMax = 500
const stepTextMax = 200

/** The row of a turn that has just begun. */
export function startedTurn(event: EventOf<'turn.start'>): TurnRecord {
  return {
    turnId: event.data.turnId,
    sessionId: event.sessionId,
    prompt: '',
    outcome: null,
    requestedBy: null,
    via: null,
    startedAt: event.at,
    durationMs: null,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    lastStep: { text: '' },
  }
}

/** The turn that an event belongs to, if it names one. */
export function turnIdOf(event: SessionEvent): TurnId | null {
  return 'turnId' in event.data ? event.data.turnId : null
}

/** Applies one event that names this turn (`turnIdOf`). */
export function foldTurnRow(row: TurnRecord, event: SessionEvent): TurnRecord {
  switch (event.type) {
    case 'user.message': {
      if (row.prompt !== '') return row // steers join later; the prompt is what opened the turn
      return { ...row, prompt: cutText(event.data.blocks.map((block) => block.text).join('\n'), promptMax) }
    }
    case 'assistant.message':
      return { ...row, lastStep: lastStepOf(event.data.blocks, row.lastStep) }
    case 'tool.start':
      return { ...row, lastStep: { tool: event.data.name, text: row.lastStep.text || inputText(event.data.input) } }
    case 'step.end': {
      const { usage } = event.data
      return {
        ...row,
        usage: {
          inputTokens: row.usage.inputTokens + usage.inputTokens,
          outputTokens: row.usage.outputTokens + usage.outputTokens,
          estimated: row.usage.estimated || usage.estimated,
        },
      }
    }
    case 'control.requested':
      return requested(row, event)
    case 'turn.end':
      return ended(row, event)
    default:
      return row
  }
}

/** The first request that ends a turn explains its end; `end-call` ends one call only (L3, C4). */
function requested(row: TurnRecord, { data }: EventOf<'control.requested'>): TurnRecord {
  if (row.outcome !== null || row.requestedBy !== null || data.action === 'end-call') return row
  return { ...row, requestedBy: data.by.kind, via: data.via }
}

/** A request explains only the outcome `aborted`: a disposal wins over it, and a dead process was nobody's wish (C8). */
function ended(row: TurnRecord, event: EventOf<'turn.end'>): TurnRecord {
  const { outcome } = event.data
  const durationMs = Math.max(0, Date.parse(event.at) - Date.parse(row.startedAt))
  const explained = outcome.kind === 'aborted' ? {} : { requestedBy: null, via: null }
  return { ...row, ...explained, outcome, durationMs }
}

function lastStepOf(blocks: readonly Block[], before: TurnRecord['lastStep']): TurnRecord['lastStep'] {
  const text = blocks.findLast((block) => block.type === 'text' && block.text.trim() !== '')
  const call = blocks.findLast((block) => block.type === 'tool-call')
  const words = text?.type === 'text' ? cutText(text.text.trim(), stepTextMax) : ''
  if (call?.type === 'tool-call') return { tool: call.name, text: words || inputText(call.input) }
  return words === '' ? before : { text: words }
}

function inputText(input: unknown): string {
  const values = typeof input === 'object' && input !== null ? Object.values(input) : [input]
  const first = values.find((value) => typeof value === 'string')
  return typeof first === 'string' ? firstLine(first, stepTextMax) : ''
}
