/** A key, as it stands on the keyboard. */
import { cn } from '@/components/ui/cn'

export function Kbd({ children, onStrong }: { children: string; onStrong?: boolean }) {
  return (
    <kbd
      className={cn(
        'inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-mark border px-1 font-sans text-xs leading-none',
        onStrong ? 'border-current/40' : 'border-line-strong text-ink-faint',
      )}
    >
      {children}
    </kbd>
  )
}
