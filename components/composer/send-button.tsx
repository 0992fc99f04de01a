'use client'

/** Send; while a turn runs, Queue, with Steer in its menu (U1). */
import { ChevronUp, ListPlus, SendHorizontal, Waypoints } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuItem } from '@/components/ui/menu'

export interface SendButtonProps {
  readonly mode: 'send' | 'queue'
  readonly disabled: boolean
  readonly send: (delivery: 'follow-up' | 'steer') => void
}

export function SendButton({ mode, disabled, send }: SendButtonProps) {
  if (mode === 'send') {
    return (
      <Button look="accent" disabled={disabled} onClick={() => send('follow-up')} className="min-w-24">
        <SendHorizontal aria-hidden="true" />
        Send
      </Button>
    )
  }
  return (
    <span className="inline-flex">
      <Button disabled={disabled} onClick={() => send('follow-up')} className="rounded-r-none">
        <ListPlus aria-hidden="true" />
        Queue
      </Button>
      <Menu
        trigger={
          <Button disabled={disabled} aria-label="More ways to send" className="rounded-l-none border-l-0 px-1">
            <ChevronUp aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem keys="Enter" onSelect={() => send('follow-up')}>
          <ListPlus aria-hidden="true" />
          Queue for its own turn
        </MenuItem>
        <MenuItem keys="Ctrl+Enter" onSelect={() => send('steer')}>
          <Waypoints aria-hidden="true" />
          Steer: join the running turn
        </MenuItem>
      </Menu>
    </span>
  )
}
