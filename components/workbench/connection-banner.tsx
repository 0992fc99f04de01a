'use client'

/** Says at once that the server does not answer, since when, and when it is tried again (U9). */
import { Unplug } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { useNow, useTimeZone } from '@/components/ui/clock'
import { clockTime } from '@/lib/client/format'

export interface ConnectionBannerProps {
  readonly status: 'open' | 'connecting' | 'lost'
  /** When the server was last heard, in milliseconds; null while it never was. */
  readonly since: number | null
  /** When it is tried again, in milliseconds; null while a try is under way. */
  readonly retryAt: number | null
  /** `goodbye`: the server said that it is going down. */
  readonly why: 'goodbye' | 'no-answer' | null
  readonly retryNow: () => void
}

export function ConnectionBanner({ status, ...loss }: ConnectionBannerProps) {
  return status === 'lost' ? <LostBanner {...loss} /> : null
}

function LostBanner({ since, retryAt, why, retryNow }: Omit<ConnectionBannerProps, 'status'>) {
  const now = useNow(1000)
  const timeZone = useTimeZone()
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - now) / 1000))
  return (
    <section
      aria-label="Connection"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b bg-state-stopping-soft px-4 py-1.5 text-ink text-sm"
    >
      <Unplug aria-hidden="true" className="size-4 shrink-0 text-state-stopping" />
      <p role="alert" className="font-medium">
        {why === 'goodbye' ? 'The server was shut down' : 'The server does not answer'}
        {since !== null && ` (since ${clockTime(since, timeZone, 'seconds')})`}.
      </p>
      <p className="figures">
        What you see may be old. {seconds > 0 ? `Trying again in ${seconds} s` : 'Trying again now'}
      </p>
      <Button size="small" onClick={retryNow} className="ml-auto">
        Now
      </Button>
    </section>
  )
}
