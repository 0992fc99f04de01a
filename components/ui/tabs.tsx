'use client'

/** Views of one thing side by side, one shown. */
import { Tabs as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TabItem {
  readonly value: string
  readonly label: string
  readonly content: ReactNode
}

export function Tabs({
  label,
  items,
  defaultValue,
}: {
  label: string
  items: readonly TabItem[]
  defaultValue?: string
}) {
  return (
    <Primitive.Root defaultValue={defaultValue ?? items[0]?.value} className="grid min-w-0 gap-3">
      <Primitive.List aria-label={label} className="flex gap-4 border-line border-b">
        {items.map((item) => (
          <Primitive.Trigger
            key={item.value}
            value={item.value}
            className="motion focus-inset -mb-px h-control border-transparent border-b-2 px-0.5 font-medium text-ink-muted text-sm hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {item.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {items.map((item) => (
        <Primitive.Content key={item.value} value={item.value} className="min-w-0">
          {item.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
