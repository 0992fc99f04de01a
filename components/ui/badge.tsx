/** A short fact beside a name: a count, a mode, a model. Neutral; states have their own mark. */
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'

export function Badge({ className, ...rest }: ComponentProps<'span'>) {
  return (
    <span
      className={cn(
        'figures inline-flex h-5 items-center gap-1 rounded-mark border border-line-strong px-1.5 text-ink-muted text-xs',
        className,
      )}
      {...rest}
    />
  )
}
