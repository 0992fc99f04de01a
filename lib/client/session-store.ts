/**
 * One session as a tab shows it: its events, what streams, and what was just sent. The live window always follows the stream; a past
 * window may lie over it while a person reads an older turn.
 */
import { AppError } from '@/lib/contract/errors'
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId, TurnId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'
import { indexOfTurn } from '@/lib/projection/transcript'
import type { Transcript } from '@/lib/projection/transcript-view'
import { type Api, reasonOf, type SessionAddress } from './api'
import type { EventStream } from './event-stream'
import {
  appended,
  type EventWindow,
  emptyWindow,
  prepended,
  printed,
  reachesStart,
  resynced,
  streamed,
  windowOf,
} from './event-window'
import type { FramePacer } from './frame-pacer'
import { type PendingSend, PendingSends, type SendWish } from './pending-sends'
import { type SessionStart, windowOfStart } from './session-start'

export interface SessionView {
  readonly phase: 'loading' | 'ready' | 'failed' | 'gone'
  /** Why, when `failed`. */
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

export interface SessionStorePorts {
  readonly api: Pick<Api, 'events' | 'sendMessage'>
  readonly stream: Pick<EventStream, 'watch' | 'listen' | 'resync'>
  readonly pacer: FramePacer
  readonly now: () => number
}

const pageSize = 500
/** Events shown before a turn that was jumped to. */
const pageBefore = 100
/** `before` of the newest page: higher than any `seq`, and as many digits as the route reads. */
const beyondAll = 999_999_999_999_999

export class SessionStore {
  readonly sessionId: SessionId
  readonly #ports: SessionStorePorts
  readonly #subscribers = new Set<() => void>()
  readonly #sends: PendingSends
  #live: EventWindow = emptyWindow
  #past: EventWindow | null = null
  #phase: SessionView['phase'] = 'loading'
  #reason: string | null = null
  #loading: SessionView['loading'] = null
  /** Frames that came before the page that they follow. */
  #early: Frame[] | null = []
  #covered = false
  #resyncAt = Number.NEGATIVE_INFINITY
  #stop: (() => void) | null = null
  #run = 0
  #view: SessionView

  constructor(sessionId: SessionId, ports: SessionStorePorts, start?: SessionStart) {
    this.sessionId = sessionId
    this.#ports = ports
    this.#sends = new PendingSends(ports.api, () => this.#changed())
    if (start && start.events.length > 0) {
      this.#live = windowOfStart(start)
      this.#past = start.around ? windowOf(start.around) : null
      this.#phase = 'ready'
    }
    this.#view = this.#newView()
  }

  /** True while a view shows it. */
  get isFollowed(): boolean {
    return this.#subscribers.size > 0
  }

  /** The transcript at the live end, also while an older part is shown. */
  readonly liveTranscript = (): Transcript => this.#live.transcript

  readonly snapshot = (): SessionView => this.#view

  /** Follows the session as long as anybody subscribes. */
  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed)
    if (!this.#stop) this.#start()
    return () => {
      this.#subscribers.delete(changed)
      // A strict-mode remount or a move between views subscribes again at once.
      queueMicrotask(() => {
        if (this.#subscribers.size === 0) this.#stop?.()
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
    void this.#load()
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
    if (indexOfTurn(this.#live.transcript, turnId) !== -1) {
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

  #start(): void {
    const { stream } = this.#ports
    const unlisten = stream.listen({
      frames: (frames) => this.#frames(frames),
      refetch: () => this.#refetch(),
      status: () => {},
    })
    const unwatch = stream.watch(this.sessionId, () => {
      this.#covered = true
      if (this.#phase === 'ready') void this.#catchUp()
    })
    this.#early ??= []
    this.#stop = () => {
      unlisten()
      unwatch()
      this.#stop = null
      this.#covered = false
      this.#early = []
      this.#run += 1
    }
    if (this.#phase === 'loading' || this.#phase === 'failed') void this.#load()
  }

  /** Another process or another store answers: what is shown stays until the new truth is here. */
  #refetch(): void {
    this.#early = []
    this.#covered = true
    this.#past = null
    void this.#load()
  }

  async #load(): Promise<void> {
    this.#run += 1
    const run = this.#run
    const coveredBefore = this.#covered
    this.#early ??= []
    try {
      const page = await this.#ports.api.events(this.sessionId, { before: beyondAll, limit: pageSize })
      if (run !== this.#run) return
      this.#live = windowOf(page.events)
      this.#phase = 'ready'
      this.#reason = null
    } catch (error) {
      if (run !== this.#run) return
      this.#phase = error instanceof AppError && error.code === 'not-found' ? 'gone' : 'failed'
      this.#reason = reasonOf(error)
      this.#changed()
      return
    }
    this.#sends.seen(this.#live.events)
    if (coveredBefore) this.#join()
    else if (this.#covered) void this.#catchUp()
    this.#changed()
  }

  /** W7, joining: a stream is open, so the log up to now plus what streams from here on is everything. */
  async #catchUp(): Promise<void> {
    this.#early ??= []
    this.#run += 1
    const run = this.#run
    try {
      for (;;) {
        const after = this.#live.transcript.lastSeq
        const page = await this.#ports.api.events(this.sessionId, { after, limit: pageSize })
        if (run !== this.#run) return
        this.#take(page.events)
        if (page.events.length === 0 || this.#live.transcript.lastSeq >= page.lastSeq) break
      }
    } catch {
      // The server is gone again: the connection says so, and the next stream covers this session anew or asks for everything.
      if (run !== this.#run) return
    }
    this.#join()
    this.#changed()
  }

  #join(): void {
    const early = this.#early ?? []
    this.#early = null
    this.#frames(early)
  }

  #frames(frames: readonly Frame[]): void {
    let touched = false
    for (const [index, frame] of frames.entries()) {
      if (frame.event === 'session-removed') {
        if (frame.data.sessionId === this.sessionId) this.#removed()
        continue
      }
      if (frame.event !== 'session-event' && frame.event !== 'delta' && frame.event !== 'tool-output') continue
      if (frame.data.sessionId !== this.sessionId) continue
      if (this.#early) {
        this.#early.push(frame)
        continue
      }
      if (frame.event === 'session-event') {
        if (!this.#take([frame.data])) {
          this.#early = frames
            .slice(index)
            .filter((later) => 'sessionId' in later.data && later.data.sessionId === this.sessionId)
          void this.#catchUp()
          return
        }
      } else if (frame.event === 'delta') this.#live = streamed(this.#live, frame.data, this.#ports.now())
      else this.#live = printed(this.#live, frame.data)
      touched = true
    }
    if (this.#live.transcript.needsResync) this.#resync()
    if (touched) this.#changed()
  }

  /** False when events are missing before these. */
  #take(events: readonly SessionEvent[]): boolean {
    const next = appended(this.#live, events)
    if (next === 'gap') return false
    this.#live = next
    this.#sends.seen(events)
    this.#meetLive()
    return true
  }

  /** A gap means reconnect (W7), but not faster than a server can answer. */
  #resync(): void {
    this.#live = resynced(this.#live)
    const now = this.#ports.now()
    if (now - this.#resyncAt < 1_000) return
    this.#resyncAt = now
    this.#ports.stream.resync()
  }

  #removed(): void {
    this.#phase = 'gone'
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
    if (!past || past.transcript.lastSeq + 1 < this.#live.transcript.firstSeq) return
    if (past.transcript.firstSeq < this.#live.transcript.firstSeq) this.#live = prepended(this.#live, past.events)
    this.#past = null
  }

  async #page(
    loading: NonNullable<SessionView['loading']>,
    query: Parameters<Api['events']>[1],
  ): Promise<readonly SessionEvent[] | null> {
    this.#loading = loading
    this.#changed()
    try {
      return (await this.#ports.api.events(this.sessionId, query)).events
    } catch (error) {
      this.#reason = reasonOf(error)
      return null
    } finally {
      this.#loading = null
      this.#changed()
    }
  }

  #shown(): EventWindow {
    return this.#past ?? this.#live
  }

  #setShown(window: EventWindow): void {
    if (this.#past) this.#past = window
    else this.#live = window
    if (this.#live.transcript.needsResync) this.#resync()
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
    const window = this.#shown()
    return {
      ...viewOf(window, this.#past === null),
      phase: this.#phase,
      reason: this.#reason,
      atStart: reachesStart(window) || (this.#phase === 'ready' && window.events.length === 0),
      loading: this.#loading,
      pending: this.#sends.list(),
    }
  }
}

/** What a page shows before anything is live. */
export function viewOfStart(start: SessionStart | undefined): SessionView {
  if (!start || start.events.length === 0) return viewOf(emptyWindow, true)
  const view = start.around ? viewOf(windowOf(start.around), false) : viewOf(windowOfStart(start), true)
  return { ...view, phase: 'ready' }
}

function viewOf(window: EventWindow, atEnd: boolean): SessionView {
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
