/** Everything a person or a program can ask of a root session. Framework-free: routes and pages call it, nothing else does the work (W2–W5). */
import type {
  CancelAnswer,
  CancelBody,
  ChangeSessionBody,
  ControlEffect,
  CreateSessionBody,
  EditMessageBody,
  ListEventsQuery,
  ListSessionsQuery,
  SendMessageBody,
} from '@/lib/contract/commands'
import { AppError } from '@/lib/contract/errors'
import type { SessionEvent } from '@/lib/contract/events'
import type { CallId, MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import type { SessionRow } from '@/lib/projection/session-summary'
import type { Agent } from '@/server/runtime/agent'
import type { Agents } from '@/server/runtime/agents'
import type { Ids, RuntimeLogger } from '@/server/runtime/ports'
import type { Catalogue } from '@/server/store/catalogue'
import type { SqliteEventLog } from '@/server/store/event-log'
import { forkEvents } from './fork-events'
import type { SessionViews } from './session-views'
import { existingWorkspace } from './workspace'

/** Messages that may wait in one session (S13). */
export const queueLimit = 100

export interface SessionParts {
  readonly agents: Agents
  readonly log: SqliteEventLog
  readonly catalogue: Catalogue
  readonly views: SessionViews
  readonly models: { default(): string; check(model: string): void }
  readonly ids: Ids
  readonly logger: RuntimeLogger
  /** The workspace of a session that names none. */
  readonly workspace: string
  /** Told of every session of a deleted tree, at once. */
  readonly onRemoved: (id: SessionId) => void
}

export class Sessions {
  readonly #parts: SessionParts
  /** Deletions under way: hidden already, not at rest yet. */
  readonly #removals = new Map<SessionId, Promise<void>>()

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** @throws AppError `workspace-not-found`, `model-unavailable`; nothing was made then. */
  create(body: CreateSessionBody): { session: Session; messageId?: MessageId } {
    const { agents, models, workspace } = this.#parts
    const model = body.model ?? models.default()
    const folder = existingWorkspace(body.workspace, workspace)
    models.check(model)
    const agent = agents.create({
      workspace: folder,
      model,
      approvalMode: body.approvalMode ?? 'ask',
      ...(body.title !== undefined && { title: body.title }),
    })
    const messageId = body.message && agent.send(body.message)
    return { session: this.get(agent.id), ...(messageId && { messageId }) }
  }

  list(query: ListSessionsQuery): { sessions: Session[]; nextCursor: string | null } {
    return this.#parts.views.list(query)
  }

  /** @throws AppError `not-found` */
  get(id: SessionId): Session {
    return this.#parts.views.get(id) ?? unknownSession()
  }

  /** @throws AppError `not-found` */
  tree(id: SessionId): Session[] {
    const nodes = this.#parts.views.tree(id)
    return nodes.length > 0 ? nodes : unknownSession()
  }

  /** @throws AppError `not-found` */
  events(id: SessionId, query: ListEventsQuery): { events: SessionEvent[]; lastSeq: number } {
    this.#row(id)
    return this.#parts.log.readPage(id, query)
  }

  /** @throws AppError `not-found`, `subagent-session` for a child's model, `model-unavailable`. */
  change(id: SessionId, body: ChangeSessionBody): Session {
    const row = this.#row(id)
    if (body.model !== undefined) {
      refuseChild(row)
      this.#parts.models.check(body.model)
    }
    if (Object.keys(body).length > 0) {
      const agent = this.#parts.agents.get(id)
      if (agent) agent.change(body)
      else this.#parts.log.append(id, [{ type: 'session.changed', data: body }])
    }
    return this.get(id)
  }

  /**
   * Hides the session's tree at once, cancels it, and removes it when it is at rest. Nothing is written for it afterwards.
   * @throws AppError `not-found`, `subagent-session`
   */
  remove(id: SessionId): void {
    refuseChild(this.#row(id))
    const { catalogue, onRemoved } = this.#parts
    for (const each of catalogue.hide(id)) onRemoved(each)
    this.#removals.set(id, this.#removeAtRest(id))
  }

  /** Resolves when every deletion that was asked for has come to rest. */
  async whenRemoved(): Promise<void> {
    await Promise.all(this.#removals.values())
  }

  /**
   * Accepts a message durably and wakes the session; the same `clientId` gives the same answer for ever.
   * @throws AppError `not-found`, `subagent-session`, `limit-reached`, and for `replaces`: `not-found`, `turn-open`
   */
  send(id: SessionId, body: SendMessageBody): MessageId {
    const row = this.#row(id)
    refuseChild(row)
    const { agents, log } = this.#parts
    const known = body.clientId === undefined ? undefined : log.messageIdOf(id, body.clientId)
    if (known) return known
    if (row.queue.length >= queueLimit)
      throw new AppError('limit-reached', `${queueLimit} messages are waiting already. Remove some, or let them run.`)
    if (body.replaces) this.#refuseUnsettled(id, body.replaces)
    const { text, delivery, clientId, replaces } = body
    return agents.open(id).send({
      text,
      ...(delivery && { delivery }),
      ...(clientId !== undefined && { clientId }),
      ...(replaces && { replaces }),
    })
  }

  /** @throws AppError `not-found`, `subagent-session`, `message-claimed` */
  edit(id: SessionId, messageId: MessageId, body: EditMessageBody): void {
    const { text, position } = body
    const change = { ...(text !== undefined && { text }), ...(position !== undefined && { position }) }
    if (!this.#root(id).edit(messageId, change)) this.#refuseClaimed(id, messageId)
  }

  /** @throws AppError `not-found`, `subagent-session`, `message-claimed` */
  removeMessage(id: SessionId, messageId: MessageId): void {
    if (!this.#root(id).remove(messageId)) this.#refuseClaimed(id, messageId)
  }

  /** @throws AppError `not-found`, `subagent-session` */
  wake(id: SessionId): 'woken' | 'none' {
    return this.#root(id).wake()
  }

  /** Asks for a compaction turn (C15). @throws AppError `not-found`, `subagent-session`, `turn-open` unless idle */
  compact(id: SessionId): 'woken' | 'none' {
    return this.#root(id).compact()
  }

  /**
   * Asks the running turn to end. Accepted means asked; only `turn.end` means stopped. The queue is kept unless the request
   * says otherwise. With `turnId` a request that comes too late changes nothing (W3).
   * @throws AppError `not-found`, `subagent-session`
   */
  cancel(id: SessionId, body: CancelBody): CancelAnswer {
    const keepInbox = body.keepInbox ?? true
    const agent = keepInbox ? this.#liveRoot(id) : this.#root(id)
    if (!agent) return { accepted: true, effect: 'none', discarded: 0 }
    if (body.turnId !== undefined && agent.openTurnId !== body.turnId) return tooLate(agent)
    const origin = { action: 'cancel', via: body.via ?? 'api', by: { kind: 'user' } } as const
    return { accepted: true, ...agent.cancel({ kind: 'user' }, { keepInbox }, origin) }
  }

  /**
   * Stops the session's turn and every running descendant; queues are kept. `over` were idle already (S14).
   * @throws AppError `not-found`, `subagent-session`
   */
  stopAll(id: SessionId): { accepted: true; signalled: SessionId[]; over: SessionId[]; failed: SessionId[] } {
    const agent = this.#liveRoot(id)
    const answer = {
      accepted: true as const,
      signalled: [] as SessionId[],
      over: [] as SessionId[],
      failed: [] as SessionId[],
    }
    const origin = { action: 'stop-all', via: 'api', by: { kind: 'user' } } as const
    try {
      const effect = agent?.cancel({ kind: 'user' }, { keepInbox: true }, origin).effect ?? 'none'
      answer[effect === 'none' ? 'over' : 'signalled'].push(id)
    } catch (error) {
      this.#parts.logger.error('a session could not be stopped', { session: id, error: String(error) })
      answer.failed.push(id)
    }
    return answer
  }

  /** Ends one running tool call and not its turn (T8). @throws AppError `not-found` */
  endCall(id: SessionId, callId: CallId, options: { readonly force?: boolean | undefined }): ControlEffect {
    const agent = this.#parts.agents.get(id)
    if (!agent || this.#removals.has(id)) {
      this.#row(id)
      return 'none'
    }
    return agent.endCall(callId, { force: options.force ?? false })
  }

  /** A new root with copies of the events up to and including a settled turn. @throws AppError `not-found`, `turn-open` */
  fork(id: SessionId, turnId: TurnId): Session {
    this.#row(id)
    const { log, ids } = this.#parts
    const newId = ids.next('ses')
    log.appendDated(newId, forkEvents({ id, events: log.read(id) }, turnId, newId))
    return this.get(newId)
  }

  #row(id: SessionId): SessionRow {
    return this.#parts.catalogue.get(id) ?? unknownSession()
  }

  #root(id: SessionId): Agent {
    return this.#liveRoot(id) ?? this.#parts.agents.open(id)
  }

  /** The agent of a root, or nothing while it is offline. A stop of a running turn reads no database. */
  #liveRoot(id: SessionId): Agent | undefined {
    const agent = this.#parts.agents.get(id)
    if (this.#removals.has(id)) return unknownSession()
    refuseChild(agent ? agent.header : this.#row(id))
    return agent
  }

  async #removeAtRest(id: SessionId): Promise<void> {
    const { agents, catalogue, logger } = this.#parts
    try {
      agents.get(id)?.cancel({ kind: 'user' })
      await agents.dispose(id)
      catalogue.removeHidden(id)
    } catch (error) {
      // It stays hidden, and the next start removes it.
      logger.error('a deleted session could not be removed', { session: id, error: String(error) })
    }
  }

  #refuseUnsettled(id: SessionId, turnId: TurnId): void {
    const turn = this.#parts.log.readPage(id, { turnId, limit: 5000 }).events
    if (turn.length === 0) throw new AppError('not-found', 'This session has no turn with the id given in replaces.')
    if (!turn.some((event) => event.type === 'turn.end' && event.data.turnId === turnId))
      throw new AppError('turn-open', 'A turn can be replaced when it has ended.')
  }

  #refuseClaimed(id: SessionId, messageId: MessageId): never {
    for (const event of this.#parts.log.read(id)) {
      if (event.type === 'inbox.queued' && event.data.messageId === messageId)
        throw new AppError('message-claimed', 'This message is not waiting any more.')
    }
    throw new AppError('not-found', 'This session has no such message.')
  }
}

/** W4: these commands have their own address for a child, under its parent. */
function refuseChild({ kind }: Pick<SessionRow, 'kind'>): void {
  if (kind !== 'root')
    throw new AppError('subagent-session', 'This session belongs to a subagent: use its address under its parent.')
}

/** The request names a turn that is not open: nothing at all changes, the queue included (W3). */
function tooLate(agent: Agent): CancelAnswer {
  return { accepted: true, effect: agent.live().activity === 'idle' ? 'none' : 'stale', discarded: 0 }
}

function unknownSession(): never {
  throw new AppError('not-found', 'There is no such session.')
}
