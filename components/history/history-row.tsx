'use client'

/** One turn in the history: what was asked, how it ended and by whom, when, how long, what it used, what it did last. */
import Link from 'next/link'
import { Marked } from '@/components/history/marked'
import { plainText } from '@/components/history/plain-text'
import { TimeText } from '@/components/ui/clock'
import { StateMark } from '@/components/ui/state-mark'
import { outcomeState, outcomeText } from '@/components/ui/state-text'
import { durationText, exactUsage, shortUsage } from '@/lib/client/format'
import type { ControlVia } from '@/lib/contract/events'
import type { TurnRow } from '@/lib/contract/session'

export function HistoryRow({ turn, query }: { turn: TurnRow; query: string }) {
  const used = turn.usage.inputTokens + turn.usage.outputTokens
  return (
    <li>
      <Link
        href={`/s/${turn.sessionId}?turn=${turn.turnId}`}
        prefetch={false}
        data-turn={turn.turnId}
        className="motion focus-inset grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 rounded-card px-3 py-2.5 hover:bg-hover"
      >
        <span className="line-clamp-2 font-medium text-base tablet:line-clamp-1">
          <Marked text={turn.prompt || 'No prompt'} part={query} />
        </span>
        <TimeText at={turn.startedAt} className="figures text-right text-ink-faint text-xs leading-[22px]" />
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 text-ink-muted text-xs">
          <StateMark state={outcomeState(turn.outcome)} text={endingText(turn)} className="max-w-full" />
          {!isNamedAfter(turn) && <span className="max-w-60 truncate">{turn.title || 'Untitled'}</span>}
        </span>
        <span className="figures whitespace-nowrap text-right text-ink-faint text-xs">
          {turn.durationMs !== null && durationText(turn.durationMs)}
          {used > 0 && (
            <span title={exactUsage(turn.usage)}>
              {' '}
              · {shortUsage(turn.usage)}
              <span className="hidden tablet:inline"> tokens</span>
            </span>
          )}
        </span>
        <LastStep turn={turn} query={query} />
      </Link>
    </li>
  )
}

/** A session that took its title from this very prompt needs no second line with it. */
function isNamedAfter(turn: TurnRow): boolean {
  return turn.title !== '' && turn.prompt.startsWith(turn.title.replace(/…$/, ''))
}

function LastStep({ turn, query }: { turn: TurnRow; query: string }) {
  const text = turn.snippet?.text ?? turn.lastStep.text
  if (text === '' && !turn.lastStep.tool) return null
  return (
    <span className="col-span-2 line-clamp-2 text-ink-faint text-xs">
      {!turn.snippet && turn.lastStep.tool && <span className="font-mono">{turn.lastStep.tool} </span>}
      <Marked text={plainText(text)} part={query} />
    </span>
  )
}

/** "Stopped by you", and by which way where that is worth a word; a failure with our sentence about it. */
function endingText(turn: TurnRow): string {
  if (!turn.outcome) return 'Running'
  const text = outcomeText(turn.outcome, turn.requestedBy)
  if (turn.outcome.kind === 'failed') return `${text}: ${turn.outcome.message}`
  const way = turn.requestedBy && turn.via ? ways[turn.via] : undefined
  return way ? `${text}, ${way}` : text
}

const ways: Partial<Record<ControlVia, string>> = {
  deny: 'by denying',
  budget: 'at the budget',
  'ctrl-c': 'with Ctrl+C',
  acp: 'from an editor',
  tool: 'with a tool',
  api: 'over the API',
}
