'use client'

/** The sessions: filter, rows, more of them. Arrow keys move between rows, Enter opens. */
import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Notice } from '@/components/ui/notice'
import { ScrollArea } from '@/components/ui/scroll-area'
import { SkeletonRows } from '@/components/ui/skeleton'
import { ListFilterBar } from '@/components/workbench/list-filter-bar'
import type { SessionActions } from '@/components/workbench/session-menu'
import { SessionRow } from '@/components/workbench/session-row'
import { type ListFilter, noFilter } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

export type ListState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly message: string; readonly retry: () => void }
  | {
      readonly kind: 'ready'
      readonly rows: readonly Session[]
      /** Null when everything is shown. */
      readonly more: (() => void) | null
      readonly loadingMore: boolean
    }

export interface SessionListProps {
  readonly list: ListState
  readonly filter: ListFilter
  readonly onFilter: (filter: ListFilter) => void
  readonly currentId: SessionId | null
  readonly actionsOf: (session: Session) => SessionActions
}

export function SessionList({ list, filter, onFilter, currentId, actionsOf }: SessionListProps) {
  return (
    <>
      <ListFilterBar filter={filter} onFilter={onFilter} />
      <ScrollArea className="grow px-2 pb-2">
        <ListBody list={list} filter={filter} onFilter={onFilter} currentId={currentId} actionsOf={actionsOf} />
      </ScrollArea>
    </>
  )
}

function ListBody({ list, filter, onFilter, currentId, actionsOf }: SessionListProps) {
  const [focusedId, setFocusedId] = useState<string | null>(null)
  if (list.kind === 'loading') return <SkeletonRows rows={6} label="Loading sessions" />
  if (list.kind === 'failed') {
    return (
      <Notice
        tone="failure"
        className="m-1"
        actions={
          <Button size="small" onClick={list.retry}>
            Try again
          </Button>
        }
      >
        The sessions could not be loaded. {list.message}
      </Notice>
    )
  }
  if (list.rows.length === 0) return <NoRows filter={filter} onFilter={onFilter} />

  const has = (id: string | null) => id !== null && list.rows.some((session) => session.id === id)
  const reachableId = has(focusedId) ? focusedId : has(currentId) ? currentId : list.rows[0]?.id
  return (
    <>
      <ul
        aria-label={filter.archived ? 'Archived sessions' : 'Sessions'}
        className="grid gap-0.5"
        onKeyDown={moveFocus}
        onFocus={(event) => {
          const row = event.target.closest<HTMLElement>('[data-session-row]')
          if (row) setFocusedId(row.dataset.sessionRow ?? null)
        }}
      >
        {list.rows.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            current={session.id === currentId}
            reachable={session.id === reachableId}
            actionsOf={actionsOf}
          />
        ))}
      </ul>
      {list.more && (
        <Button look="ghost" className="mt-1 w-full" onClick={list.more} disabled={list.loadingMore}>
          {list.loadingMore ? 'Loading more' : 'Show more'}
        </Button>
      )}
    </>
  )
}

function NoRows({ filter, onFilter }: Pick<SessionListProps, 'filter' | 'onFilter'>) {
  const filtered = filter.states.length > 0 || filter.text.trim() !== ''
  if (filtered) {
    return (
      <EmptyState
        title="No session matches"
        actions={
          <Button size="small" onClick={() => onFilter({ ...noFilter, archived: filter.archived })}>
            Clear the filter
          </Button>
        }
      />
    )
  }
  if (filter.archived) return <EmptyState title="The archive is empty">Archive a session from its menu.</EmptyState>
  return <EmptyState title="No sessions yet">The first message starts one.</EmptyState>
}

function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  if (!(event.target instanceof HTMLElement) || !event.target.matches('[data-session-row]')) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-session-row]')]
  const at = rows.indexOf(event.target)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  rows[Math.min(rows.length - 1, Math.max(0, to))]?.focus()
}
