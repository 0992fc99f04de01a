/** Joins class names; a later Tailwind class beats an earlier one of the same kind. Knows the names of tokens.css. */
import { type ClassValue, clsx } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ['prose'],
      radius: ['mark', 'control', 'card', 'composer'],
      spacing: ['control', 'control-small', 'row'],
      shadow: ['float'],
    },
  },
})

export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
