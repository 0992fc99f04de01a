/** The wait before a failed model request is tried again (C15, M4). */
import type { StepId } from '@/lib/contract/ids'
import type { RequestFailure } from './hooks'
import { atSeam, type TurnContext, TurnFailure } from './turn-context'

/** How often a request is tried at most. */
const mostAttempts = 5
/** The first wait in ms; each further one is twice as long. */
const firstWaitMs = 1_000
/** The last moment that a date can name, epoch ms: a provider may ask for more. */
const lastDate = Date.UTC(9999, 11, 31)
/** A longer wait is not slept: the turn ends and says when to try again (M4). */
const longestWaitMs = 60_000

/**
 * Waits until the request may be tried again; shown while it lasts, ended at once by the signal.
 * @returns always true: the caller tries again. @throws TurnFailure when it is not worth waiting; the signal's reason on abort.
 */
export async function backOff(
  turn: TurnContext,
  stepId: StepId,
  attempt: number,
  failure: RequestFailure,
  signal: AbortSignal,
): Promise<true> {
  const decision = await atSeam(turn, 'requestError', signal, () =>
    turn.hooks.run('requestError', [turn.agent, failure, attempt, signal], (_agent, failed, n) =>
      Promise.resolve(failed.retryable && n < mostAttempts ? 'retry' : 'fail'),
    ),
  )
  if (decision === 'fail') throw failed(failure.code, failure.message)
  const { clock } = turn.ports
  const waitMs = failure.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1)
  const until = new Date(Math.min(clock.now().getTime() + waitMs, lastDate)).toISOString()
  if (waitMs > longestWaitMs) throw failed('rate-limited', `${failure.message} It may be tried again at ${until}.`)
  turn.session.append({
    type: 'retry.waiting',
    data: { turnId: turn.turnId, stepId, attempt, until, reason: failure.message },
  })
  await turn.waits.during({ kind: 'retry', name: failure.message, killable: false }, () => clock.sleep(waitMs, signal))
  signal.throwIfAborted()
  return true
}

function failed(code: RequestFailure['code'], message: string): TurnFailure {
  return new TurnFailure({ kind: 'failed', code, message })
}
