/** A prompt turn: what it claims, its steps, and who may join it (C6, C20). */
import { claimable, type InboxItem, type InboxItems, joinable } from '@/lib/projection/inbox'
import type { AfterTurn } from './driver'
import { runStep } from './step'
import { atSeam, type TurnContext, TurnFailure } from './turn-context'
import { settle, type TurnFrame } from './turn-frame'

/**
 * One prompt turn. Claims before its first await, so that a cancel meets either an unclaimed queue or an open turn (C6).
 * @throws only what the log throws when it cannot record the turn
 */
export async function runTurn(turn: TurnContext, frame: TurnFrame): Promise<AfterTurn> {
  const { session, turnId } = turn
  const claimed = claimable(session.inbox)
  session.append(
    { type: 'inbox.claimed', data: { messageIds: claimed.map((item) => item.messageId), turnId } },
    { type: 'turn.start', data: { turnId, n: session.turns + 1, kind: 'prompt' } },
  )
  const outcome = await settle(turn, frame, () => work(turn, claimed, frame.signal))
  return outcome.kind === 'completed' || outcome.kind === 'truncated' ? 'on' : 'park'
}

async function work(turn: TurnContext, claimed: InboxItems, signal: AbortSignal): Promise<void> {
  for (const item of claimed) await submit(turn, item, 'opens', signal)
  for (;;) {
    await join(turn, signal)
    const step = await runStep(turn, signal)
    if (await joinedBySteer(turn, signal)) continue
    const decision = await atSeam(turn, 'continueDecision', signal, () =>
      turn.hooks.run('continueDecision', [turn.agent, step.calledTools, signal], (_agent, called) =>
        Promise.resolve(called ? 'continue' : 'stop'),
      ),
    )
    if (decision === 'continue') {
      if (!(await join(turn, signal)) && !step.calledTools) goOn(turn)
      continue
    }
    if (await joinedBySteer(turn, signal)) continue
    await atSeam(turn, 'turnStop', signal, () =>
      turn.hooks.run('turnStop', [turn.agent, signal], () => Promise.resolve()),
    )
    if (!(await joinedBySteer(turn, signal))) return
  }
}

/** An inject waits for the next request; only a steer that is accepted asks for one more step (C20). */
async function joinedBySteer(turn: TurnContext, signal: AbortSignal): Promise<boolean> {
  return turn.session.inbox.some((item) => item.delivery === 'steer') && (await join(turn, signal))
}

/** Steers and injects that came since join here, before the next request (SPEC 1). Tells whether any was accepted. */
async function join(turn: TurnContext, signal: AbortSignal): Promise<boolean> {
  const items = joinable(turn.session.inbox)
  if (items.length === 0) return false
  const messageIds = items.map((item) => item.messageId)
  turn.session.append({ type: 'inbox.claimed', data: { messageIds, turnId: turn.turnId } })
  let accepted = false
  for (const item of items) if (await submit(turn, item, 'joins', signal)) accepted = true
  return accepted
}

/** A listener wants one more step although nothing new was said: the request must still end in something to answer (C13). */
function goOn(turn: TurnContext): void {
  turn.session.append({ type: 'note', data: { for: 'model', text: 'Go on with the task.', about: turn.turnId } })
}

/** Passes a claimed message through its seam into the transcript. Tells whether it was accepted. */
async function submit(
  turn: TurnContext,
  item: InboxItem,
  as: 'opens' | 'joins',
  signal: AbortSignal,
): Promise<boolean> {
  const { messageId, text } = item
  const blocks = [{ type: 'text' as const, text }]
  const verdict = await atSeam(turn, 'promptSubmit', signal, () =>
    turn.hooks.run('promptSubmit', [turn.agent, messageId, blocks, signal], (_agent, _id, accepted) =>
      Promise.resolve({ kind: 'accepted', blocks: accepted }),
    ),
  )
  if (verdict.kind === 'accepted') {
    const data = { turnId: turn.turnId, messageId, blocks: [...verdict.blocks] }
    turn.session.append({ type: 'user.message', data })
    return true
  }
  turn.session.append({ type: 'note', data: { for: 'person', text: verdict.reason, about: turn.turnId } })
  if (as === 'opens') throw new TurnFailure({ kind: 'blocked' })
  return false
}
