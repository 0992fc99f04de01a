/** A label, what it labels, and a plain sentence below: the hint, or what is wrong. */
import { type ReactNode, useId } from 'react'

export function Field({
  label,
  hint,
  problem,
  children,
}: {
  label: string
  hint?: ReactNode
  problem?: string | null
  children: (wiring: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}) {
  const id = useId()
  const below = problem ?? hint
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1">
      <label htmlFor={id} className="font-medium text-ink-muted text-xs">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': below ? `${id}-hint` : undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {below && (
        <p
          id={`${id}-hint`}
          role={problem ? 'alert' : undefined}
          className={problem ? 'text-state-failed text-xs' : 'text-ink-faint text-xs'}
        >
          {below}
        </p>
      )}
    </div>
  )
}
