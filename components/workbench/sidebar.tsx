'use client'

/** The left-hand area: the way to a new session, the list, and the other pages. Its own content, wherever it stands. */
import { History, PanelLeftClose, Plus, Settings } from 'lucide-react'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Logo } from '@/components/ui/logo'
import { Shortcut } from '@/components/ui/shortcut'
import { changePanel } from '@/components/workbench/panels'
import { useSessionActions, useSessionList } from '@/components/workbench/queries'
import { SessionList } from '@/components/workbench/session-list'
import { type ListFilter, noFilter } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'

export function Sidebar({ place }: { place: 'area' | 'sheet' }) {
  const [filter, setFilter] = useState<ListFilter>(noFilter)
  const currentId = useCurrentSessionId()
  const list = useSessionList(filter)
  const actionsOf = useSessionActions(currentId)
  return (
    <>
      {place === 'area' && (
        <div className="flex h-13 shrink-0 items-center gap-1 pr-2 pl-4">
          <Link href="/" className="flex grow items-center gap-2 rounded-control font-semibold text-lg">
            <Logo />
            Belay
          </Link>
          <IconButton
            label="Fold the session list"
            size="icon-small"
            onClick={() => changePanel('list', { folded: true })}
          >
            <PanelLeftClose />
          </IconButton>
        </div>
      )}
      <div className="px-3 pb-2">
        <Button asChild className="w-full justify-between">
          <Link href="/">
            <span className="inline-flex items-center gap-1.5">
              <Plus aria-hidden="true" /> New session
            </span>
            <span className="touch:hidden">
              <Shortcut keys="alt+n" />
            </span>
          </Link>
        </Button>
      </div>
      <nav aria-label="Sessions" className="flex min-h-0 grow flex-col">
        <SessionList list={list} filter={filter} onFilter={setFilter} currentId={currentId} actionsOf={actionsOf} />
      </nav>
      <nav aria-label="Pages" className="flex gap-1 border-t p-2">
        <PageLink href="/history" icon={History} label="History" />
        <PageLink href="/settings" icon={Settings} label="Settings" />
      </nav>
    </>
  )
}

/** The list folded away: what is needed most stays as icons. */
export function SidebarRail() {
  return (
    <div className="flex grow flex-col items-center gap-1 py-2">
      <IconButton label="Show the session list" onClick={() => changePanel('list', { folded: false })}>
        <Logo className="size-5!" />
      </IconButton>
      <RailLink href="/" icon={Plus} label="New session" />
      <span className="grow" />
      <RailLink href="/history" icon={History} label="History" />
      <RailLink href="/settings" icon={Settings} label="Settings" />
    </div>
  )
}

/** The session whose address is open. */
export function useCurrentSessionId(): SessionId | null {
  const path = usePathname()
  return (path?.match(/^\/s\/([^/]+)/)?.[1] ?? null) as SessionId | null
}

function PageLink({ href, icon: Icon, label }: { href: string; icon: typeof History; label: string }) {
  const current = usePathname() === href
  return (
    <Button look="ghost" asChild className={cn('grow justify-start px-2', current && 'bg-selected text-ink')}>
      <Link href={href} prefetch={false} aria-current={current ? 'page' : undefined}>
        <Icon aria-hidden="true" /> {label}
      </Link>
    </Button>
  )
}

function RailLink({ href, icon: Icon, label }: { href: string; icon: typeof History; label: string }) {
  const current = usePathname() === href
  return (
    <Button look="ghost" size="icon" asChild className={cn(current && 'bg-selected text-ink')}>
      <Link href={href} prefetch={false} aria-label={label} title={label} aria-current={current ? 'page' : undefined}>
        <Icon aria-hidden="true" />
      </Link>
    </Button>
  )
}
