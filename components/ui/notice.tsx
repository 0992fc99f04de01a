/** A sentence that must be read, in the flow of the page: a plain note, something that needs care, a failure. */
import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

export type NoticeTone = 'plain' | 'care' | 'failure'

const looks: Record<NoticeTone, { icon: typeof Info; box: string; ink: string }> = {
  plain: { icon: Info, box: 'border-line bg-ground', ink: 'text-ink-faint' },
  care: { icon: TriangleAlert, box: 'border-state-stopping/40 bg-state-stopping-soft', ink: 'text-state-stopping' },
  failure: { icon: CircleAlert, box: 'border-state-failed/40 bg-state-failed-soft', ink: 'text-state-failed' },
}

export function Notice({
  tone = 'plain',
  children,
  actions,
  className,
}: {
  tone?: NoticeTone
  children: ReactNode
  actions?: ReactNode
  className?: string
}) {
  const { icon: Icon, box, ink } = looks[tone]
  return (
    <div
      role={tone === 'failure' ? 'alert' : undefined}
      className={cn(
        'flex flex-wrap items-start gap-x-2 gap-y-2 rounded-card border px-3 py-2 text-ink text-sm',
        box,
        className,
      )}
    >
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', ink)} />
      <div className="min-w-0 grow basis-40">{children}</div>
      {actions && <div className="flex gap-2">{actions}</div>}
    </div>
  )
}
