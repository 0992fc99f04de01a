'use client'

/** A window over the page: focus goes in, Esc closes it, focus comes back. */
import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { useReturnFocus } from '@/components/ui/return-focus'

export const scrimLook = 'fixed inset-0 z-40 animate-appear bg-scrim'

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  className,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  children?: ReactNode
  actions?: ReactNode
  className?: string
}) {
  const focus = useReturnFocus()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={scrimLook} />
        <Primitive.Content
          {...focus}
          {...(description === undefined && { 'aria-describedby': undefined })}
          className={cn(
            'scroll-thin fixed top-[12vh] left-1/2 z-50 grid max-h-[80dvh] w-[calc(100vw-32px)] max-w-md -translate-x-1/2 animate-appear gap-4 overflow-y-auto rounded-card border border-line bg-raised p-5 shadow-float',
            className,
          )}
        >
          <div className="pr-8">
            <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
            {description && (
              <Primitive.Description className="mt-1 text-ink-muted text-sm">{description}</Primitive.Description>
            )}
          </div>
          {children}
          {actions && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
          {/* Last, so that the focus begins with what the dialog is about. */}
          <Primitive.Close asChild>
            <IconButton label="Close" size="icon-small" className="absolute top-3.5 right-3.5">
              <X />
            </IconButton>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
