'use client'

/** A menu that opens from a button. Arrow keys move, typing jumps, Esc closes it and nothing else (U3). */
import { DropdownMenu as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'

const itemLook =
  'flex h-control cursor-default select-none items-center gap-2 rounded-control px-2 text-sm text-ink outline-none data-[highlighted]:bg-hover data-[disabled]:text-ink-faint [&_svg]:size-4 [&_svg]:shrink-0 [&_svg:not([data-state-shape])]:text-ink-faint'

/** `trigger` is the one button that opens it. */
export function Menu({
  trigger,
  children,
  align = 'end',
  open,
  onOpenChange,
}: {
  trigger: ReactNode
  children: ReactNode
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
}) {
  return (
    <Primitive.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="scroll-thin z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 animate-appear overflow-y-auto rounded-card border border-line bg-raised p-1 shadow-float outline-none"
        >
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

export function MenuItem({
  keys,
  children,
  className,
  ...rest
}: ComponentProps<typeof Primitive.Item> & { keys?: string }) {
  return (
    <Primitive.Item className={cn(itemLook, className)} {...rest}>
      {children}
      {keys && (
        <span className="ml-auto pl-4">
          <Kbd>{keys}</Kbd>
        </span>
      )}
    </Primitive.Item>
  )
}

/** An item that can be on or off; the menu stays open so that several can be chosen. */
export function MenuCheckItem({ children, className, ...rest }: ComponentProps<typeof Primitive.CheckboxItem>) {
  return (
    <Primitive.CheckboxItem
      className={cn(itemLook, 'group', className)}
      onSelect={(event) => event.preventDefault()}
      {...rest}
    >
      <span
        aria-hidden="true"
        className="flex size-4 items-center justify-center rounded-mark border border-line-control group-data-[state=checked]:border-accent group-data-[state=checked]:bg-accent"
      >
        <Primitive.ItemIndicator>
          <svg viewBox="0 0 16 16" className="size-3 text-accent-ink!" aria-hidden="true">
            <path d="m3.5 8.5 3 3 6-7" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
          </svg>
        </Primitive.ItemIndicator>
      </span>
      {children}
    </Primitive.CheckboxItem>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Primitive.Label className="px-2 pt-1.5 pb-1 font-medium text-ink-faint text-xs">{children}</Primitive.Label>
}

export function MenuSeparator() {
  return <Primitive.Separator className="my-1 h-px bg-line" />
}
