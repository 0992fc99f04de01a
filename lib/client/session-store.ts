/**
 * One session as a tab shows it: its events, what streams, and what was just sent. The live window always follows the stream; a past
 * window may lie over it while a person reads an older turn.
 */
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId, TurnId } from '@/lib/contract/ids'
import { indexOfTurn } from '@/lib/projection/transcript'
import type { Transcript } from '@/lib/projection/transcript-view'
import { type Api, reasonOf, type SessionAddress } from './api'
import { appended, type EventWindow, prepended, reachesStart, windowOf } from './event-window'
import type { FramePacer } from './frame-pacer'
import { LiveEnd, type LiveEndPorts, pageSize } from './live-end'
import { PendingSends, type SendWish } from './pending-sends'
import type { SessionStart } from './session-start'
import { type SessionView, viewOf } from './session-view'

export interface SessionStorePorts extends LiveEndPorts {
  readonly api: Pick<Api, 'events' | 'sendMessage'>
  readonly pacer: FramePacer
}

/** Events shown before a turn that was jumped to. */
const pageBefore = 100
export class SessionStore {
  readonly sessionId: SessionId
  readonly #ports: SessionStorePorts
  readonly #subscribers = new Set<() => void>()
  readonly #sends: PendingSends
  readonly #live: LiveEnd
  #past: EventWindow | null = null
  #loading: SessionView['loading'] = null
  /** Why a page could not be had, until the next one can. */
  #problem: string | null = null
  #unfollow: (() => void) | null = null
  #view: SessionView

  constructor(sessionId: SessionId, ports: SessionStorePorts, start?: SessionStart) {
    this.sessionId = sessionId
    this.#ports = ports
    this.#sends = new PendingSends(ports.api, () => this.#changed())
    const on = {
      changed: () => this.#changed(),
      took: (events: readonly SessionEvent[]) => {
        this.#sends.seen(events)
        this.#meetLive()
      },
      voided: () => {
        this.#past = null
      },
    }
    this.#live = new LiveEnd(sessionId, ports, on, start)
    this.#past = start?.around ? windowOf(start.around) : null
    this.#view = this.#newView()
  }

  /** True while a view shows it. */
  get isFollowed(): boolean {
    return this.#subscribers.size > 0
  }

  /** The transcript at the live end, also while an older part is shown. */
  readonly liveTranscript = (): Transcript => this.#live.window.transcript

  readonly snapshot = (): SessionView => this.#view

  /** Follows the session as long as anybody subscribes. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed)
    this.#unfollow ??= this.#live.follow()
    return () => {
      this.#subscribers.delete(changed)
      // A strict-mode remount or a move between views subscribes again at once.
      queueMicrotask(() => {
        if (this.#subscribers.size > 0) return
        this.#unfollow?.()
        this.#unfollow = null
      })
    }
  }

  /** Sends a message; it is pending at once (in the next frame) and until the log has it. @throws AppError | UnreachableError */
  send(session: SessionAddress, wish: SendWish): Promise<void> {
    return this.#sends.send(session, wish)
  }

  /** Forgets a send that failed. */
  dismiss(clientId: string): void {
    this.#sends.dismiss(clientId)
  }

  /** Tries the first page again after it failed. */
  retry(): void {
    void this.#live.load()
  }

  /** One more page backwards. */
  async loadOlder(): Promise<void> {
    const window = this.#shown()
    if (this.#loading || reachesStart(window) || window.events.length === 0) return
    const page = await this.#page('older', { before: window.transcript.firstSeq, limit: pageSize })
    if (!page || this.#shown().transcript.firstSeq !== window.transcript.firstSeq) return
    this.#setShown(prepended(this.#shown(), page))
  }

  /** One more page forwards, while an older part is read; where it meets the live part, that takes over. */
  async loadNewer(): Promise<void> {
    const past = this.#past
    if (this.#loading || !past) return
    const page = await this.#page('newer', { after: past.transcript.lastSeq, limit: pageSize })
    if (!page || this.#past !== past) return
    const next = appended(past, page)
    if (next !== 'gap') this.#past = next
    this.#meetLive()
    this.#changed()
  }

  /** Makes sure that a turn is in the range shown. False when the session has no such turn. */
  async showTurn(turnId: TurnId): Promise<boolean> {
    if (indexOfTurn(this.#shown().transcript, turnId) !== -1) return true
    if (indexOfTurn(this.#live.window.transcript, turnId) !== -1) {
      this.backToLive()
      return true
    }
    const own = await this.#page('jump', { turnId, limit: 1 })
    const first = own?.[0]
    if (!first) return false
    // With something before it, so that there is a way to scroll up.
    const after = Math.max(0, first.seq - 1 - pageBefore)
    const page = await this.#page('jump', { after, limit: pageSize })
    if (!page) return false
    this.#showPast(windowOf(page))
    return indexOfTurn(this.#shown().transcript, turnId) !== -1
  }

  /** Shows the first page of the session. */
  async showStart(): Promise<void> {
    if (reachesStart(this.#shown())) return
    const page = await this.#page('jump', { after: 0, limit: pageSize })
    if (page && page.length > 0) this.#showPast(windowOf(page))
  }

  /** Leaves the older part. */
  backToLive(): void {
    if (!this.#past) return
    this.#past = null
    this.#changed()
  }

  #showPast(window: EventWindow): void {
    this.#past = window
    this.#meetLive()
    this.#changed()
  }

  /** The older part has reached the live one: from here on they are the same. */
  #meetLive(): void {
    const past = this.#past
    const live = this.#live.window
    if (!past || past.transcript.lastSeq + 1 < live.transcript.firstSeq) return
    if (past.transcript.firstSeq < live.transcript.firstSeq) this.#live.grown(prepended(live, past.events))
    this.#past = null
  }

  async #page(
    loading: NonNullable<SessionView['loading']>,
    query: Parameters<Api['events']>[1],
  ): Promise<readonly SessionEvent[] | null> {
    this.#loading = loading
    this.#changed()
    try {
      const { events } = await this.#ports.api.events(this.sessionId, query)
      this.#problem = null
      return events
    } catch (error) {
      this.#problem = reasonOf(error)
      return null
    } finally {
      this.#loading = null
      this.#changed()
    }
  }

  #shown(): EventWindow {
    return this.#past ?? this.#live.window
  }

  #setShown(window: EventWindow): void {
    if (this.#past) this.#past = window
    else this.#live.grown(window)
    this.#changed()
  }

  #changed(): void {
    this.#view = this.#newView()
    this.#ports.pacer.schedule(this.#notify)
  }

  readonly #notify = (): void => {
    for (const subscriber of [...this.#subscribers]) subscriber()
  }

  #newView(): SessionView {
    const { phase, reason } = this.#live
    const window = this.#shown()
    return {
      ...viewOf(window, this.#past === null),
      phase,
      reason: reason ?? this.#problem,
      atStart: reachesStart(window) || (phase === 'ready' && window.events.length === 0),
      loading: this.#loading,
      pending: this.#sends.list(),
    }
  }
}
