'use client'

/** One of a few, all in sight. A radio group: arrow keys choose. */
import { RadioGroup } from 'radix-ui'
import { cn } from '@/components/ui/cn'

export interface Segment<T extends string> {
  readonly value: T
  readonly label: string
}

export function Segmented<T extends string>({
  label,
  value,
  onChange,
  segments,
  className,
  ...rest
}: {
  label: string
  value: T
  onChange: (value: T) => void
  segments: readonly Segment<T>[]
  className?: string
  id?: string
  'aria-describedby'?: string
}) {
  return (
    <RadioGroup.Root
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const chosen = segments.find((segment) => segment.value === next)
        if (chosen) onChange(chosen.value)
      }}
      className={cn('inline-flex rounded-control border border-line-control bg-surface p-0.5', className)}
      {...rest}
    >
      {segments.map((segment) => (
        <RadioGroup.Item
          key={segment.value}
          value={segment.value}
          className="motion h-[calc(var(--control)-6px)] grow whitespace-nowrap rounded-[4px] border border-transparent px-2.5 text-ink-muted text-sm hover:text-ink data-[state=checked]:border-line-strong data-[state=checked]:bg-selected data-[state=checked]:font-medium data-[state=checked]:text-ink"
        >
          {segment.label}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
