/**
 * The seams at which listeners join a turn (C9). Signatures are positional, the turn's own signal last before `next`;
 * no turn or step object is handed out. Each seam is a waterfall: a listener may act before, after or instead of `next`.
 * A listener may cooperate with the signal of its turn and may not keep it.
 */
import type { Block, TextBlock } from '@/lib/contract/events'
import type { CallId, MessageId, StepId } from '@/lib/contract/ids'
import type { FailureCode } from '@/lib/contract/outcome'
import type { AgentHandle } from './agent-handle'
import type { ModelPart, ModelRequest, ToolResult } from './ports'

/** What becomes of a prompt: its (perhaps changed) blocks, or a refusal that ends the turn as `blocked`. */
export type PromptVerdict =
  | { readonly kind: 'accepted'; readonly blocks: readonly TextBlock[] }
  | { readonly kind: 'blocked'; readonly reason: string }

/** The explicit request value of prompt assembly; it carries the signal itself (C9). */
export interface AssembleRequest {
  readonly workspace: string
  readonly model: string
  readonly toolNames: readonly string[]
  readonly signal?: AbortSignal
}

export interface ToolCallRequest {
  readonly callId: CallId
  readonly name: string
  readonly input: unknown
}

export interface RequestFailure {
  readonly code: FailureCode
  readonly message: string
  readonly retryable: boolean
  readonly retryAfterMs?: number
}

/** Seam -> the arguments before `next`, and the result. */
export interface Seams {
  promptSubmit: {
    args: [agent: AgentHandle, messageId: MessageId, blocks: readonly TextBlock[], signal: AbortSignal]
    result: Promise<PromptVerdict>
  }
  assemblePrompt: { args: [agent: AgentHandle, request: AssembleRequest]; result: Promise<string> }
  sessionPrefix: { args: [agent: AgentHandle, signal: AbortSignal]; result: Promise<readonly string[]> }
  beforeStep: { args: [agent: AgentHandle, stepId: StepId, signal: AbortSignal]; result: Promise<void> }
  request: { args: [agent: AgentHandle, request: ModelRequest, signal: AbortSignal]; result: Promise<ModelRequest> }
  modelStream: {
    args: [agent: AgentHandle, request: ModelRequest, signal: AbortSignal]
    result: AsyncIterable<ModelPart>
  }
  requestError: {
    args: [agent: AgentHandle, failure: RequestFailure, attempt: number, signal: AbortSignal]
    result: Promise<'retry' | 'fail'>
  }
  stepResult: { args: [agent: AgentHandle, blocks: readonly Block[], signal: AbortSignal]; result: Promise<void> }
  toolExecute: { args: [agent: AgentHandle, call: ToolCallRequest, signal: AbortSignal]; result: Promise<ToolResult> }
  continueDecision: {
    args: [agent: AgentHandle, calledTools: boolean, signal: AbortSignal]
    result: Promise<'continue' | 'stop'>
  }
  turnStop: { args: [agent: AgentHandle, signal: AbortSignal]; result: Promise<void> }
  /** Gives the summary that takes the conversation's place. */
  compaction: { args: [agent: AgentHandle, signal: AbortSignal]; result: Promise<string> }
}
export type Seam = keyof Seams

export type Listener<S extends Seam> = (
  ...args: [...args: Seams[S]['args'], next: (...args: Seams[S]['args']) => Seams[S]['result']]
) => Seams[S]['result']

type Listeners = { [S in Seam]: Listener<S>[] }

/** The listeners of one runtime. */
export class Hooks {
  readonly #listeners: Listeners = {
    promptSubmit: [],
    assemblePrompt: [],
    sessionPrefix: [],
    beforeStep: [],
    request: [],
    modelStream: [],
    requestError: [],
    stepResult: [],
    toolExecute: [],
    continueDecision: [],
    turnStop: [],
    compaction: [],
  }

  /** Adds a listener behind those already there; the returned function takes it away again. */
  on<S extends Seam>(seam: S, listener: Listener<S>): () => void {
    const listeners: Listener<S>[] = this.#listeners[seam]
    listeners.push(listener)
    return () => {
      const index = listeners.indexOf(listener)
      if (index >= 0) listeners.splice(index, 1)
    }
  }

  /** Runs the waterfall of a seam, ending in the runtime's own `last`. */
  run<S extends Seam>(
    seam: S,
    args: Seams[S]['args'],
    last: (...args: Seams[S]['args']) => Seams[S]['result'],
  ): Seams[S]['result'] {
    const listeners: readonly Listener<S>[] = [...this.#listeners[seam]]
    const from = (index: number, current: Seams[S]['args']): Seams[S]['result'] => {
      const listener = listeners[index]
      return listener ? listener(...current, (...changed) => from(index + 1, changed)) : last(...current)
    }
    return from(0, args)
  }
}
