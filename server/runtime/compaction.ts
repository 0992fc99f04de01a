/** A compaction turn: the model sums the conversation up, and the summary takes its place in the prompt, at once or not at all (C15). */
import type { Usage } from '@/lib/contract/events'
import { promptMessages } from '@/lib/projection/prompt'
import type { AfterTurn } from './driver'
import type { ModelRequest } from './ports'
import { Reply } from './reply'
import { streamInto } from './step'
import { atSeam, type TurnContext, TurnFailure } from './turn-context'
import { settle, type TurnFrame } from './turn-frame'

const instruction =
  'Sum up this conversation for yourself: what the person wants, what was done and found, which files and commands matter, and what is still open. It will stand in place of the conversation. Answer with the summary alone.'

/**
 * A turn of its own kind, so that all rules of cancelling hold for it. Stopped or failed, it changes nothing: the conversation
 * stays what the model is sent. Never releases a queued message: only a wake does.
 */
export async function runCompaction(turn: TurnContext, frame: TurnFrame): Promise<AfterTurn> {
  const { session, turnId } = turn
  session.append({ type: 'turn.start', data: { turnId, n: session.turns + 1, kind: 'compaction' } })
  await settle(turn, frame, () => compact(turn, frame.signal))
  return 'park'
}

async function compact(turn: TurnContext, signal: AbortSignal): Promise<void> {
  const summary = await atSeam(turn, 'compaction', signal, () =>
    turn.hooks.run('compaction', [turn.agent, signal], (_agent, own) => askForSummary(turn, own)),
  )
  if (summary.trim() === '') {
    throw new TurnFailure({ kind: 'failed', code: 'provider-error', message: 'The model gave no summary.' })
  }
  const throughSeq = turn.session.lastSeq
  turn.session.append({ type: 'compaction.done', data: { throughSeq, summary } })
}

async function askForSummary(turn: TurnContext, signal: AbortSignal): Promise<string> {
  const { session, ports, turnId } = turn
  const stepId = ports.ids.next('step')
  session.append({ type: 'note', data: { for: 'model', text: instruction, about: turnId } })
  const settings = { attempt: 1 }
  const { model } = session.header
  const messages = promptMessages(session.prompt)
  const request: ModelRequest = { model, system: '', messages, tools: [], settings }
  const hashes = { systemHash: ports.log.putText(''), toolsHash: ports.log.putText('[]') }
  session.append({ type: 'step.start', data: { turnId, stepId, attempt: 1, request: { model, settings, ...hashes } } })
  const reply = new Reply(ports.drafts.open({ sessionId: session.id, turnId, stepId, attempt: 1 }), session.callNames())
  let usage: Usage = { inputTokens: 0, outputTokens: 0, estimated: false }
  try {
    const end = await streamInto(turn, reply, request, signal)
    usage = reply.usage(request)
    signal.throwIfAborted()
    if (end.kind === 'failed') {
      throw new TurnFailure({ kind: 'failed', code: end.failure.code, message: end.failure.message })
    }
    if (end.kind === 'finished' && end.reason === 'length') throw new TurnFailure({ kind: 'truncated' })
    return reply
      .blocks()
      .flatMap((block) => (block.type === 'text' ? [block.text] : []))
      .join('')
  } finally {
    reply.discardDraft()
    session.conclude({ type: 'step.end', data: { turnId, stepId, usage } })
  }
}
