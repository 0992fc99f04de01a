'use client'

/** A session and what it started, each with its state; the way into a child. */
import Link from 'next/link'
import { Elapsed } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { StateIcon, stateInk } from '@/components/ui/state-icon'
import { sessionStateText } from '@/components/ui/state-text'
import { shortUsage } from '@/lib/client/format'
import type { SessionId } from '@/lib/contract/ids'
import { type Session, stateWordOf } from '@/lib/contract/session'

/** `nodes` in pre-order, the root first. */
export function TreePanel({ nodes, currentId }: { nodes: readonly Session[]; currentId: SessionId }) {
  return (
    <ul className="grid content-start gap-0.5 p-2" aria-label="Session tree">
      {nodes.map((node) => (
        <li key={node.id}>
          <TreeRow node={node} current={node.id === currentId} />
        </li>
      ))}
    </ul>
  )
}

function TreeRow({ node, current }: { node: Session; current: boolean }) {
  const state = stateWordOf(node)
  const since = node.activity === 'idle' ? undefined : node.turnStartedAt
  const doing = node.waitingOn[0]
  const used = node.usage.inputTokens + node.usage.outputTokens
  return (
    <Link
      href={`/s/${node.id}`}
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      style={{ paddingInlineStart: `${8 + node.depth * 16}px` }}
      className={cn(
        'motion focus-inset grid min-h-row grid-cols-[16px_minmax(0,1fr)_auto] content-center gap-x-2 rounded-control py-1 pr-2 hover:bg-hover',
        current && 'bg-selected hover:bg-selected',
      )}
    >
      <StateIcon state={state} className="row-span-2 mt-0.5" />
      <span className="truncate text-sm">{node.label ?? (node.title || 'Untitled')}</span>
      {since ? <Elapsed since={since} className="text-right text-ink-faint text-xs leading-5" /> : <span />}
      <span className={cn('truncate text-xs', stateInk[state])}>
        {sessionStateText(node)}
        {doing && <span className="text-ink-faint"> · {doing.name}</span>}
      </span>
      <span className="figures text-right text-ink-faint text-xs">{used > 0 && shortUsage(node.usage)}</span>
    </Link>
  )
}
