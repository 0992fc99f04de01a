/** A state as shape, colour and word. */
import { cn } from '@/components/ui/cn'
import { StateIcon, stateInk, stateTint } from '@/components/ui/state-icon'
import { stateWords } from '@/components/ui/state-text'
import type { StateWord } from '@/lib/contract/session'

/** `text` replaces the plain word where more is known ("Paused, 2 waiting"). `tinted` puts it on its own soft ground. */
export function StateMark({
  state,
  text = stateWords[state],
  tinted = false,
  className,
}: {
  state: StateWord
  text?: string
  tinted?: boolean
  className?: string
}) {
  return (
    <span
      data-state-word={state}
      className={cn(
        'inline-flex min-w-0 items-center gap-1.5 font-medium text-xs',
        stateInk[state],
        tinted && ['h-5.5 rounded-full pr-2 pl-1', stateTint[state]],
        className,
      )}
    >
      <StateIcon state={state} />
      <span className="truncate">{text}</span>
    </span>
  )
}
