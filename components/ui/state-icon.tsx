/** The shape of a state, 16 px: told apart without colour (U10). What works moves a little; with reduced motion it is still. */
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { StateWord } from '@/lib/contract/session'

const shapes: Record<StateWord, ReactNode> = {
  new: <circle cx="8" cy="8" r="3.75" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  running: <circle cx="8" cy="8" r="4.5" fill="currentColor" />,
  stopping: (
    <>
      <circle cx="8" cy="8" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 3.75a4.25 4.25 0 0 0 0 8.5z" fill="currentColor" />
    </>
  ),
  paused: <path d="M4.5 3.5h2.5v9H4.5zM9 3.5h2.5v9H9z" fill="currentColor" />,
  'needs-you': (
    <>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 4.75v4" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
      <circle cx="8" cy="11" r="1" fill="currentColor" />
    </>
  ),
  done: (
    <path
      d="m3.5 8.5 3 3 6-7"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  ),
  stopped: <rect x="4" y="4" width="8" height="8" rx="1" fill="currentColor" />,
  failed: <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.9" strokeLinecap="round" />,
  orphaned: (
    <circle
      cx="8"
      cy="8"
      r="5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeDasharray="6.2 4.27"
      strokeLinecap="butt"
    />
  ),
}

export const stateInk: Record<StateWord, string> = {
  new: 'text-state-new',
  running: 'text-state-running',
  stopping: 'text-state-stopping',
  paused: 'text-state-paused',
  'needs-you': 'text-state-needs-you',
  done: 'text-state-done',
  stopped: 'text-state-stopped',
  failed: 'text-state-failed',
  orphaned: 'text-state-orphaned',
}

export const stateTint: Record<StateWord, string> = {
  new: 'bg-state-new-soft',
  running: 'bg-state-running-soft',
  stopping: 'bg-state-stopping-soft',
  paused: 'bg-state-paused-soft',
  'needs-you': 'bg-state-needs-you-soft',
  done: 'bg-state-done-soft',
  stopped: 'bg-state-stopped-soft',
  failed: 'bg-state-failed-soft',
  orphaned: 'bg-state-orphaned-soft',
}

const movement: Partial<Record<StateWord, string>> = {
  running: 'animate-pulse-slow',
  stopping: 'animate-fade-quick',
}

/** Hidden from assistive technology: the word beside it, or the name of its row, says the same. */
export function StateIcon({ state, className }: { state: StateWord; className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      data-state-shape={state}
      className={cn('size-4 shrink-0', stateInk[state], movement[state], className)}
    >
      {shapes[state]}
    </svg>
  )
}
