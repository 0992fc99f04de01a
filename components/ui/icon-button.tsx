'use client'

/** A button that shows only an icon: its name is in `aria-label` and in the tooltip. */
import type { ComponentProps, ReactNode } from 'react'
import { Button, type ButtonLook } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'

export function IconButton({
  label,
  hint = label,
  keys,
  children,
  look = 'ghost',
  size = 'icon',
  ...rest
}: Omit<ComponentProps<'button'>, 'aria-label'> &
  ButtonLook & {
    label: string
    /** What the tooltip says, where the whole name would be too much. */
    hint?: string
    /** The key that does the same, shown in the tooltip. */
    keys?: string
    children: ReactNode
  }) {
  return (
    <Tooltip text={hint} keys={keys}>
      <Button look={look} size={size} aria-label={label} {...rest}>
        {children}
      </Button>
    </Tooltip>
  )
}
