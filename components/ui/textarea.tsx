/** Several lines to type into. */
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'
import { fieldLook } from '@/components/ui/input'

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      className={cn(fieldLook, 'scroll-thin min-h-20 resize-y px-2.5 py-1.5 text-base touch:text-lg', className)}
      {...rest}
    />
  )
}
