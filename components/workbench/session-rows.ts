/** Which sessions the list shows, and in which order: what the server answered, brought up to date by the stream. Pure. */
import type { SessionId } from '@/lib/contract/ids'
import type { OutcomeKind } from '@/lib/contract/outcome'
import { type Activity, type Session, type StateWord, stateWordOf } from '@/lib/contract/session'

export interface ListFilter {
  /** Empty: every state. */
  readonly states: readonly StateWord[]
  readonly text: string
  /** True shows the archive instead of the desk. */
  readonly archived: boolean
}

export const noFilter: ListFilter = { states: [], text: '', archived: false }

/** What the stream has told since the page was rendered. */
export interface LiveSessions {
  readonly byId: ReadonlyMap<SessionId, Session>
  readonly removed: ReadonlySet<SessionId>
}

/**
 * The rows in the server's order, each in its newest known form; sessions that the server's answer does not hold yet
 * come first. A row keeps its place while its state changes: rows do not jump.
 */
export function composeRows(answered: readonly Session[], live: LiveSessions, filter: ListFilter): Session[] {
  const known = new Set(answered.map((session) => session.id))
  const newcomers = [...live.byId.values()]
    .filter((session) => session.kind === 'root' && !known.has(session.id) && hasText(session, filter.text))
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  const rows = [...newcomers, ...answered.map((session) => newest(session, live))]
  return rows.filter((session) => !live.removed.has(session.id) && fits(session, filter))
}

/** The later of two forms of one session. Live fields change without a new event, so the stream wins a tie. */
export function newest(session: Session, live: LiveSessions): Session {
  const heard = live.byId.get(session.id)
  return heard && heard.lastSeq >= session.lastSeq ? heard : session
}

/** The part of a filter that `GET /api/sessions` understands. The state words it does not know are sifted here (W2, W5). */
export function serverFilter(filter: ListFilter): {
  activity?: Activity[]
  outcome?: OutcomeKind[]
  query?: string
  archived?: boolean
} {
  const activities = filter.states.map((state) => activityByState[state])
  const outcomes = filter.states.map((state) => outcomesByState[state])
  const narrow = filter.states.length > 0
  return {
    ...(narrow && activities.every((item) => item !== undefined) && { activity: activities.filter(isKnown) }),
    ...(narrow && outcomes.every((item) => item !== undefined) && { outcome: outcomes.filter(isKnown).flat() }),
    ...(filter.text.trim() !== '' && { query: filter.text.trim() }),
    archived: filter.archived,
  }
}

const activityByState: Partial<Record<StateWord, Activity>> = { running: 'running', stopping: 'stopping' }
const outcomesByState: Partial<Record<StateWord, OutcomeKind[]>> = {
  done: ['completed', 'truncated'],
  stopped: ['aborted', 'disposed'],
  failed: ['failed', 'blocked'],
  orphaned: ['orphaned'],
}

function fits(session: Session, filter: ListFilter): boolean {
  if (session.archived !== filter.archived) return false
  return filter.states.length === 0 || filter.states.includes(stateWordOf(session))
}

function hasText(session: Session, text: string): boolean {
  return session.title.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase())
}

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined
}
