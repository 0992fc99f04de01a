/** A choice from a list: the platform's own control, so that it is at home on every device. */
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'
import { fieldLook } from '@/components/ui/input'

/** `quiet` drops the edge for places where the choice is rarely made, a header for instance. */
export function Select({
  className,
  look = 'field',
  children,
  ...rest
}: ComponentProps<'select'> & { look?: 'field' | 'quiet' }) {
  return (
    <span className={cn('relative inline-flex min-w-0', className)}>
      <select
        className={cn(
          look === 'field'
            ? fieldLook
            : 'motion w-full min-w-0 rounded-control border border-transparent bg-transparent text-ink-muted hover:bg-hover hover:text-ink',
          'h-full min-h-control appearance-none truncate py-0 pr-7 pl-2.5 text-sm touch:text-lg',
          look === 'quiet' && 'field-sizing-content min-h-control-small pr-6 pl-1.5 text-xs touch:text-sm',
        )}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className={cn(
          'pointer-events-none absolute top-1/2 size-3.5 -translate-y-1/2 text-ink-faint',
          look === 'field' ? 'right-2' : 'right-1.5',
        )}
      />
    </span>
  )
}
