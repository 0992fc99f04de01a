/** Decides when a session's changed summary is due: the first change and every change of activity at once, the rest every 50 ms. */
import type { SessionId } from '@/lib/contract/ids'
import type { Activity } from '@/lib/contract/session'

/** Milliseconds between two summaries of one session that differ in small things only. */
export const summaryInterval = 50

interface Window {
  activity: Activity
  dirty: boolean
  timer: ReturnType<typeof setTimeout>
}

/** A transition must be seen as it is now: the next one may follow before anything is sent. */
export type Due = 'change' | 'transition'

export class SummaryPacer {
  readonly #windows = new Map<SessionId, Window>()
  readonly #activityOf: (id: SessionId) => Activity
  readonly #due: (id: SessionId, why: Due) => void

  /** @param due is called synchronously, or from a timer, whenever a summary should go out. */
  constructor(activityOf: (id: SessionId) => Activity, due: (id: SessionId, why: Due) => void) {
    this.#activityOf = activityOf
    this.#due = due
  }

  changed(id: SessionId): void {
    const window = this.#windows.get(id)
    const activity = this.#activityOf(id)
    if (window && window.activity === activity) {
      window.dirty = true
      return
    }
    if (window) clearTimeout(window.timer)
    this.#send(id, activity, window ? 'transition' : 'change')
  }

  forget(id: SessionId): void {
    const window = this.#windows.get(id)
    if (window) clearTimeout(window.timer)
    this.#windows.delete(id)
  }

  clear(): void {
    for (const id of [...this.#windows.keys()]) this.forget(id)
  }

  #send(id: SessionId, activity: Activity, why: Due): void {
    const timer = setTimeout(() => this.#expired(id), summaryInterval)
    this.#windows.set(id, { activity, dirty: false, timer })
    this.#due(id, why)
  }

  #expired(id: SessionId): void {
    const dirty = this.#windows.get(id)?.dirty
    this.#windows.delete(id)
    if (dirty) this.#send(id, this.#activityOf(id), 'change')
  }
}
