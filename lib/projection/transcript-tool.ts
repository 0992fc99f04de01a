/** How a tool call lives in its turn, and its output, which is kept to a bound. */
import type { EventOf } from '@/lib/contract/events'
import type { CallId } from '@/lib/contract/ids'
import type { OutputText, ToolItem, TurnView } from './transcript-view'

export const noOutput: OutputText = { head: '', tail: '', dropped: 0, length: 0 }

/** Units kept from the beginning and from the end of a tool's output; what lies between is let go and counted. */
const headUnits = 64_000
const tailUnits = 192_000

export function startTool(turn: TurnView, event: EventOf<'tool.start'>): TurnView {
  const { callId, name, input } = event.data
  return withCall(turn, callId, name, (item) => ({ ...item, name, input, state: 'running', startedAt: event.at }))
}

/** The result's output is the whole truth; the live output was only on its way there. */
export function endTool(turn: TurnView, event: EventOf<'tool.end'>): TurnView {
  const { callId, status, output, durationMs, truncated } = event.data
  return withCall(turn, callId, 'tool', (item) => ({
    ...item,
    state: status,
    output: addOutput(noOutput, output),
    durationMs,
    truncated,
  }))
}

export function endCallAsked(turn: TurnView, callId: CallId | undefined): TurnView {
  const at = turn.items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId)
  const item = turn.items[at]
  if (item?.kind !== 'tool') return turn
  return { ...turn, items: turn.items.with(at, { ...item, endAsked: true }) }
}

/** Appends output and drops from the middle what goes over the bound. */
export function addOutput(before: OutputText, text: string): OutputText {
  const length = before.length + text.length
  const room = before.dropped === 0 && before.tail === '' ? Math.max(0, headUnits - before.head.length) : 0
  const head = room === 0 ? before.head : before.head + text.slice(0, room)
  const tail = before.tail + text.slice(room)
  const over = tail.length - tailUnits
  // Cut only when a good piece is over, so that a busy command does not copy the tail with every line.
  if (over <= tailUnits / 4) return { head, tail, dropped: before.dropped, length }
  return { head, tail: tail.slice(over), dropped: before.dropped + over, length }
}

function withCall(turn: TurnView, callId: CallId, name: string, change: (item: ToolItem) => ToolItem): TurnView {
  const at = turn.items.findLastIndex((item) => item.kind === 'tool' && item.callId === callId)
  const known = turn.items[at]
  if (known?.kind === 'tool') return { ...turn, items: turn.items.with(at, change(known)) }
  const fresh: ToolItem = {
    kind: 'tool',
    key: callId,
    stepId: null,
    block: 0,
    callId,
    name,
    input: undefined,
    rawInput: '',
    state: 'waiting',
    output: noOutput,
    startedAt: null,
    durationMs: null,
    endAsked: false,
    truncated: false,
  }
  return { ...turn, items: [...turn.items, change(fresh)] }
}
