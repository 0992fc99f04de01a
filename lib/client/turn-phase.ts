/** Whether a turn runs, as the two sources tell it: the session's summary and its own events. The newer word counts. */
import type { TurnId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'
import type { TurnView } from '@/lib/projection/transcript-view'

export type TurnPhase =
  | { readonly kind: 'idle' }
  /** `turnId` is null from an accepted wake until the claim. */
  | { readonly kind: 'running'; readonly turnId: TurnId | null }
  | { readonly kind: 'stopping'; readonly turnId: TurnId | null; readonly since: string | null }

const idle: TurnPhase = { kind: 'idle' }

/** `last` is the newest turn of the live transcript. */
export function turnPhase(session: Pick<Session, 'activity' | 'openTurnId'>, last: TurnView | undefined): TurnPhase {
  if (last && last.state !== 'ended') {
    const since = last.control?.at ?? null
    const stopping = last.state === 'stopping' || session.activity === 'stopping'
    return stopping ? { kind: 'stopping', turnId: last.turnId, since } : { kind: 'running', turnId: last.turnId }
  }
  if (session.activity === 'idle') return idle
  // The summary has not heard yet that this turn is over.
  if (last && session.openTurnId === last.turnId) return idle
  if (session.activity === 'stopping') return { kind: 'stopping', turnId: session.openTurnId, since: null }
  return { kind: 'running', turnId: session.openTurnId }
}
