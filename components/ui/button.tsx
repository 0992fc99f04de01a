/** The button: 32 px high, 44 under a finger. `strong` is the neutral, solid one that the brake uses; red is for failure only. */
import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/components/ui/cn'

export const buttonLook = cva(
  'motion inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-control border font-medium disabled:opacity-50 aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      look: {
        accent: 'border-transparent bg-accent text-accent-ink hover:bg-accent-hover active:bg-accent-hover',
        strong:
          'border-transparent bg-strong text-strong-ink hover:bg-strong-hover focus-visible:bg-strong-hover active:bg-strong-hover',
        outline: 'border-line-strong bg-raised text-ink hover:bg-hover active:bg-selected',
        ghost:
          'border-transparent text-ink-muted hover:bg-hover hover:text-ink active:bg-selected data-[state=open]:bg-hover',
      },
      size: {
        control: 'h-control px-3 text-sm',
        small: 'h-control-small px-2 text-xs',
        icon: 'size-control p-0',
        'icon-small': 'size-control-small p-0',
      },
    },
    defaultVariants: { look: 'outline', size: 'control' },
  },
)

export type ButtonLook = VariantProps<typeof buttonLook>

/** `asChild` gives the look to the one child, a link for instance. */
export function Button({
  look,
  size,
  asChild,
  className,
  type,
  ...rest
}: ComponentProps<'button'> & ButtonLook & { asChild?: boolean }) {
  const classes = cn(buttonLook({ look, size }), className)
  if (asChild) return <Slot.Root className={classes} {...rest} />
  return <button type={type ?? 'button'} className={classes} {...rest} />
}
