'use client'

/** A plan as a checklist. */
import { Check, Circle, CircleDot } from 'lucide-react'
import { cn } from '@/components/ui/cn'
import { type PlanItem, planItemSchema } from '@/lib/contract/events'

/** The items of an `update_plan` call; null while they cannot be read. */
export function planItems(input: unknown): readonly PlanItem[] | null {
  const items = (input as { items?: unknown } | null | undefined)?.items
  if (!Array.isArray(items)) return null
  return items.flatMap((item) => {
    const read = planItemSchema.safeParse(item)
    return read.success ? [read.data] : []
  })
}

const icons = { pending: Circle, 'in-progress': CircleDot, done: Check } as const
const words = { pending: 'to do', 'in-progress': 'in work', done: 'done' } as const

export function PlanList({ items }: { items: readonly PlanItem[] }) {
  return (
    <ul aria-label="Plan" className="border-line border-t px-3 py-2">
      {items.map((item, at) => {
        const Icon = icons[item.status]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the plan comes whole each time
          <li key={at} className="flex items-start gap-2 py-0.5">
            <Icon
              aria-hidden="true"
              className={cn('mt-1 size-3.5 shrink-0', item.status === 'done' ? 'text-state-done' : 'text-ink-faint')}
            />
            <span
              className={cn(item.status === 'done' && 'text-ink-muted', item.status === 'in-progress' && 'font-medium')}
            >
              {item.text} <span className="sr-only">({words[item.status]})</span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
