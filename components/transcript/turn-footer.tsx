'use client'

/** The end of a turn: how, how long, how much, what is kept, and what can be done from here. */
import { Ellipsis, Link2, RotateCcw } from 'lucide-react'
import { memo, useContext, useState } from 'react'
import { FactsContext, useTranscriptActions } from '@/components/transcript/transcript-context'
import { failureWords, keptWords, requestedBy } from '@/components/transcript/turn-words'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Menu, MenuItem } from '@/components/ui/menu'
import { StateMark } from '@/components/ui/state-mark'
import { outcomeState, outcomeText } from '@/components/ui/state-text'
import { toast } from '@/components/ui/toast'
import { reasonOf } from '@/lib/client/api'
import { durationText, exactUsage, shortUsage } from '@/lib/client/format'
import { promptOf, type TurnView } from '@/lib/projection/transcript-view'

export const TurnFooter = memo(function TurnFooter({ turn }: { turn: TurnView }) {
  const { outcome } = turn
  if (!outcome) return null
  const kept = keptWords(turn)
  const tokens = turn.usage.inputTokens + turn.usage.outputTokens
  const ms = turn.endedAt === null ? null : Date.parse(turn.endedAt) - Date.parse(turn.startedAt)
  return (
    <footer className="mt-2 mb-4" data-turn-outcome={outcome.kind}>
      {outcome.kind === 'failed' && (
        <p className="mb-1 text-sm">
          <span className="font-medium text-state-failed">{failureWords[outcome.code]}.</span> {outcome.message}
        </p>
      )}
      <div className="flex min-h-control flex-wrap items-center gap-x-3 gap-y-1 text-ink-muted text-xs tablet:flex-nowrap">
        <span className="flex min-w-0 items-center gap-2">
          <StateMark
            state={outcomeState(outcome)}
            text={outcomeText(outcome, requestedBy(turn))}
            className="shrink-0"
          />
          {ms !== null && <Fact text={durationText(ms)} title={`Turn ${turn.n ?? ''}`} />}
          {tokens > 0 && <Fact text={`${shortUsage(turn.usage)} tokens`} title={exactUsage(turn.usage)} />}
          {kept && <Fact text={kept} title={kept} className="min-w-0 truncate" />}
        </span>
        <FooterActions turn={turn} />
      </div>
    </footer>
  )
})

function Fact({ text, title, className = 'shrink-0' }: { text: string; title?: string; className?: string }) {
  return (
    <span className={`figures ${className}`} title={title}>
      <span aria-hidden="true">· </span>
      {text}
    </span>
  )
}

function FooterActions({ turn }: { turn: TurnView }) {
  const actions = useTranscriptActions()
  const { lastTurnId, idle, blocked } = useContext(FactsContext)
  const [busy, setBusy] = useState(false)
  const run = (what: string, action: () => Promise<void>) => {
    setBusy(true)
    action()
      .catch((error: unknown) => toast({ tone: 'failure', text: `${what}: ${reasonOf(error)}` }))
      .finally(() => setBusy(false))
  }
  const last = turn.turnId === lastTurnId && idle
  const cut = turn.outcome?.kind !== 'completed'
  const hasPrompt = promptOf(turn) !== ''
  const off = busy || blocked !== null
  const retry = () => run('Not sent', () => actions.retry(turn))
  return (
    <span className="ml-auto inline-flex shrink-0 items-center gap-1">
      {last && cut && (
        <Button size="small" disabled={off} onClick={() => run('Not sent', () => actions.continueTurn())}>
          Continue
        </Button>
      )}
      {last && cut && hasPrompt && (
        <Button size="small" disabled={off} onClick={retry}>
          Retry
        </Button>
      )}
      <Button
        look={last && cut ? 'outline' : 'ghost'}
        size="small"
        disabled={off}
        onClick={() => run('Not forked', () => actions.fork(turn.turnId))}
      >
        Fork
      </Button>
      <Menu
        trigger={
          <IconButton label="More for this turn" size="icon-small">
            <Ellipsis />
          </IconButton>
        }
      >
        {hasPrompt && !(last && cut) && (
          <MenuItem disabled={off || !idle} onSelect={retry}>
            <RotateCcw aria-hidden="true" />
            Retry
          </MenuItem>
        )}
        <MenuItem onSelect={() => void copyLink(actions.linkTo(turn.turnId))}>
          <Link2 aria-hidden="true" />
          Copy link
        </MenuItem>
      </Menu>
    </span>
  )
}

async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast({ text: 'Link copied' })
  } catch {
    // No clipboard on this address: the link is shown so that it can be copied by hand.
    toast({ text: link })
  }
}
