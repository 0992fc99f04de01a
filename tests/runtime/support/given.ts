/** A runtime with everything scripted but the runtime itself. */
import type { CallId, IdByPrefix, IdPrefix } from '@/lib/contract/ids'
import type { Agent } from '@/server/runtime/agent'
import { Agents } from '@/server/runtime/agents'
import { Hooks } from '@/server/runtime/hooks'
import type { Drafts, RuntimeLogger, StepDraft, Tool, ToolContext, ToolResult } from '@/server/runtime/ports'
import { ManualClock } from './manual-clock'
import { MemoryLog } from './memory-log'
import { type ReplyScript, ScriptedModel } from './scripted-model'

export interface Given {
  readonly agent: Agent
  readonly agents: Agents
  readonly hooks: Hooks
  readonly log: MemoryLog
  readonly model: ScriptedModel
  readonly clock: ManualClock
  readonly drafts: RecordedDrafts
  readonly lines: { readonly level: 'info' | 'warn' | 'error'; readonly message: string }[]
}

export interface GivenOptions {
  readonly tools?: readonly Tool[]
}

/** One full-access root session whose model plays these replies, one per request. */
export function given(replies: ReplyScript | readonly ReplyScript[] = [], options: GivenOptions = {}): Given {
  const clock = new ManualClock()
  const log = new MemoryLog(clock)
  const model = new ScriptedModel(typeof replies === 'function' ? [replies] : [...replies])
  const drafts = new RecordedDrafts()
  const hooks = new Hooks()
  const lines: Given['lines'] = []
  const ports = {
    log,
    drafts,
    models: model,
    tools: { offered: () => options.tools ?? [] },
    clock,
    ids: countedIds(),
    logger: recordingLogger(lines),
  }
  const agents = new Agents(ports, hooks)
  const agent = agents.create({ workspace: '/workspace', model: 'test/model', approvalMode: 'full-access' })
  return { agent, agents, hooks, log, model, clock, drafts, lines }
}

/** A tool whose body a test writes. */
export function tool(
  name: string,
  body: (input: unknown, context: ToolContext) => Promise<ToolResult>,
  access: Tool['access'] = 'write',
): Tool {
  return { name, description: name, inputSchema: { type: 'object' }, access, killable: false, execute: body }
}

/** A tool result with this output. */
export function ok(output: string): ToolResult {
  return { status: 'ok', output, truncated: false }
}

function countedIds() {
  let count = 0
  return {
    next<P extends IdPrefix>(prefix: P): IdByPrefix[P] {
      count += 1
      return `${prefix}_${count}` as IdByPrefix[P]
    },
  }
}

function recordingLogger(lines: Given['lines']): RuntimeLogger {
  return {
    info: (message) => lines.push({ level: 'info', message }),
    warn: (message) => lines.push({ level: 'warn', message }),
    error: (message) => lines.push({ level: 'error', message }),
  }
}

/** Drafts that remember what is open, so that a test sees what was shown and that nothing is left. */
export class RecordedDrafts implements Drafts {
  readonly openDrafts = new Set<StepDraft>()
  readonly shown: string[] = []
  readonly toolText = new Map<CallId, string>()

  open(): StepDraft {
    const draft: StepDraft = {
      start: () => undefined,
      append: (_block, text) => this.shown.push(text),
      end: () => undefined,
      discard: () => this.openDrafts.delete(draft),
    }
    this.openDrafts.add(draft)
    return draft
  }

  toolOutput(_sessionId: unknown, callId: CallId, text: string): void {
    this.toolText.set(callId, (this.toolText.get(callId) ?? '') + text)
  }

  closeToolOutput(_sessionId: unknown, callId: CallId): void {
    this.toolText.delete(callId)
  }
}
