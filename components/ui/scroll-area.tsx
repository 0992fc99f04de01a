/** A part of the page that scrolls by itself, reachable by keyboard. */
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'

export function ScrollArea({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={cn('scroll-thin min-h-0 overflow-y-auto overflow-x-hidden', className)} {...rest} />
}
