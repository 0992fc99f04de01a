/** The tool calls of one assistant message: reads side by side, writes alone, and exactly one result for each call (T1, T2, C13). */
import type { NewEvent, ToolCallBlock } from '@/lib/contract/events'
import type { ToolStatus } from '@/lib/contract/outcome'
import { unansweredCalls } from '@/lib/projection/prompt'
import type { Tool, ToolResult } from './ports'
import type { TurnContext } from './turn-context'

/** How many reads of one batch run at once. */
const parallelReads = 8

/** Runs the calls in order. Nothing starts after an abort; what never started is recorded as skipped. */
export async function runToolCalls(
  turn: TurnContext,
  calls: readonly ToolCallBlock[],
  tools: readonly Tool[],
  signal: AbortSignal,
): Promise<void> {
  const toolOf = (call: ToolCallBlock) => tools.find((tool) => tool.name === call.name)
  for (const batch of batches(calls, (call) => toolOf(call)?.access === 'read')) {
    if (signal.aborted) break
    const ends = await Promise.allSettled(batch.map((call) => runOne(turn, call, toolOf(call), signal)))
    const broken = ends.find((end) => end.status === 'rejected')
    if (broken) throw broken.reason
  }
  signal.throwIfAborted()
}

/** A `skipped` result for every call of the last message that has none yet, with the reason that the model reads (C13). */
export function skippedResults(turn: TurnContext, reason: string): NewEvent[] {
  const { turnId } = turn
  return unansweredCalls(turn.session.prompt).map(({ callId }) => ({
    type: 'tool.end' as const,
    data: { turnId, callId, status: 'skipped' as const, output: reason, truncated: false, durationMs: 0 },
  }))
}

/** Neighbouring reads share a batch; every other call has one of its own, in the message's order. */
function batches(calls: readonly ToolCallBlock[], isRead: (call: ToolCallBlock) => boolean): ToolCallBlock[][] {
  const grouped: ToolCallBlock[][] = []
  let open: ToolCallBlock[] | undefined
  for (const call of calls) {
    if (!isRead(call)) {
      grouped.push([call])
      open = undefined
    } else if (open && open.length < parallelReads) open.push(call)
    else {
      open = [call]
      grouped.push(open)
    }
  }
  return grouped
}

async function runOne(
  turn: TurnContext,
  call: ToolCallBlock,
  tool: Tool | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { callId, name, input } = call
  if (!tool) {
    end(turn, call, 0, { status: 'error', output: unknownTool(name), truncated: false })
    return
  }
  const began = turn.ports.clock.now().getTime()
  turn.session.append({ type: 'tool.start', data: { turnId: turn.turnId, callId, name, input } })
  const running = turn.calls.begin(callId, signal)
  const rest = turn.waits.begin({ kind: 'tool', name, callId, killable: tool.killable })
  try {
    const result = await settled(turn, call, tool, running)
    const durationMs = Math.max(0, turn.ports.clock.now().getTime() - began)
    end(turn, call, durationMs, running.endedByPerson() && !signal.aborted ? toldByPerson(result) : result)
  } finally {
    rest()
    running.release()
    turn.session.oncePaid(() => turn.ports.drafts.closeToolOutput(turn.session.id, callId))
  }
}

/** The tool's own result, or what its throw means: an abort when its signal is out, an error otherwise. Never a rejection. */
async function settled(
  turn: TurnContext,
  call: ToolCallBlock,
  tool: Tool,
  running: { readonly signal: AbortSignal; readonly forceSignal: AbortSignal },
): Promise<ToolResult> {
  const { session, ports, turnId } = turn
  let recording = true
  try {
    return await turn.hooks.run(
      'toolExecute',
      [turn.agent, { callId: call.callId, name: call.name, input: call.input }, running.signal],
      (_agent, request, callSignal) =>
        tool.execute(request.input, {
          sessionId: session.id,
          turnId,
          callId: call.callId,
          workspace: session.header.workspace,
          signal: callSignal,
          forceSignal: running.forceSignal,
          output: (text) => {
            if (recording) ports.drafts.toolOutput(session.id, call.callId, text)
          },
          record: (event) => {
            if (recording) session.append(event)
          },
        }),
    )
  } catch (error) {
    if (running.signal.aborted) {
      return { status: 'aborted', output: 'Interrupted before it gave a result.', truncated: false }
    }
    ports.logger.error('a tool threw', { tool: call.name, error: String(error) })
    return { status: 'error', output: `${call.name} failed inside Belay and gave no result.`, truncated: false }
  } finally {
    recording = false
  }
}

function end(turn: TurnContext, call: ToolCallBlock, durationMs: number, result: ToolResult): void {
  const status: ToolStatus = result.status
  turn.session.conclude({
    type: 'tool.end',
    data: {
      turnId: turn.turnId,
      callId: call.callId,
      status,
      output: result.output,
      truncated: result.truncated,
      durationMs,
      ...(result.meta && { meta: { ...result.meta } }),
    },
  })
}

/** The model learns that a person ended this one call and that its turn goes on (T8). */
function toldByPerson(result: ToolResult): ToolResult {
  if (result.status !== 'aborted') return result
  const said = 'The user ended this call; the turn goes on.'
  return { ...result, output: result.output === '' ? said : `${result.output}\n${said}` }
}

function unknownTool(name: string): string {
  return `There is no tool named ${JSON.stringify(name)} here, or this session's mode does not offer it.`
}
