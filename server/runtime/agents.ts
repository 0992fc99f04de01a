/** The registry: at most one live agent per session, loaded from the log when first needed. */
import { AppError } from '@/lib/contract/errors'
import type { EventData } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import { Agent, type AgentListener } from './agent'
import type { Hooks } from './hooks'
import type { RuntimePorts } from './ports'
import { SessionState } from './session-state'

/** An idle root leaves memory after this long (S11). */
const idleResidencyMs = 30 * 60_000

type StatusListener = (agent: Agent, status: 'running' | 'idle') => void

export class Agents {
  readonly #agents = new Map<SessionId, Agent>()
  readonly #idleSince = new Map<SessionId, number>()
  readonly #liveListeners = new Set<(sessionId: SessionId) => void>()
  readonly #statusListeners = new Set<StatusListener>()
  #closed = false

  constructor(
    private readonly ports: RuntimePorts,
    private readonly hooks: Hooks,
  ) {}

  /** Makes a new root session durable and returns its agent. */
  create(
    header: Pick<EventData<'session.created'>, 'workspace' | 'model' | 'approvalMode' | 'title' | 'forkedFrom'>,
  ): Agent {
    this.#refuseWhenClosed()
    const id = this.ports.ids.next('ses')
    const data = { kind: 'root' as const, parentId: null, rootId: id, depth: 0, label: null, ...header }
    this.ports.log.append(id, [{ type: 'session.created', data }])
    return this.open(id)
  }

  /** The session's agent, loaded from the log when it is offline. @throws AppError `not-found`, or `shutting-down` after `disposeAll` */
  open(id: SessionId): Agent {
    const live = this.#agents.get(id)
    if (live) return live
    this.#refuseWhenClosed()
    const session = SessionState.load(id, this.ports.log)
    if (!session) throw new AppError('not-found', 'There is no such session.')
    const agent = new Agent(session, this.ports, this.hooks, this.#listener())
    this.#agents.set(id, agent)
    this.#idleSince.set(id, this.#now())
    this.#tell(id)
    return agent
  }

  /** The live agent, or nothing while the session is offline. */
  get(id: SessionId): Agent | undefined {
    return this.#agents.get(id)
  }

  /** Told whenever what `Agent.live` says, or residency, has changed. Returns its undo. */
  onLiveChange(listener: (sessionId: SessionId) => void): () => void {
    this.#liveListeners.add(listener)
    return () => this.#liveListeners.delete(listener)
  }

  /** Told of `running` with the owner installed, and of `idle` at rest (C3). Returns its undo. */
  onStatus(listener: StatusListener): () => void {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  /** The live sessions that are not idle. */
  active(): readonly Agent[] {
    return [...this.#agents.values()].filter((agent) => agent.live().activity !== 'idle')
  }

  activeTurns(): number {
    return this.active().length
  }

  /** Ends one session's residency; its log and inbox stay. */
  async dispose(id: SessionId): Promise<void> {
    const agent = this.#agents.get(id)
    if (!agent) return
    await agent.dispose()
    if (this.#agents.get(id) !== agent) return
    this.#agents.delete(id)
    this.#idleSince.delete(id)
    this.#tell(id)
  }

  /** Writes what is owed to the log, and lets go of the roots that have been idle long enough (S11). Called from time to time. */
  async expireIdle(): Promise<void> {
    for (const agent of this.#agents.values()) agent.payDebts()
    const oldest = this.#now() - idleResidencyMs
    const due = [...this.#idleSince].filter(([, since]) => since <= oldest).map(([id]) => id)
    await Promise.all(due.map((id) => this.dispose(id)))
  }

  /** Shutdown: interrupts every turn as `disposed` and waits for rest. Nothing can be opened afterwards. */
  async disposeAll(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#agents.keys()].map((id) => this.dispose(id)))
  }

  #listener(): AgentListener {
    return {
      liveChanged: (agent) => this.#tell(agent.id),
      statusChanged: (agent, status) => {
        if (status === 'idle') this.#idleSince.set(agent.id, this.#now())
        else this.#idleSince.delete(agent.id)
        for (const listener of this.#statusListeners) listener(agent, status)
      },
    }
  }

  #tell(id: SessionId): void {
    for (const listener of this.#liveListeners) listener(id)
  }

  #now(): number {
    return this.ports.clock.now().getTime()
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new AppError('shutting-down', 'Belay is shutting down.')
  }
}
