/**
 * The one event stream of a whole browser (W8): opens it for the union of what all tabs show, changes it without loss (W7), comes
 * back after a loss, and hands every tab its frames. Runs in a SharedWorker, in a leader tab, or in the page itself.
 */
import { assertNever } from '@/lib/contract/assert-never'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import type { Frame } from '@/lib/contract/stream'
import type { ConnectionStatus, ToHub, ToTab } from './connection'
import { type HubPorts, streamUrl } from './hub-ports'
import { HubTab } from './hub-tab'
import { retryDelay } from './retry-delay'

export interface HubClient {
  receive(message: ToHub): void
  /** The tab is gone; its sessions are let go. */
  leave(): void
}

/** A position older than this is not worth replaying from: everything is asked for again instead. */
const staleAfter = 60_000
const releaseAfter = 3_000
/** A stream that has not said hello by then is given up. */
const helloWithin = 10_000

interface Attempt {
  readonly sessions: ReadonlySet<SessionId>
  /** What each tab needed when it was opened. */
  readonly tickets: ReadonlyMap<HubTab, number>
  readonly after: number | null
  helloPosition: number
  close: () => void
}

export class StreamHub {
  readonly #ports: HubPorts
  readonly #tabs = new Set<HubTab>()
  readonly #summaries = new Map<SessionId, Session>()
  /** Per session: an event at or below it has been handed on. */
  readonly #seen = new Map<SessionId, number>()
  #current: Attempt | null = null
  #next: Attempt | null = null
  #status: ConnectionStatus = { state: 'connecting' }
  #runtimeId: string | null = null
  #position: number | null = null
  #positionAt = 0
  #failures = 0
  #cancelRetry: (() => void) | null = null
  #cancelRelease: (() => void) | null = null
  #changeDue = false

  constructor(ports: HubPorts) {
    this.#ports = ports
  }

  /** Adds a tab. It hears the status and every summary known at once. */
  connect(post: (message: ToTab) => void): HubClient {
    const tab = new HubTab(post, this.#ports)
    this.#tabs.add(tab)
    post({ type: 'status', status: this.#status })
    const frames = [...this.#summaries.values()].map((data): Frame => ({ event: 'session', data }))
    if (frames.length > 0) post({ type: 'frames', frames })
    if (!this.#current && !this.#next && !this.#cancelRetry) this.#changeSoon()
    return { receive: (message) => this.#receive(tab, message), leave: () => this.#leave(tab) }
  }

  #receive(tab: HubTab, message: ToHub): void {
    if (!this.#tabs.has(tab)) return
    switch (message.type) {
      case 'watch': {
        const sessions = new Set(message.sessions)
        const more = message.sessions.some((id) => !tab.sessions.has(id))
        tab.sessions = sessions
        tab.ticket = message.ticket
        // Also when another tab shows it already: this tab needs the open drafts from offset 0.
        if (more) {
          tab.needed = message.ticket
          this.#changeSoon()
        } else if (tab.covered >= tab.needed) tab.tell({ type: 'covers', ticket: message.ticket })
        this.#releaseLater()
        return
      }
      case 'resync':
        this.#changeSoon()
        return
      case 'retry-now':
        if (this.#status.state === 'lost') this.#open()
        return
      case 'bye':
        this.#leave(tab)
        return
      case 'alive':
        return
      default:
        assertNever(message)
    }
  }

  #leave(tab: HubTab): void {
    tab.leave()
    if (!this.#tabs.delete(tab)) return
    if (this.#tabs.size === 0) {
      this.#shut()
      return
    }
    this.#releaseLater()
  }

  /** Lets go of what nobody shows any more, a moment later: who goes back and forth between two sessions costs nothing. */
  #releaseLater(): void {
    if (this.#cancelRelease) return
    this.#cancelRelease = this.#ports.later(releaseAfter, () => {
      this.#cancelRelease = null
      const wanted = this.#wanted()
      if (this.#current && [...this.#current.sessions].some((id) => !wanted.has(id))) this.#changeSoon()
    })
  }

  #shut(): void {
    this.#current?.close()
    this.#next?.close()
    this.#cancelRetry?.()
    this.#cancelRelease?.()
    this.#current = null
    this.#next = null
    this.#cancelRetry = null
    this.#cancelRelease = null
    this.#status = { state: 'connecting' }
    this.#position = null
    this.#summaries.clear()
    this.#seen.clear()
  }

  #wanted(): Set<SessionId> {
    return new Set([...this.#tabs].flatMap((tab) => [...tab.sessions]))
  }

  /** Several wishes of one tick make one new stream. */
  #changeSoon(): void {
    if (this.#changeDue) return
    this.#changeDue = true
    queueMicrotask(() => {
      this.#changeDue = false
      if (this.#tabs.size > 0 && !this.#cancelRetry) this.#open() // while lost, the next try takes the newest wishes along
    })
  }

  /** Opens the next stream beside the current one, which goes on until the next says hello (W7). */
  #open(): void {
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#next?.close()
    if (this.#status.state === 'lost') this.#setStatus({ ...this.#status, retryAt: null })
    const sessions = this.#wanted()
    const after = this.#after()
    const tickets = new Map([...this.#tabs].map((tab) => [tab, tab.needed]))
    const attempt: Attempt = { sessions, tickets, after, helloPosition: 0, close: () => {} }
    const cancelDeadline = this.#ports.later(helloWithin, () => {
      if (this.#next !== attempt) return
      attempt.close()
      this.#lost(attempt, 'no-answer')
    })
    const source = this.#ports.openStream(streamUrl(sessions, after), {
      frame: (frame) => {
        cancelDeadline()
        this.#frame(attempt, frame)
      },
      lost: () => {
        cancelDeadline()
        this.#lost(attempt, 'no-answer')
      },
    })
    attempt.close = () => {
      cancelDeadline()
      source.close()
    }
    this.#next = attempt
  }

  /** From where to replay; from now on when what is known is too old to be worth it. */
  #after(): number | null {
    if (this.#position === null) return null
    const idle = this.#current !== null && this.#current.sessions.size === 0
    return idle && this.#ports.now() - this.#positionAt > staleAfter ? null : this.#position
  }

  #lost(attempt: Attempt, why: 'goodbye' | 'no-answer'): void {
    if (attempt !== this.#next && attempt !== this.#current) return
    if (attempt === this.#current) this.#current = null
    if (attempt === this.#next) this.#next = null
    // A stream that failed to follow one that still serves is tried again; nothing is lost meanwhile.
    if (!this.#current && this.#next) return
    const delay = retryDelay(this.#failures, why, this.#ports.random())
    this.#failures += 1
    this.#cancelRetry?.()
    this.#cancelRetry = this.#ports.later(delay, () => this.#open())
    if (this.#current) return
    const now = this.#ports.now()
    const before = this.#status.state === 'lost' ? this.#status : null
    this.#setStatus({
      state: 'lost',
      since: before?.since ?? now,
      retryAt: now + delay,
      why: before?.why === 'goodbye' ? 'goodbye' : why,
    })
  }

  #frame(attempt: Attempt, frame: Frame): void {
    if (attempt !== this.#current) {
      if (attempt !== this.#next || frame.event !== 'hello') return
    }
    switch (frame.event) {
      case 'hello':
        this.#hello(attempt, frame.data)
        return
      case 'session-event': {
        const { position, sessionId } = frame.data
        this.#setPosition(Math.max(position, this.#position ?? 0))
        if (position <= (this.#seen.get(sessionId) ?? 0)) return
        this.#seen.set(sessionId, position)
        this.#toWatchers(sessionId, frame)
        return
      }
      case 'delta':
      case 'tool-output':
        this.#toWatchers(frame.data.sessionId, frame)
        return
      case 'session': {
        const known = this.#summaries.get(frame.data.id)
        if (known && known.lastSeq > frame.data.lastSeq) return
        this.#summaries.set(frame.data.id, frame.data)
        this.#toAll(frame)
        return
      }
      case 'session-removed':
        this.#summaries.delete(frame.data.sessionId)
        this.#toAll(frame)
        return
      case 'reset':
        this.#setPosition(attempt.helloPosition)
        this.#forget()
        return
      case 'goodbye':
        attempt.close()
        this.#lost(attempt, 'goodbye')
        return
      default:
        assertNever(frame)
    }
  }

  #hello(attempt: Attempt, hello: { runtimeId: string; position: number }): void {
    this.#next = null
    if (this.#current !== attempt) this.#current?.close()
    this.#current = attempt
    this.#failures = 0
    const changed = this.#runtimeId !== null && this.#runtimeId !== hello.runtimeId
    this.#runtimeId = hello.runtimeId
    attempt.helloPosition = hello.position
    // With sessions and `after` the replay comes only now: until its events are here, the old position is where to begin again.
    if (attempt.after === null || attempt.sessions.size === 0) this.#setPosition(hello.position)
    if (changed) this.#forget()
    this.#setStatus({ state: 'open', runtimeId: hello.runtimeId })
    for (const tab of this.#tabs) {
      const asked = attempt.tickets.get(tab) ?? 0
      if (asked <= tab.covered || asked < tab.needed) continue
      tab.covered = asked
      tab.tell({ type: 'covers', ticket: tab.ticket })
    }
    if ([...this.#tabs].some((tab) => tab.needed > tab.covered)) this.#changeSoon()
  }

  #setPosition(position: number): void {
    this.#position = position
    this.#positionAt = this.#ports.now()
  }

  #forget(): void {
    this.#summaries.clear()
    this.#seen.clear()
    for (const tab of this.#tabs) {
      tab.tell({ type: 'refetch' })
    }
  }

  #setStatus(status: ConnectionStatus): void {
    this.#status = status
    for (const tab of this.#tabs) {
      tab.tell({ type: 'status', status })
    }
  }

  #toWatchers(sessionId: SessionId, frame: Frame): void {
    for (const tab of this.#tabs) if (tab.sessions.has(sessionId)) tab.send(frame)
  }

  #toAll(frame: Frame): void {
    for (const tab of this.#tabs) tab.send(frame)
  }
}
