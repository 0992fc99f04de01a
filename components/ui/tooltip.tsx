'use client'

/** A word or two about a control, on hover and on focus. Never the only place where something is said. */
import { Tooltip as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Kbd } from '@/components/ui/kbd'

export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={500} skipDelayDuration={150}>
      {children}
    </Primitive.Provider>
  )
}

/** Works without a provider above it too, with its own delay. */
export function Tooltip({
  text,
  keys,
  side = 'bottom',
  children,
}: {
  text: ReactNode
  keys?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactNode
}) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 flex max-w-72 animate-appear items-center gap-2 rounded-control bg-strong px-2 py-1 text-strong-ink text-xs shadow-float"
        >
          <span>{text}</span>
          {keys && <Kbd onStrong>{keys}</Kbd>}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
