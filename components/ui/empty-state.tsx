/** What stands where nothing is: says why, and what to do. */
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

export function EmptyState({
  title,
  children,
  actions,
  className,
}: {
  title: string
  children?: ReactNode
  actions?: ReactNode
  className?: string
}) {
  return (
    <div className={cn('grid justify-items-center gap-1 px-6 py-10 text-center', className)}>
      <p className="font-medium text-base text-ink">{title}</p>
      {children && <div className="max-w-[52ch] text-ink-muted text-sm">{children}</div>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}
