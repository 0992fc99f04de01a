'use client'

/** One of a few, all in sight. The platform's own radio buttons below the look: arrow keys choose. */
import { useId } from 'react'
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
  'aria-describedby'?: string | undefined
}) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={cn('inline-flex rounded-control border border-line-control bg-surface p-0.5', className)}
      {...rest}
    >
      {segments.map((segment) => (
        <label
          key={segment.value}
          className="motion relative inline-flex h-[calc(var(--control)-6px)] grow cursor-pointer items-center justify-center whitespace-nowrap rounded-[4px] border border-transparent px-2.5 text-ink-muted text-sm hover:text-ink has-checked:border-line-strong has-checked:bg-selected has-checked:font-medium has-checked:text-ink has-checked:forced-colors:border-[Highlight] has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2"
        >
          <input
            type="radio"
            name={name}
            value={segment.value}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {segment.label}
        </label>
      ))}
    </div>
  )
}
