/** One step: a model request, its reply, and the tool calls it asked for. */

import type { ToolCallBlock, Usage } from '@/lib/contract/events'
import type { StepId } from '@/lib/contract/ids'
import { promptMessages } from '@/lib/projection/prompt'
import type { FinishReason, ModelRequest, Tool } from './ports'
import { Reply, type ReplyEnd } from './reply'
import { backOff } from './retry'
import { systemPrompt } from './system-prompt'
import { runToolCalls, skippedResults } from './tool-calls'
import { atSeam, type TurnContext, TurnFailure } from './turn-context'

export interface StepResult {
  readonly calledTools: boolean
}

/**
 * Runs one step to its `step.end`, which it writes on every way out. Whatever was shown becomes a message before it leaves (C14),
 * and every call has its result (C13).
 * @throws TurnFailure when the turn cannot go on; the signal's reason when it was aborted.
 */
export async function runStep(turn: TurnContext, signal: AbortSignal): Promise<StepResult> {
  const stepId = turn.ports.ids.next('step')
  const tools = turn.ports.tools.offered(turn.session.header)
  const system = await assembleSystem(turn, tools, signal)
  await atSeam(turn, 'beforeStep', signal, () =>
    turn.hooks.run('beforeStep', [turn.agent, stepId, signal], () => Promise.resolve()),
  )
  for (let attempt = 1; ; attempt++) {
    const request = await configuredRequest(turn, system, tools, attempt, signal)
    const again = await attemptStep(turn, stepId, attempt, request, tools, signal)
    if (again !== 'retry') return again
  }
}

async function attemptStep(
  turn: TurnContext,
  stepId: StepId,
  attempt: number,
  request: ModelRequest,
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<StepResult | 'retry'> {
  const { session, ports, turnId } = turn
  const { model, settings } = request
  const systemHash = ports.log.putText(request.system)
  const toolsHash = ports.log.putText(JSON.stringify(request.tools))
  session.append({
    type: 'step.start',
    data: { turnId, stepId, attempt, request: { model, settings: { ...settings }, systemHash, toolsHash } },
  })
  const reply = new Reply(ports.drafts.open({ sessionId: session.id, turnId, stepId, attempt }), session.callNames())
  let usage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }
  let again = false
  try {
    const end = await streamInto(turn, reply, request, signal)
    if (end.kind === 'failed' && !reply.shown && !signal.aborted) {
      again = await backOff(turn, stepId, attempt, end.failure, signal)
      return 'retry'
    }
    usage = reply.usage(request)
    const calls = keep(turn, stepId, reply, end)
    session.oncePaid(() => reply.discardDraft())
    return await afterReply(turn, reply, end, calls, tools, signal)
  } finally {
    session.oncePaid(() => reply.discardDraft())
    if (!again) {
      const skipped = skippedResults(turn, signal.aborted ? notStartedStopped : notStartedFailed)
      session.conclude(...skipped, { type: 'step.end', data: { turnId, stepId, usage } })
    }
  }
}

/** Streams until finish, failure or abort. Waits for the stream to rest and never rejects; a throw is judged by the signal alone (C8, C11). */
export async function streamInto(
  turn: TurnContext,
  reply: Reply,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ReplyEnd> {
  const { hooks, agent, ports } = turn
  const rest = turn.waits.begin({ kind: 'model', name: request.model, killable: false })
  try {
    const parts = hooks.run('modelStream', [agent, request, signal], (_agent, asked, own) =>
      ports.models.stream(asked, own),
    )
    for await (const part of parts) {
      if (signal.aborted) break
      reply.take(part)
    }
  } catch (error) {
    if (!signal.aborted) {
      ports.logger.warn('a model stream threw', { model: request.model, error: String(error) })
      return { kind: 'failed', failure: { code: 'provider-error', message: brokeOff, retryable: false } }
    }
  } finally {
    rest()
  }
  if (reply.end?.kind === 'finished') return reply.end
  if (signal.aborted) return { kind: 'cut' }
  return reply.end ?? { kind: 'failed', failure: { code: 'stream-cut', message: brokeOff, retryable: true } }
}

/** What was shown stays, whole or partial (C14). Returns the calls that it asks for. */
function keep(turn: TurnContext, stepId: StepId, reply: Reply, end: ReplyEnd): readonly ToolCallBlock[] {
  const blocks = reply.blocks()
  const partial = end.kind !== 'finished'
  if (blocks.length > 0) {
    turn.session.conclude({ type: 'assistant.message', data: { turnId: turn.turnId, stepId, partial, blocks } })
  }
  return blocks.filter((block): block is ToolCallBlock => block.type === 'tool-call')
}

async function afterReply(
  turn: TurnContext,
  reply: Reply,
  end: ReplyEnd,
  calls: readonly ToolCallBlock[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<StepResult> {
  signal.throwIfAborted()
  if (end.kind === 'failed')
    throw new TurnFailure({ kind: 'failed', code: end.failure.code, message: end.failure.message })
  if (end.kind === 'finished') refuseUnlessWhole(end.reason)
  await atSeam(turn, 'stepResult', signal, () =>
    turn.hooks.run('stepResult', [turn.agent, reply.blocks(), signal], () => Promise.resolve()),
  )
  await runToolCalls(turn, calls, tools, signal)
  return { calledTools: calls.length > 0 }
}

function refuseUnlessWhole(reason: FinishReason): void {
  if (reason === 'length') throw new TurnFailure({ kind: 'truncated' })
  if (reason === 'content-filter') {
    throw new TurnFailure({ kind: 'failed', code: 'content-filtered', message: 'The provider withheld this reply.' })
  }
}

async function assembleSystem(turn: TurnContext, tools: readonly Tool[], signal: AbortSignal): Promise<string> {
  const { agent, hooks, session } = turn
  const { workspace, model } = session.header
  const asked = { workspace, model, toolNames: tools.map((tool) => tool.name), signal }
  const text = await atSeam(turn, 'assemblePrompt', signal, () =>
    hooks.run('assemblePrompt', [agent, asked], (_agent, given) =>
      Promise.resolve(systemPrompt(given, session.header)),
    ),
  )
  const prefix = await atSeam(turn, 'sessionPrefix', signal, () =>
    hooks.run('sessionPrefix', [agent, signal], () => Promise.resolve([])),
  )
  return [text, ...prefix].join('\n\n')
}

function configuredRequest(
  turn: TurnContext,
  system: string,
  tools: readonly Tool[],
  attempt: number,
  signal: AbortSignal,
): Promise<ModelRequest> {
  const request: ModelRequest = {
    model: turn.session.header.model,
    system,
    messages: promptMessages(turn.session.prompt),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    settings: { attempt },
  }
  return atSeam(turn, 'request', signal, () =>
    turn.hooks.run('request', [turn.agent, request, signal], (_agent, configured) => Promise.resolve(configured)),
  )
}

const brokeOff = 'The model broke off before it had finished.'
const notStartedStopped = 'Not started: the turn was stopped before this call.'
const notStartedFailed = 'Not started: the turn ended before this call.'
