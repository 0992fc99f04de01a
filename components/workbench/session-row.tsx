'use client'

/** One session in the list: shape, title, state in words, and its time. */
import { Ellipsis } from 'lucide-react'
import Link from 'next/link'
import { memo, useState } from 'react'
import { Elapsed, TimeText } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { StateIcon, stateInk } from '@/components/ui/state-icon'
import { sessionStateText } from '@/components/ui/state-text'
import { type SessionActions, SessionMenu } from '@/components/workbench/session-menu'
import { type Session, stateWordOf } from '@/lib/contract/session'

export const SessionRow = memo(function SessionRow({
  session,
  current,
  reachable,
  actionsOf,
}: {
  session: Session
  /** It is the one that is open. */
  current: boolean
  /** Its link is the list's one tab stop. */
  reachable: boolean
  actionsOf: (session: Session) => SessionActions
}) {
  const state = stateWordOf(session)
  const title = session.title || 'Untitled'
  const tabIndex = reachable ? 0 : -1
  // Whoever comes near a row will likely open it: its page is fetched then, and stands there at the click.
  // Not while it runs: that page would be old when it is opened.
  const [near, setNear] = useState(false)
  return (
    <li
      className={cn(
        'group relative [contain-intrinsic-size:auto_var(--row)] [content-visibility:auto]',
        session.archived && 'opacity-80',
      )}
    >
      <Link
        href={`/s/${session.id}`}
        prefetch={near && session.activity === 'idle'}
        onPointerEnter={() => setNear(true)}
        onFocus={() => setNear(true)}
        tabIndex={tabIndex}
        data-session-row={session.id}
        aria-current={current ? 'page' : undefined}
        className={cn(
          'motion focus-inset grid h-row grid-cols-[16px_minmax(0,1fr)_auto] content-center gap-x-2 rounded-control px-2 hover:bg-hover touch:pr-13',
          current && 'bg-selected hover:bg-selected forced-colors:outline',
        )}
      >
        <StateIcon state={state} className="row-span-2 mt-0.5" />
        <span className={cn('truncate text-ink text-sm', current && 'font-medium')}>{title}</span>
        <RowTime session={session} />
        <span
          className={cn('col-span-2 truncate text-xs', quietStates.has(state) ? 'text-ink-faint' : stateInk[state])}
        >
          {sessionStateText(session)}
        </span>
      </Link>
      <div className="absolute inset-y-0 right-1.5 flex items-center opacity-0 focus-within:opacity-100 group-hover:opacity-100 has-data-[state=open]:opacity-100 touch:opacity-100">
        <SessionMenu
          session={session}
          actions={actionsOf(session)}
          trigger={
            <IconButton
              label={`More for ${title}`}
              hint="More"
              size="icon-small"
              tabIndex={tabIndex}
              className="hover:bg-line-strong/60"
            >
              <Ellipsis />
            </IconButton>
          }
        />
      </div>
    </li>
  )
})

/** States that ask nothing of anybody: their word is as quiet as the time beside it. */
const quietStates: ReadonlySet<string> = new Set(['new', 'done', 'stopped'])

function RowTime({ session }: { session: Session }) {
  // The menu's button takes this place while the pointer or the focus is on the row.
  const look =
    'figures text-ink-faint text-xs leading-5 [li:hover_&]:opacity-0 [li:has(button:focus-visible,[data-state=open])_&]:opacity-0 touch:opacity-100!'
  const since = session.activity === 'idle' ? undefined : session.turnStartedAt
  if (since) return <Elapsed since={since} className={look} />
  return <TimeText at={session.updatedAt} look="compact" className={look} />
}
