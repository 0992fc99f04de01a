/** What a session's page is rendered with: its newest events and what streams at that moment, so that the first paint is whole. */
import type { SessionEvent } from '@/lib/contract/events'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import { type EventWindow, printed, streamed, windowOf } from './event-window'

export interface SessionStart {
  /** The newest, in order. */
  readonly events: readonly SessionEvent[]
  /** Open drafts from offset 0, as a new stream would bring them (W7). */
  readonly deltas: readonly Delta[]
  readonly outputs: readonly ToolOutput[]
  /** A contiguous range around the turn of the address, when that is not among the newest. */
  readonly around: readonly SessionEvent[] | null
}

/** The live window of a start. A pure function of it, so that server and browser draw the same. */
export function windowOfStart(start: SessionStart): EventWindow {
  let window = windowOf(start.events)
  const at = Date.parse(start.events.at(-1)?.at ?? '') || 0
  for (const delta of start.deltas) window = streamed(window, delta, at)
  for (const output of start.outputs) window = printed(window, output)
  return window
}
