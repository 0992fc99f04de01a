/** The live end of a session: joins the stream without a gap (W7), applies what arrives, and notices what is missing. */
import { AppError } from '@/lib/contract/errors'
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'
import { type Api, reasonOf } from './api'
import type { EventStream } from './event-stream'
import { appended, type EventWindow, emptyWindow, printed, resynced, streamed, windowOf } from './event-window'
import { type SessionStart, windowOfStart } from './session-start'

export interface LiveEndPorts {
  readonly api: Pick<Api, 'events'>
  readonly stream: Pick<EventStream, 'watch' | 'listen' | 'resync'>
  readonly now: () => number
}

export interface LiveEndListener {
  changed(): void
  /** These events are known from now on. */
  took(events: readonly SessionEvent[]): void
  /** Everything known may be wrong and is being asked for again. */
  voided(): void
}

export const pageSize = 500
/** `before` of the newest page: higher than any `seq`, and as many digits as the route reads. */
const beyondAll = 999_999_999_999_999
/** Milliseconds between two wishes for the drafts. */
const resyncEvery = 1_000

export class LiveEnd {
  readonly #sessionId: SessionId
  readonly #ports: LiveEndPorts
  readonly #on: LiveEndListener
  #window: EventWindow = emptyWindow
  #phase: 'loading' | 'ready' | 'failed' | 'gone' = 'loading'
  #reason: string | null = null
  /** Frames that came before the page that they follow; null once joined. */
  #early: Frame[] | null = []
  #covered = false
  #resyncAt = Number.NEGATIVE_INFINITY
  /** Counts what was asked: an answer to an older question is not wanted any more. */
  #run = 0

  constructor(sessionId: SessionId, ports: LiveEndPorts, on: LiveEndListener, start?: SessionStart) {
    this.#sessionId = sessionId
    this.#ports = ports
    this.#on = on
    if (!start || start.events.length === 0) return
    this.#window = windowOfStart(start)
    this.#phase = 'ready'
  }

  get window(): EventWindow {
    return this.#window
  }

  get phase(): 'loading' | 'ready' | 'failed' | 'gone' {
    return this.#phase
  }

  /** Why, when `failed`. */
  get reason(): string | null {
    return this.#reason
  }

  /** Takes the window grown backwards. */
  grown(window: EventWindow): void {
    this.#window = window
    if (window.transcript.needsResync) this.#resync()
  }

  /** Follows the stream until the returned undo. */
  follow(): () => void {
    const { stream } = this.#ports
    const unlisten = stream.listen({
      frames: (frames) => this.#frames(frames),
      refetch: () => this.#refetch(),
      status: () => {},
    })
    const unwatch = stream.watch(this.#sessionId, () => {
      this.#covered = true
      if (this.#phase === 'ready') void this.#catchUp()
    })
    this.#early ??= []
    if (this.#phase === 'loading' || this.#phase === 'failed') void this.load()
    return () => {
      unlisten()
      unwatch()
      this.#covered = false
      this.#early = []
      this.#run += 1
    }
  }

  /** Asks for the newest page, anew when there was one. */
  async load(): Promise<void> {
    this.#run += 1
    const run = this.#run
    const coveredBefore = this.#covered
    this.#early ??= []
    try {
      const page = await this.#ports.api.events(this.#sessionId, { before: beyondAll, limit: pageSize })
      if (run !== this.#run) return
      this.#window = windowOf(page.events)
      this.#phase = 'ready'
      this.#reason = null
    } catch (error) {
      if (run !== this.#run) return
      this.#phase = error instanceof AppError && error.code === 'not-found' ? 'gone' : 'failed'
      this.#reason = reasonOf(error)
      this.#on.changed()
      return
    }
    this.#on.took(this.#window.events)
    if (coveredBefore) this.#join()
    else if (this.#covered) void this.#catchUp()
    this.#on.changed()
  }

  /** Another process or another store answers: what is shown stays until the new truth is here. */
  #refetch(): void {
    this.#early = []
    this.#covered = true
    this.#on.voided()
    void this.load()
  }

  /** W7, joining: a stream is open, so the log up to now plus what streams from here on is everything. */
  async #catchUp(): Promise<void> {
    this.#early ??= []
    this.#run += 1
    const run = this.#run
    try {
      for (;;) {
        const after = this.#window.transcript.lastSeq
        const page = await this.#ports.api.events(this.#sessionId, { after, limit: pageSize })
        if (run !== this.#run) return
        this.#take(page.events)
        if (page.events.length === 0 || this.#window.transcript.lastSeq >= page.lastSeq) break
      }
    } catch {
      // The server is gone again: the connection says so, and the next stream covers this session anew or asks for everything.
      if (run !== this.#run) return
    }
    this.#join()
    this.#on.changed()
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
        if (frame.data.sessionId === this.#sessionId) this.#removed()
        continue
      }
      if (frame.event !== 'session-event' && frame.event !== 'delta' && frame.event !== 'tool-output') continue
      if (frame.data.sessionId !== this.#sessionId) continue
      if (this.#early) {
        this.#early.push(frame)
        continue
      }
      if (frame.event === 'session-event') {
        if (!this.#take([frame.data])) {
          this.#early = frames
            .slice(index)
            .filter((later) => 'sessionId' in later.data && later.data.sessionId === this.#sessionId)
          void this.#catchUp()
          return
        }
      } else if (frame.event === 'delta') this.#window = streamed(this.#window, frame.data, this.#ports.now())
      else this.#window = printed(this.#window, frame.data)
      touched = true
    }
    if (this.#window.transcript.needsResync) this.#resync()
    if (touched) this.#on.changed()
  }

  /** False when events are missing before these. */
  #take(events: readonly SessionEvent[]): boolean {
    const next = appended(this.#window, events)
    if (next === 'gap') return false
    this.#window = next
    this.#on.took(events)
    return true
  }

  /** A gap means reconnect (W7), but not faster than a server can answer. */
  #resync(): void {
    this.#window = resynced(this.#window)
    const now = this.#ports.now()
    if (now - this.#resyncAt < resyncEvery) return
    this.#resyncAt = now
    this.#ports.stream.resync()
  }

  #removed(): void {
    this.#phase = 'gone'
    this.#on.changed()
  }
}
