/** Ambient identity: which agent's work is this? It proves neither life nor current turn nor authority (C10). */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AgentHandle } from './agent-handle'

interface ExecutionContext {
  readonly agent: AgentHandle
}

const storage = new AsyncLocalStorage<ExecutionContext>()

/** Runs `work` with exactly `{ agent }` as its ambient context; a child's shadows its parent's (C10). */
export function runAs<T>(agent: AgentHandle, work: () => T): T {
  return storage.run(Object.freeze({ agent }), work)
}

/** The ambient context of the caller, if any agent's work is under way here. */
export function executionContext(): ExecutionContext | undefined {
  return storage.getStore()
}
