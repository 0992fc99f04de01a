/** What the runtime needs from the rest of the house. Stores, models and tools implement these; tests script them. */
import type { ControlAction, ControlBy, ControlVia, NewEvent, SessionEvent } from '@/lib/contract/events'
import type { CallId, IdByPrefix, IdPrefix, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { FailureCode } from '@/lib/contract/outcome'
import type { ModelMessage } from '@/lib/projection/prompt'

/** The append-only log (L1). */
export interface EventLog {
  /**
   * Appends all or nothing, in order, and returns them numbered. They are durable and visible to readers when it returns;
   * subscribers are told after that (L5). Throws when the store cannot write: nothing was appended then.
   */
  append(sessionId: SessionId, events: readonly NewEvent[]): readonly SessionEvent[]
  /** Every event of a session, in order. */
  read(sessionId: SessionId): Iterable<SessionEvent>
  /** Resolves when everything appended for this session, and whatever follows it (index, mirrors), is durable. May reject with the signal's reason. */
  flush(sessionId: SessionId, signal: AbortSignal): Promise<void>
  /** Stores a text once under its hash and returns the hash (L4). */
  putText(text: string): string
  text(hash: string): string | undefined
}

/** Streamed text that is not a message yet: shown live at once, on disk within 250 ms (L6), gone when the message is in the log. */
export interface Drafts {
  /** A new attempt of a step. Opening replaces whatever an earlier attempt of that step left. */
  open(step: { sessionId: SessionId; turnId: TurnId; stepId: StepId; attempt: number }): StepDraft
  /** Appends live output of a running tool call. */
  toolOutput(sessionId: SessionId, callId: CallId, text: string): void
  /** Forgets the live output: its `tool.end` is in the log. */
  closeToolOutput(sessionId: SessionId, callId: CallId): void
}

export type DraftBlockKind = 'text' | 'reasoning' | 'tool-call'

export interface StepDraft {
  /** Opens block `block` (an index from 0). For a tool call the call's id and name are known here. */
  start(block: number, kind: DraftBlockKind, call?: { callId: CallId; name: string }): void
  /** Text, or for a tool call raw JSON input. */
  append(block: number, text: string): void
  /** The block's end was seen. */
  end(block: number): void
  /** The step's message is in the log, or the attempt is given up: forget the draft, live and on disk. */
  discard(): void
}

/** One model request. Everything in it can be rebuilt from the log and its texts (L4). */
export interface ModelRequest {
  /** `provider/model`. */
  readonly model: string
  readonly system: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolSpec[]
  readonly settings: Readonly<Record<string, unknown>>
}

export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter'

/** A model's stream. Blocks are numbered from 0 in the order in which they begin; blocks may interleave. */
export type ModelPart =
  | { readonly type: 'block-start'; readonly block: number; readonly kind: 'text' | 'reasoning' }
  | {
      readonly type: 'block-start'
      readonly block: number
      readonly kind: 'tool-call'
      readonly callId: CallId
      readonly name: string
    }
  | { readonly type: 'block-delta'; readonly block: number; readonly text: string }
  | { readonly type: 'block-end'; readonly block: number; readonly signature?: string }
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
  | { readonly type: 'finish'; readonly reason: FinishReason }
  /** The request failed, as data. The last part. `message` is our own text (C7). `retryAfterMs` is the provider's wish. */
  | {
      readonly type: 'failure'
      readonly code: FailureCode
      readonly message: string
      readonly retryable: boolean
      readonly retryAfterMs?: number
    }

/**
 * Opens model streams. The iterable ends after `finish` or `failure`, or when the signal has ended it; it may also throw
 * (C8: the runtime then looks at the signal, never at the error). It must not settle before its connection is closed (C11).
 * An unknown or unconfigured model is a `failure` part with code `model-unavailable`.
 */
export interface ModelPort {
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>
}

export type ToolResult = {
  readonly status: 'ok' | 'error' | 'timed-out' | 'aborted'
  /** What the model reads. On `aborted` it says so in words, after the output so far (T3). */
  readonly output: string
  readonly truncated: boolean
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface ToolContext {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly callId: CallId
  readonly workspace: string
  /** Ends this call politely: follows the turn's signal, time limits and `end-call` (T8). Its reason is never an AgentCancelCause. */
  readonly signal: AbortSignal
  /** Ends this call at once where a process border allows it (T8, `force`). */
  readonly forceSignal: AbortSignal
  /** Live output for the person; what the model reads is the result. */
  output(text: string): void
  /** Appends a durable fact that belongs to this tool. */
  record(event: Extract<NewEvent, { type: 'plan.updated' }>): void
}

export interface Tool extends ToolSpec {
  /** `read` calls may run in parallel; `write` calls run alone (T2). */
  readonly access: 'read' | 'write'
  /** True where `forceSignal` ends the call for good. */
  readonly killable: boolean
  /** Validates the input itself: bad input is a readable `error` result, not a throw. */
  execute(input: unknown, context: ToolContext): Promise<ToolResult>
}

export interface ToolPort {
  /** The tools that a session in this mode may be offered, in a stable order. */
  offered(session: { workspace: string; approvalMode: 'ask' | 'accept-edits' | 'full-access' }): readonly Tool[]
}

/** Time. Scripted in tests. */
export interface Clock {
  now(): Date
  /** Resolves after `ms`, or rejects with the signal's reason at once when it aborts; the timer is cleared then (C15). */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface Ids {
  next<P extends IdPrefix>(prefix: P): IdByPrefix[P]
}

/** Log lines for the operator. An abort is never an error line (C12). */
export interface RuntimeLogger {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** Who asked and by which way, for `control.requested` (L3). */
export interface ControlOrigin {
  readonly action: ControlAction
  readonly via: ControlVia
  readonly by: ControlBy
}

export interface RuntimePorts {
  readonly log: EventLog
  readonly drafts: Drafts
  readonly models: ModelPort
  readonly tools: ToolPort
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: RuntimeLogger
}
