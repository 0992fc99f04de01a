/** What the parts of one turn share. Made by the agent for each turn; never handed to a listener (C9). */
import type { TurnId } from '@/lib/contract/ids'
import type { Outcome } from '@/lib/contract/outcome'
import type { AgentHandle } from './agent-handle'
import type { Hooks } from './hooks'
import type { RuntimePorts } from './ports'
import type { RunningCalls } from './running-calls'
import type { SessionState } from './session-state'
import type { Waits } from './waits'

export interface TurnContext {
  readonly agent: AgentHandle
  readonly turnId: TurnId
  readonly kind: 'prompt' | 'compaction'
  readonly session: SessionState
  readonly ports: RuntimePorts
  readonly hooks: Hooks
  readonly waits: Waits
  readonly calls: RunningCalls
}

/** An end that is not a completed answer, thrown to leave the turn from any depth. The lifecycle and the signal still have the first word (C8). */
export class TurnFailure extends Error {
  override readonly name = 'TurnFailure'

  constructor(readonly outcome: Extract<Outcome, { kind: 'failed' | 'blocked' | 'truncated' }>) {
    super(outcome.kind === 'failed' ? outcome.message : outcome.kind)
  }
}

/** Runs a seam as a named wait, with the signal checked before and after it (C11). */
export async function atSeam<T>(
  turn: TurnContext,
  name: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const result = await turn.waits.during({ kind: 'hook', name, killable: false }, work)
  signal.throwIfAborted()
  return result
}
