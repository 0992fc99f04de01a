/** The live, in-process driver of one session: the one thing through which a session is sent to, woken, cancelled and disposed of. */
import { type AgentCancelCause, normalizeCancelCause } from '@/lib/contract/cancel-cause'
import { AppError } from '@/lib/contract/errors'
import type { ControlBy, Delivery, EventData } from '@/lib/contract/events'
import type { CallId, MessageId, RequestId, SessionId, TurnId } from '@/lib/contract/ids'
import type { Activity, Wait } from '@/lib/contract/session'
import { waitingItems } from '@/lib/projection/inbox'
import type { AgentHandle, CancelOptions, CancelReceipt, Message } from './agent-handle'
import { runCompaction } from './compaction'
import { type AfterTurn, Driver } from './driver'
import { runAs } from './execution-context'
import type { Hooks } from './hooks'
import type { ControlOrigin, RuntimePorts } from './ports'
import { RunningCalls } from './running-calls'
import type { SessionState } from './session-state'
import { runTurn } from './turn'
import type { TurnContext } from './turn-context'
import type { TurnFrame } from './turn-frame'
import { Waits } from './waits'

/** Told after each change of what `live()` says, and of the status with its owner already installed (C3). */
export interface AgentListener {
  liveChanged?(agent: Agent): void
  statusChanged?(agent: Agent, status: 'running' | 'idle'): void
}

export class Agent implements AgentHandle {
  readonly id: SessionId
  readonly #driver: Driver
  readonly #waits: Waits
  readonly #calls = new RunningCalls()
  /** A compaction that was asked for and has not begun; and whether a message came while it ran. */
  #compaction: 'none' | 'asked' | 'running' | 'running-and-woken' = 'none'

  constructor(
    private readonly session: SessionState,
    private readonly ports: RuntimePorts,
    private readonly hooks: Hooks,
    private readonly listener: AgentListener = {},
  ) {
    this.id = session.id
    this.#waits = new Waits(ports.clock, () => this.#liveChanged())
    this.#driver = new Driver({
      hasWork: () => this.#compaction === 'asked' || waitingItems(session.inbox).length > 0,
      runTurn: (signal, over) => runAs(this, () => this.#turn(signal, over)),
      announce: (status) => this.#announce(status),
    })
  }

  get header(): EventData<'session.created'> {
    return this.session.header
  }
  get openTurnId(): TurnId | null {
    return this.session.openTurnId
  }

  /** What only the live process knows (W5). */
  live(): { readonly activity: Activity; readonly waitingOn: readonly Wait[] } {
    const { phase, stopping } = this.#driver
    return { activity: phase === 'idle' ? 'idle' : stopping ? 'stopping' : 'running', waitingOn: this.#waits.list() }
  }

  /**
   * Accepts a message durably and, unless it is an inject, wakes the driver. The same `clientId` gives the same answer for ever.
   * A steer joins the running turn; where none is open any more it is a follow-up (C20).
   * @throws AppError `shutting-down` once disposed
   */
  send(message: Message): MessageId {
    const { text, clientId, replaces, from = { kind: 'user' } } = message
    const known = clientId === undefined ? undefined : this.session.messageOf(clientId)
    if (known) return known
    if (this.#driver.disposed) throw new AppError('shutting-down', 'This session is being closed.')
    const delivery = this.#effectiveDelivery(message.delivery ?? 'follow-up')
    const messageId = this.ports.ids.next('msg')
    this.session.append({
      type: 'inbox.queued',
      data: {
        messageId,
        delivery,
        text,
        from,
        ...(clientId !== undefined && { clientId }),
        ...(replaces && { replaces }),
      },
    })
    if (delivery !== 'inject') this.#wakeDriver()
    return messageId
  }

  /** Changes a waiting message's text or place. Returns false once it has been claimed or removed. */
  edit(messageId: MessageId, change: { readonly text?: string; readonly position?: number }): boolean {
    if (!this.#isWaiting(messageId)) return false
    const { text, position } = change
    const data = { messageId, ...(text !== undefined && { text }), ...(position !== undefined && { position }) }
    this.session.append({ type: 'inbox.edited', data })
    return true
  }

  /** Takes a waiting message out of the queue. Returns false once it has been claimed or removed. */
  remove(messageId: MessageId): boolean {
    if (!this.#isWaiting(messageId)) return false
    this.session.append({ type: 'inbox.discarded', data: { messageIds: [messageId], reason: 'removed' } })
    return true
  }

  /** Resumes a parked queue; during a wind-down the wake is latched (C18). */
  wake(): 'woken' | 'none' {
    return waitingItems(this.session.inbox).length === 0 ? 'none' : this.#wakeDriver()
  }

  /**
   * Asks for a compaction turn (C15); nothing to sum up, nothing done. It can be cancelled as any turn can, and leaves the queue parked.
   * @throws AppError `turn-open` unless the session is idle
   */
  compact(): 'woken' | 'none' {
    if (this.#driver.phase !== 'idle') throw new AppError('turn-open', 'A turn is running. Compact when it has ended.')
    if (this.session.prompt.turns.length === 0) return 'none'
    this.#compaction = 'asked'
    return this.#driver.wake()
  }

  /**
   * Ask the running turn to end. First cause wins; returns before the turn settles (C4, C6). Clears what waits at this moment,
   * unless `keepInbox` (C5), and every latched wake (C18). `origin` says who asked and how, for the log (L3).
   * @throws TypeError on a malformed cause, also when idle (C2); nothing has changed then
   */
  cancel(cause?: unknown, options: CancelOptions = {}, origin?: ControlOrigin): CancelReceipt {
    const accepted = normalizeCancelCause(cause)
    this.#driver.clearLatch()
    this.#forgetCompactionWakes()
    const owner = this.#driver.disposed ? null : this.#driver.owner
    if (!owner || owner.signal.aborted) {
      return { effect: owner ? 'already-signalled' : 'none', discarded: this.#clearInbox(options) }
    }
    const requestId = this.#recordRequest(origin ?? { action: 'cancel', via: 'api', by: this.#by(accepted) }, options)
    const discarded = this.#clearInbox(options)
    owner.cancel(accepted)
    this.#liveChanged()
    return { effect: 'signalled', requestId, discarded }
  }

  /** Ends one running tool call and not its turn; `force` acts at once where a process border allows it (T8). */
  endCall(callId: CallId, options: { readonly force?: boolean } = {}): 'signalled' | 'already-signalled' | 'none' {
    const force = options.force ?? false
    const effect = this.#calls.effectOf(callId, force)
    if (effect !== 'signalled') return effect
    this.#record({ action: 'end-call', via: 'api', by: { kind: 'user' } }, true, callId)
    this.#calls.end(callId, force)
    return effect
  }

  /** Changes the session's header; it acts from the next request on. */
  change(changes: EventData<'session.changed'>): void {
    this.session.append({ type: 'session.changed', data: changes })
  }

  /** Resolves when the driver is at rest. Never races with work that has not settled (C11). */
  whenIdle(): Promise<void> {
    return this.#driver.whenIdle()
  }

  /** Ends this agent's life in this process: interrupts as `disposed`, waits for rest, keeps the inbox (C17). */
  async dispose(): Promise<void> {
    const ended = this.#driver.dispose()
    this.#liveChanged()
    await ended
    this.payDebts()
  }

  /** Writes what the log could not take when it happened. Nothing changes while it still cannot. */
  payDebts(): void {
    if (!this.session.owes) return
    try {
      this.session.append()
    } catch (error) {
      this.ports.logger.error('the log still cannot be written', { session: this.id, error: String(error) })
    }
  }

  async #turn(signal: AbortSignal, over: () => void): Promise<AfterTurn> {
    const { session, ports, hooks } = this
    try {
      this.#closeUnrecordedTurn()
      const kind = this.#compaction === 'asked' ? ('compaction' as const) : ('prompt' as const)
      const turnId = ports.ids.next('turn')
      const context = { agent: this, turnId, kind, session, ports, hooks, waits: this.#waits, calls: this.#calls }
      const frame = { signal, disposed: () => this.#driver.disposed, over }
      return kind === 'prompt' ? await runTurn(context, frame) : await this.#compact(context, frame)
    } catch (error) {
      over()
      ports.logger.error('the log could not record a turn', { session: this.id, error: String(error) })
      return 'park'
    }
  }

  /** A wake that came while it ran counts afterwards; without one the queue stays parked. */
  async #compact(context: TurnContext, frame: TurnFrame): Promise<AfterTurn> {
    this.#compaction = 'running'
    try {
      const after = await runCompaction(context, frame)
      return this.#wasWoken() ? 'on' : after
    } finally {
      this.#compaction = 'none'
    }
  }

  /** A cancel clears a compaction that has not begun, and the wakes that came while one runs (C6, C18). */
  #forgetCompactionWakes(): void {
    if (this.#compaction === 'asked') this.#compaction = 'none'
    if (this.#compaction === 'running-and-woken') this.#compaction = 'running'
  }

  #wasWoken(): boolean {
    return this.#compaction === 'running-and-woken'
  }

  #wakeDriver(): 'woken' | 'none' {
    if (this.#compaction !== 'running' || this.#driver.stopping) return this.#driver.wake()
    this.#compaction = 'running-and-woken'
    return 'woken'
  }

  /** A turn that an earlier life left open is closed before the next one opens, so that there is never more than one open. */
  #closeUnrecordedTurn(): void {
    const turnId = this.session.openTurnId
    if (!turnId) return
    const outcome = {
      kind: 'failed',
      code: 'internal',
      message: 'The store could not record the end of this turn.',
    } as const
    this.session.append({ type: 'turn.end', data: { turnId, outcome } })
  }

  #effectiveDelivery(asked: Delivery): Delivery {
    return asked === 'steer' && this.#driver.phase !== 'turn' ? 'follow-up' : asked
  }

  #isWaiting(messageId: MessageId): boolean {
    return waitingItems(this.session.inbox).some((item) => item.messageId === messageId)
  }

  /** Discards the follow-ups and steers that exist now. A log that cannot write keeps them, and never keeps the turn alive (L3). */
  #clearInbox(options: CancelOptions): number {
    const messageIds = options.keepInbox ? [] : waitingItems(this.session.inbox).map((item) => item.messageId)
    if (messageIds.length === 0) return 0
    try {
      this.session.append({ type: 'inbox.discarded', data: { messageIds, reason: 'cancelled' } })
      return messageIds.length
    } catch (error) {
      this.ports.logger.error('a cancel could not clear the inbox', { session: this.id, error: String(error) })
      return 0
    }
  }

  #recordRequest(origin: ControlOrigin, options: CancelOptions): RequestId {
    return this.#record(origin, options.keepInbox ?? false)
  }

  /** Stands in the log just before the abort it asks for; a failed append never prevents the abort (L3). */
  #record(origin: ControlOrigin, keepInbox: boolean, callId?: CallId): RequestId {
    const requestId = this.ports.ids.next('req')
    const data = { requestId, ...origin, turnId: this.session.openTurnId, keepInbox, ...(callId && { callId }) }
    try {
      this.session.append({ type: 'control.requested', data })
    } catch (error) {
      this.ports.logger.error('a control request could not be recorded', { session: this.id, error: String(error) })
    }
    return requestId
  }

  #by(cause: AgentCancelCause): ControlBy {
    const { parentId } = this.session.header
    return cause.kind === 'parent' && parentId ? { kind: 'parent', sessionId: parentId } : { kind: 'user' }
  }

  #announce(status: 'running' | 'idle'): void {
    this.#isolated(() => this.listener.statusChanged?.(this, status))
    this.#liveChanged()
  }

  #liveChanged(): void {
    this.#isolated(() => this.listener.liveChanged?.(this))
  }

  /** A listener's fault is its own: it never reaches the turn. */
  #isolated(tell: () => void): void {
    try {
      tell()
    } catch (error) {
      this.ports.logger.error('a listener threw', { session: this.id, error: String(error) })
    }
  }
}
