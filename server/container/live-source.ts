/** Connects the store and the agents to the event stream: everything that happens, in the order in which it happens. */
import type { SessionId } from '@/lib/contract/ids'
import type { Happening, StreamSource } from '@/server/http/stream-source'
import type { Agents } from '@/server/runtime/agents'
import type { DraftStore } from '@/server/store/draft-store'
import type { SqliteEventLog } from '@/server/store/event-log'
import type { SessionViews } from './session-views'

interface Parts {
  readonly runtimeId: string
  readonly log: SqliteEventLog
  readonly drafts: DraftStore
  readonly agents: Agents
  readonly views: SessionViews
}

/** Summaries that a reader from before this process is sent. */
const newest = 200

export class LiveSource implements StreamSource {
  readonly runtimeId: string
  readonly #parts: Parts
  readonly #listeners = new Set<(happening: Happening) => void>()
  /** Session -> the store's position when its summary last changed in this process. */
  readonly #touched = new Map<SessionId, number>()
  readonly #startedAt: number
  readonly #undo: readonly (() => void)[]

  constructor(parts: Parts) {
    const { log, drafts, agents } = parts
    this.#parts = parts
    this.runtimeId = parts.runtimeId
    this.#startedAt = log.position()
    this.#undo = [
      log.onAppended((events) => {
        for (const event of events) {
          this.#touched.set(event.sessionId, event.position)
          this.#tell({ kind: 'event', event })
        }
      }),
      drafts.onDelta((delta) => this.#tell({ kind: 'delta', delta })),
      drafts.onToolOutput((output) => this.#tell({ kind: 'tool-output', output })),
      agents.onLiveChange((sessionId) => {
        this.#touched.set(sessionId, log.position())
        this.#tell({ kind: 'session-changed', sessionId })
      }),
    ]
  }

  position() {
    return this.#parts.log.position()
  }
  since(after: number, sessionIds: readonly SessionId[], limit: number) {
    return this.#parts.log.since(after, sessionIds, limit)
  }
  session(id: SessionId) {
    return this.#parts.views.get(id)
  }
  activity(id: SessionId) {
    return this.#parts.views.activity(id)
  }
  openDeltas(sessionIds: readonly SessionId[]) {
    return this.#parts.drafts.openDeltas(this.#shown(sessionIds))
  }
  openToolOutputs(sessionIds: readonly SessionId[]) {
    return this.#parts.drafts.openToolOutputs(this.#shown(sessionIds))
  }

  changedSince(after: number): readonly SessionId[] {
    const here = [...this.#touched].filter(([, position]) => position >= after).map(([id]) => id)
    if (after >= this.#startedAt) return here
    const { sessions } = this.#parts.views.list({ limit: newest })
    return [...new Set([...sessions.map((session) => session.id), ...here])]
  }

  subscribe(listener: (happening: Happening) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** A session was deleted: no list shows it any more. */
  removed(sessionId: SessionId): void {
    this.#touched.delete(sessionId)
    this.#tell({ kind: 'session-removed', sessionId })
  }

  close(): void {
    for (const undo of this.#undo) undo()
  }

  /** A deleted session shows nothing any more, also while it winds down. */
  #shown(sessionIds: readonly SessionId[]): SessionId[] {
    return sessionIds.filter((id) => this.#parts.views.get(id) !== undefined)
  }

  #tell(happening: Happening): void {
    for (const listener of this.#listeners) listener(happening)
  }
}
