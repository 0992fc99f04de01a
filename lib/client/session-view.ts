/** What a session shows at one moment. */
import type { Transcript } from '@/lib/projection/transcript-view'
import { type EventWindow, emptyWindow, reachesStart, windowOf } from './event-window'
import type { PendingSend } from './pending-sends'
import { type SessionStart, windowOfStart } from './session-start'

export interface SessionView {
  readonly phase: 'loading' | 'ready' | 'failed' | 'gone'
  /** Why, when `failed`, or when an older page could not be had. */
  readonly reason: string | null
  readonly transcript: Transcript
  /** The range shown reaches the first event. */
  readonly atStart: boolean
  /** The range shown follows the session live; false while an older part is read. */
  readonly atEnd: boolean
  readonly loading: 'older' | 'newer' | 'jump' | null
  /** What was sent and is not in the log yet. */
  readonly pending: readonly PendingSend[]
}

/** What a page shows before anything is live. */
export function viewOfStart(start: SessionStart | undefined): SessionView {
  if (!start || start.events.length === 0) return viewOf(emptyWindow, true)
  const view = start.around ? viewOf(windowOf(start.around), false) : viewOf(windowOfStart(start), true)
  return { ...view, phase: 'ready' }
}

/** A window as it is shown, before anything else is known. */
export function viewOf(window: EventWindow, atEnd: boolean): SessionView {
  return {
    phase: 'loading',
    reason: null,
    transcript: window.transcript,
    atStart: reachesStart(window),
    atEnd,
    loading: null,
    pending: [],
  }
}
