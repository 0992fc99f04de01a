/** What every kind of turn has in common: an outcome for whatever happens inside, and a durable end (C3, C6, C8). */
import { agentInterruptReasonOf } from '@/lib/contract/cancel-cause'
import type { Outcome } from '@/lib/contract/outcome'
import { closingNote } from './closing-note'
import { skippedResults } from './tool-calls'
import { type TurnContext, TurnFailure } from './turn-context'

export interface TurnFrame {
  readonly signal: AbortSignal
  /** Asked at the end: the lifecycle wins over any cancel (C8). */
  readonly disposed: () => boolean
  /** Called right after `turn.end` has been appended. */
  readonly over: () => void
}

/**
 * Works until an end, writes `turn.end` and its note, and waits for the flush.
 * @throws only what the log throws when it cannot record the turn
 */
export async function settle(turn: TurnContext, frame: TurnFrame, work: () => Promise<void>): Promise<Outcome> {
  const { session, turnId, ports } = turn
  const { signal } = frame
  const ended = await played(turn, signal, work)
  const outcome: Outcome = frame.disposed() ? { kind: 'disposed' } : signal.aborted ? { kind: 'aborted' } : ended
  const skipped = skippedResults(turn, 'Not started: the turn ended before this call.')
  const by = agentInterruptReasonOf(signal) === 'parent' ? 'parent' : 'user'
  const note = turn.kind === 'prompt' ? closingNote(turnId, outcome, by) : []
  session.conclude(...skipped, { type: 'turn.end', data: { turnId, outcome } }, ...note)
  frame.over()
  await flushed(turn, signal)
  ports.logger.info('turn ended', { session: session.id, turn: turnId, outcome: outcome.kind })
  return outcome
}

/** Every throw becomes an outcome. Whether an abort overrules it is not decided here. */
async function played(turn: TurnContext, signal: AbortSignal, work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { kind: 'completed' }
  } catch (error) {
    if (error instanceof TurnFailure) return error.outcome
    if (!signal.aborted) turn.ports.logger.error('a turn failed', { turn: turn.turnId, error: String(error) })
    return { kind: 'failed', code: 'internal', message: 'Belay failed inside this turn.' }
  }
}

/** Waits for what follows the append. The outcome stands, whatever happens here (C6). */
async function flushed(turn: TurnContext, signal: AbortSignal): Promise<void> {
  const { log, logger } = turn.ports
  try {
    await turn.waits.during({ kind: 'store', name: 'flush', killable: false }, () => log.flush(turn.session.id, signal))
  } catch (error) {
    if (!signal.aborted) logger.error('a flush failed', { session: turn.session.id, error: String(error) })
  }
}
