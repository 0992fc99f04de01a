/** Every session's summary as the newest frame told it; one stream feeds list and tree (W6). */
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import type { Frame } from '@/lib/contract/stream'
import type { FramePacer } from './frame-pacer'

export class SummaryStore {
  readonly #pacer: FramePacer
  readonly #subscribers = new Set<() => void>()
  #sessions: ReadonlyMap<SessionId, Session> = new Map()
  /** Ids whose newest summary came by the stream: it beats an answer of the same age. */
  #streamed = new Set<SessionId>()
  #removed: ReadonlySet<SessionId> = new Set()

  constructor(pacer: FramePacer) {
    this.#pacer = pacer
  }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed)
    return () => this.#subscribers.delete(changed)
  }

  /** All that is known, by id. The same object until something changes. */
  readonly all = (): ReadonlyMap<SessionId, Session> => this.#sessions

  /** Ids that were deleted while this page was open. */
  readonly removed = (): ReadonlySet<SessionId> => this.#removed

  get(id: SessionId): Session | undefined {
    return this.#sessions.get(id)
  }

  /** Takes what a GET or the page itself brought; where the stream knows as much or more, that stays. */
  put(sessions: readonly Session[]): void {
    this.#merge(sessions.filter((session) => !this.#removed.has(session.id) && this.#isNews(session, 'answer')))
  }

  frames(frames: readonly Frame[]): void {
    const news = new Map<SessionId, Session>()
    for (const frame of frames) {
      if (frame.event === 'session' && this.#isNews(news.get(frame.data.id) ?? frame.data, 'stream')) {
        const before = news.get(frame.data.id)
        if (!before || before.lastSeq <= frame.data.lastSeq) news.set(frame.data.id, frame.data)
      }
      if (frame.event === 'session-removed') {
        news.delete(frame.data.sessionId)
        this.#remove(frame.data.sessionId)
      }
    }
    for (const id of news.keys()) this.#streamed.add(id)
    this.#merge([...news.values()])
  }

  /** Another process answers: live fields from before may be wrong, so whatever comes next wins. */
  distrust(): void {
    this.#streamed = new Set()
    this.#sessions = new Map([...this.#sessions].map(([id, session]) => [id, { ...session, lastSeq: 0 }]))
  }

  #isNews(session: Session, from: 'answer' | 'stream'): boolean {
    const known = this.#sessions.get(session.id)
    if (!known || session.lastSeq > known.lastSeq) return true
    // An older lastSeq loses; of the same age the stream wins, because activity changes without an event.
    return session.lastSeq === known.lastSeq && (from === 'stream' || !this.#streamed.has(session.id))
  }

  #merge(sessions: readonly Session[]): void {
    if (sessions.length === 0) return
    const next = new Map(this.#sessions)
    for (const session of sessions) next.set(session.id, session)
    this.#sessions = next
    this.#pacer.schedule(this.#notify)
  }

  #remove(id: SessionId): void {
    const next = new Map(this.#sessions)
    next.delete(id)
    this.#sessions = next
    this.#removed = new Set([...this.#removed, id])
    this.#pacer.schedule(this.#notify)
  }

  readonly #notify = (): void => {
    for (const subscriber of [...this.#subscribers]) subscriber()
  }
}
