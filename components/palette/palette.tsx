'use client'

/** The command palette: every place and every deed by name. Opens with mod+k; also holds the keys that work everywhere. */
import { Command } from 'cmdk'
import { CornerDownLeft, History, Monitor, Moon, Plus, Settings, Square, Sun } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useTheme } from 'next-themes'
import { Dialog } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { scrimLook } from '@/components/ui/dialog'
import { useReturnFocus } from '@/components/ui/return-focus'
import { Shortcut } from '@/components/ui/shortcut'
import { StateIcon } from '@/components/ui/state-icon'
import { sessionStateText } from '@/components/ui/state-text'
import { toast } from '@/components/ui/toast'
import { useLiveSession } from '@/components/workbench/live-sessions'
import { useSessionList } from '@/components/workbench/queries'
import { noFilter } from '@/components/workbench/session-rows'
import { useCurrentSessionId } from '@/components/workbench/sidebar'
import { reasonOf, stopTurn } from '@/lib/client/api'
import { stateWordOf } from '@/lib/contract/session'

export function Palette() {
  const [open, setOpen] = useState(false)
  const router = useRouter()
  const focus = useReturnFocus()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const mod = event.metaKey || event.ctrlKey
      if (mod && !event.shiftKey && event.key.toLowerCase() === 'k') setOpen((before) => !before)
      else if ((mod || event.altKey) && !event.shiftKey && event.code === 'KeyN') router.push('/')
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [router])

  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Overlay className={scrimLook} />
        <Dialog.Content
          {...focus}
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 animate-appear overflow-hidden rounded-card border border-line bg-raised shadow-float"
        >
          <Dialog.Title className="sr-only">Command palette</Dialog.Title>
          <PaletteBody close={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const typingPauseMs = 150

function PaletteBody({ close }: { close: () => void }) {
  const router = useRouter()
  const { setTheme } = useTheme()
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const list = useSessionList({ ...noFilter, text: asked })
  const currentId = useCurrentSessionId()
  const current = useLiveSession(currentId)

  const go = (path: string) => {
    close()
    router.push(path)
  }
  const stop = () => {
    close()
    if (!current) return
    stopTurn(current, current.openTurnId ?? undefined, 'keep').catch((error: unknown) =>
      toast({ tone: 'failure', text: `Not stopped. ${reasonOf(error)}` }),
    )
  }

  return (
    <Command label="Command palette" loop>
      <Command.Input
        value={typed}
        onValueChange={setTyped}
        placeholder="Go to a session, or do something"
        className="h-12 w-full border-b bg-transparent px-4 text-base outline-none touch:text-lg"
      />
      <Command.List className="scroll-thin max-h-[50dvh] overflow-y-auto p-1.5">
        <Command.Empty className="px-3 py-6 text-center text-ink-muted text-sm">Nothing matches</Command.Empty>
        <Group heading="Do">
          {current && current.activity !== 'idle' && (
            <Item onSelect={stop} keys="Esc">
              <Square aria-hidden="true" /> Stop the running turn
            </Item>
          )}
          <Item onSelect={() => go('/')} keys="alt+n">
            <Plus aria-hidden="true" /> New session
          </Item>
          <Item onSelect={() => go('/history')}>
            <History aria-hidden="true" /> History
          </Item>
          <Item onSelect={() => go('/settings')}>
            <Settings aria-hidden="true" /> Settings
          </Item>
          {themes.map(({ theme, label, icon: Icon }) => (
            <Item
              key={theme}
              onSelect={() => {
                setTheme(theme)
                close()
              }}
            >
              <Icon aria-hidden="true" /> {label}
            </Item>
          ))}
        </Group>
        {list.kind === 'ready' && list.rows.length > 0 && (
          <Group heading="Sessions">
            {list.rows.slice(0, 50).map((session) => (
              <Item key={session.id} value={`${session.title} ${session.id}`} onSelect={() => go(`/s/${session.id}`)}>
                <StateIcon state={stateWordOf(session)} />
                <span className="min-w-0 grow truncate">{session.title || 'Untitled'}</span>
                <span className="shrink-0 text-ink-faint text-xs">{sessionStateText(session)}</span>
              </Item>
            ))}
          </Group>
        )}
      </Command.List>
      <p className="flex items-center gap-1.5 border-t px-4 py-2 text-ink-faint text-xs">
        <CornerDownLeft aria-hidden="true" className="size-3.5" /> chooses, Esc closes
      </p>
    </Command>
  )
}

const themes = [
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
  { theme: 'system', label: 'Theme as the system says', icon: Monitor },
] as const

function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-faint [&_[cmdk-group-heading]]:text-xs"
    >
      {children}
    </Command.Group>
  )
}

function Item({
  children,
  keys,
  value,
  onSelect,
}: {
  children: ReactNode
  keys?: string
  value?: string
  onSelect: () => void
}) {
  return (
    <Command.Item
      {...(value !== undefined && { value })}
      onSelect={onSelect}
      className="flex h-control cursor-default select-none items-center gap-2 rounded-control px-2.5 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0"
    >
      {children}
      {keys && (
        <span className="ml-auto">
          <Shortcut keys={keys} />
        </span>
      )}
    </Command.Item>
  )
}
