/** One line to type into. */
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'

export const fieldLook =
  'motion w-full min-w-0 rounded-control border border-line-control bg-surface text-ink hover:border-ink-faint aria-invalid:border-state-failed disabled:opacity-60'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return <input type={type} className={cn(fieldLook, 'h-control px-2.5 text-sm touch:text-lg', className)} {...rest} />
}
