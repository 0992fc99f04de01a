'use client'

/** An area that slides over the page from one side: list and tree on a phone. */
import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { scrimLook } from '@/components/ui/dialog'
import { IconButton } from '@/components/ui/icon-button'
import { useReturnFocus } from '@/components/ui/return-focus'

export function Sheet({
  open,
  onOpenChange,
  side,
  title,
  children,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  side: 'left' | 'right'
  title: string
  children: ReactNode
}) {
  const focus = useReturnFocus()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={scrimLook} />
        <Primitive.Content
          {...focus}
          aria-describedby={undefined}
          className={cn(
            'fixed inset-y-0 z-50 flex w-[min(320px,calc(100vw-48px))] flex-col bg-ground shadow-float',
            side === 'left' ? 'left-0 animate-from-left border-r' : 'right-0 animate-from-right border-l',
          )}
        >
          <Primitive.Title className="flex h-13 shrink-0 items-center px-4 font-semibold text-base">
            {title}
          </Primitive.Title>
          <div className="flex min-h-0 grow flex-col">{children}</div>
          {/* Last, so that the focus begins with the content. */}
          <Primitive.Close asChild>
            <IconButton label="Close" className="absolute top-1 right-2">
              <X />
            </IconButton>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
