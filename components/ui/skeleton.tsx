/** The place of something that is on its way. Only for what is not known yet; never for what the server already sent. */
import { cn } from '@/components/ui/cn'

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden="true" className={cn('block h-4 rounded-mark bg-hover', className)} />
}

/** A few rows of it, and the word for those who cannot see them. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" className="grid gap-3 p-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => `row ${row}`).map((row) => (
        <div key={row} className="grid gap-1.5 even:pr-[20%]">
          <Skeleton className="w-4/5" />
          <Skeleton className="h-3 w-2/5" />
        </div>
      ))}
    </div>
  )
}
