/** The filter of the history page as it stands in the address, and as the server is asked (U8, W2). */
import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs'
import type { OutcomeKind } from '@/lib/contract/outcome'

/** Groups of outcomes that a person tells apart; the words are those of the marks. */
export const endings = ['done', 'stopped', 'shutdown', 'failed', 'orphaned'] as const
export type Ending = (typeof endings)[number]

export const endingLabels: Record<Ending, string> = {
  done: 'Done',
  stopped: 'Stopped',
  shutdown: 'Stopped at shutdown',
  failed: 'Failed',
  orphaned: 'Lost at restart',
}

const outcomesOf: Record<Ending, readonly OutcomeKind[]> = {
  done: ['completed', 'truncated'],
  stopped: ['aborted'],
  shutdown: ['disposed'],
  failed: ['failed', 'blocked'],
  orphaned: ['orphaned'],
}

export const stoppers = ['user', 'parent'] as const
export type Stopper = (typeof stoppers)[number]

export const stopperLabels: Record<Stopper, string> = { user: 'By you', parent: 'By a parent' }

export const spans = ['day', 'week', 'month'] as const
export type Span = (typeof spans)[number]

export const spanLabels: Record<Span, string> = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' }

const spanDays: Record<Span, number> = { day: 1, week: 7, month: 30 }
const dayMs = 24 * 60 * 60 * 1000

/** Every part has its own name in the address, so that a filtered view can be kept as a link. */
export const historyParsers = {
  outcome: parseAsArrayOf(parseAsStringLiteral(endings)).withDefault([]),
  by: parseAsArrayOf(parseAsStringLiteral(stoppers)).withDefault([]),
  since: parseAsStringLiteral(spans),
  query: parseAsString.withDefault(''),
}

export interface HistoryFilter {
  readonly outcome: readonly Ending[]
  readonly by: readonly Stopper[]
  readonly since: Span | null
  readonly query: string
}

export const noHistoryFilter: HistoryFilter = { outcome: [], by: [], since: null, query: '' }

export function isFiltered(filter: HistoryFilter): boolean {
  return filter.outcome.length > 0 || filter.by.length > 0 || filter.since !== null || filter.query.trim() !== ''
}

/** The query of `GET /api/turns`. `now` in milliseconds; the span is cut to whole minutes so that a repeated question is the same. */
export function turnsQuery(filter: HistoryFilter, now: number): Record<string, string> {
  const outcome = filter.outcome.flatMap((ending) => outcomesOf[ending])
  return {
    ...(outcome.length > 0 && { outcome: outcome.join(',') }),
    ...(filter.by.length > 0 && { requestedBy: filter.by.join(',') }),
    ...(filter.query.trim() !== '' && { query: filter.query.trim() }),
    ...(filter.since && { from: since(filter.since, now) }),
  }
}

function since(span: Span, now: number): string {
  const minute = Math.floor(now / 60_000) * 60_000
  return new Date(minute - spanDays[span] * dayMs).toISOString()
}
