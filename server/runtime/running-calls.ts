/** The tool calls that run right now, each with a signal of its own that a person can end (T8). */
import type { CallId } from '@/lib/contract/ids'

/** Per-call signals never carry an AgentCancelCause: only a turn's signal does (T8). */
const callEnded = (): DOMException => new DOMException('This tool call was ended.', 'AbortError')

export interface RunningCall {
  readonly signal: AbortSignal
  readonly forceSignal: AbortSignal
  /** True when a person ended this call and not the turn. */
  endedByPerson(): boolean
  /** Takes the call off the list and its listener off the turn's signal. */
  release(): void
}

interface Entry {
  readonly end: AbortController
  readonly force: AbortController
  endedByPerson: boolean
}

export class RunningCalls {
  readonly #entries = new Map<CallId, Entry>()

  /** Lists a call; its signal follows the turn's, also when that has aborted already. */
  begin(callId: CallId, turnSignal: AbortSignal): RunningCall {
    const entry: Entry = { end: new AbortController(), force: new AbortController(), endedByPerson: false }
    const follow = () => entry.end.abort(callEnded())
    turnSignal.addEventListener('abort', follow, { once: true })
    if (turnSignal.aborted) follow()
    this.#entries.set(callId, entry)
    return {
      signal: entry.end.signal,
      forceSignal: entry.force.signal,
      endedByPerson: () => entry.endedByPerson,
      release: () => {
        turnSignal.removeEventListener('abort', follow)
        this.#entries.delete(callId)
      },
    }
  }

  has(callId: CallId): boolean {
    return this.#entries.has(callId)
  }

  /** What ending the call would do now. */
  effectOf(callId: CallId, force: boolean): 'signalled' | 'already-signalled' | 'none' {
    const entry = this.#entries.get(callId)
    if (!entry) return 'none'
    const asked = force ? entry.force.signal.aborted : entry.end.signal.aborted
    return asked ? 'already-signalled' : 'signalled'
  }

  /** Ends one call and not its turn; `force` goes through a process border at once, also while the turn is stopping. */
  end(callId: CallId, force: boolean): void {
    const entry = this.#entries.get(callId)
    if (!entry) return
    if (!entry.end.signal.aborted) {
      entry.endedByPerson = true
      entry.end.abort(callEnded())
    }
    if (force) entry.force.abort(callEnded())
  }
}
