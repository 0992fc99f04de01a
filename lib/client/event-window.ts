/** A contiguous range of one session's events and the transcript it makes. Growing it backwards keeps what did not change. */
import type { SessionEvent } from '@/lib/contract/events'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import { emptyTranscript, foldAll, foldTranscript } from '@/lib/projection/transcript'
import { foldDelta, foldToolOutput, resyncAsked } from '@/lib/projection/transcript-draft'
import type { Transcript, TurnView } from '@/lib/projection/transcript-view'

export interface EventWindow {
  readonly events: readonly SessionEvent[]
  readonly transcript: Transcript
}

export const emptyWindow: EventWindow = { events: [], transcript: emptyTranscript }

/** A window over these events. */
export function windowOf(events: readonly SessionEvent[]): EventWindow {
  return { events, transcript: foldAll(emptyTranscript, events) }
}

/** True when the window reaches back to the session's first event. */
export function reachesStart(window: EventWindow): boolean {
  return window.transcript.firstSeq === 1
}

/** Adds what follows. `gap` when an event is missing in between; known ones are skipped. */
export function appended(window: EventWindow, events: readonly SessionEvent[]): EventWindow | 'gap' {
  let { transcript } = window
  const fresh: SessionEvent[] = []
  for (const event of events) {
    if (event.seq <= transcript.lastSeq) continue
    if (transcript.lastSeq > 0 && event.seq > transcript.lastSeq + 1) return 'gap'
    fresh.push(event)
    transcript = foldTranscript(transcript, event)
  }
  return fresh.length === 0 ? window : { events: [...window.events, ...fresh], transcript }
}

/** Adds older events in front. Turns that they do not change stay the same objects, drafts included. */
export function prepended(window: EventWindow, older: readonly SessionEvent[]): EventWindow {
  const first = window.transcript.firstSeq
  const events = [...older.filter((event) => event.seq < first), ...window.events]
  const folded = foldAll(emptyTranscript, events)
  const known = new Map(window.transcript.turns.map((turn) => [turn.turnId, turn]))
  const turns = folded.turns.map((turn) => {
    const before = known.get(turn.turnId)
    return before && sameTurn(before, turn) ? before : turn
  })
  return {
    events,
    transcript: { ...folded, turns, needsResync: window.transcript.needsResync || cutDraft(window, turns) },
  }
}

/** Applies what streams. */
export function streamed(window: EventWindow, delta: Delta, nowMs: number): EventWindow {
  const transcript = foldDelta(window.transcript, delta, nowMs)
  return transcript === window.transcript ? window : { ...window, transcript }
}

/** Applies a running tool's output. */
export function printed(window: EventWindow, output: ToolOutput): EventWindow {
  const transcript = foldToolOutput(window.transcript, output)
  return transcript === window.transcript ? window : { ...window, transcript }
}

/** The drafts have been asked for again. */
export function resynced(window: EventWindow): EventWindow {
  return { ...window, transcript: resyncAsked(window.transcript) }
}

function sameTurn(before: TurnView, now: TurnView): boolean {
  return (
    before.firstSeq === now.firstSeq &&
    before.lastSeq === now.lastSeq &&
    before.n === now.n &&
    before.replacedBy === now.replacedBy &&
    before.replaces.length === now.replaces.length &&
    (before.state !== 'ended' || before.items.length === now.items.length)
  )
}

/** The open turn itself was built anew, so its drafts are gone and must come again. */
function cutDraft(window: EventWindow, turns: readonly TurnView[]): boolean {
  const open = window.transcript.turns.at(-1)
  return open !== undefined && open.state !== 'ended' && !turns.includes(open)
}
