'use client'

/** A question before something that cannot be taken back. The safe answer has the focus first. */
import { AlertDialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { scrimLook } from '@/components/ui/dialog'
import { useReturnFocus } from '@/components/ui/return-focus'

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  onConfirm,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  confirmLabel: string
  onConfirm: () => void
}) {
  const focus = useReturnFocus()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={scrimLook} />
        <Primitive.Content
          onOpenAutoFocus={focus.onOpenAutoFocus}
          onCloseAutoFocus={focus.onCloseAutoFocus}
          className="fixed top-[18vh] left-1/2 z-50 grid w-[calc(100vw-32px)] max-w-md -translate-x-1/2 animate-appear gap-4 rounded-card border border-line bg-raised p-5 shadow-float"
        >
          <div>
            <Primitive.Title className="font-semibold text-lg">{title}</Primitive.Title>
            <Primitive.Description className="mt-1 text-ink-muted text-sm">{description}</Primitive.Description>
          </div>
          <div className="flex flex-wrap justify-end gap-2">
            <Primitive.Cancel asChild>
              <Button>Cancel</Button>
            </Primitive.Cancel>
            <Primitive.Action asChild>
              <Button look="strong" onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </Primitive.Action>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
