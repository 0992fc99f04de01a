'use client'

/** The brake: one per session view, always in the same place while a turn runs, unlike Send in word, shape and colour (U1). */
import { ChevronUp, Square } from 'lucide-react'
import { buttonLook } from '@/components/ui/button'
import { useNow } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { Menu, MenuItem } from '@/components/ui/menu'

export interface StopButtonProps {
  /** Since when it is stopping, epoch ms; null while it simply runs. */
  readonly stoppingSince: number | null
  readonly press: (queue: 'keep' | 'clear') => void
  /** Messages that wait; with none there is nothing to clear. */
  readonly waiting: number
}

export function StopButton({ stoppingSince, press, waiting }: StopButtonProps) {
  const stopping = stoppingSince !== null
  return (
    <span className="inline-flex">
      <button
        type="button"
        aria-label="Stop this turn"
        data-stopping={stopping || undefined}
        onClick={() => press('keep')}
        className={cn(
          buttonLook({ look: 'strong' }),
          'min-w-34 gap-2 rounded-r-none',
          stopping && 'bg-state-stopping text-surface hover:bg-state-stopping focus-visible:bg-state-stopping',
        )}
      >
        <Square aria-hidden="true" className="size-3.5! fill-current" />
        {stopping ? <Stopping since={stoppingSince} /> : 'Stop'}
      </button>
      <Menu
        trigger={
          <button
            type="button"
            aria-label="More ways to stop"
            className={cn(
              buttonLook({ look: 'strong' }),
              'rounded-l-none border-l border-l-surface/30 px-1',
              stopping && 'bg-state-stopping text-surface hover:bg-state-stopping focus-visible:bg-state-stopping',
            )}
          >
            <ChevronUp aria-hidden="true" />
          </button>
        }
      >
        <MenuItem onSelect={() => press('clear')}>
          <Square aria-hidden="true" />
          {waiting > 0 ? `Stop and clear the queue (${waiting})` : 'Stop and clear the queue'}
        </MenuItem>
      </Menu>
    </span>
  )
}

function Stopping({ since }: { since: number }) {
  const seconds = Math.max(0, Math.floor((useNow(1000) - since) / 1000))
  return <span className="figures">Stopping{seconds > 0 ? ` ${seconds} s` : ''}</span>
}
