'use client'

/** Time on the screen: one ticking clock for all, and the same first paint on server and browser. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from 'react'
import { compactTime, elapsedTime, fullTime, relativeTime } from '@/lib/client/format'

interface RenderedAt {
  /** When the server rendered the page, in milliseconds, and in which zone it writes times. */
  readonly now: number
  readonly timeZone: string | undefined
}

const RenderedContext = createContext<RenderedAt | null>(null)

export function ClockProvider({ now, timeZone, children }: RenderedAt & { children: ReactNode }) {
  return <RenderedContext value={{ now, timeZone }}>{children}</RenderedContext>
}

/** Now, in milliseconds, moving on in whole steps; one timer per step length, and none while nobody looks. */
export function useNow(stepMs: 1000 | 15_000): number {
  const rendered = useContext(RenderedContext)
  const ticker = tickers[stepMs]
  return useSyncExternalStore(ticker.subscribe, ticker.now, () => rendered?.now ?? ticker.now())
}

/** The zone to write times in: the server's while the page wakes up, then the reader's own. */
export function useTimeZone(): string | undefined {
  const rendered = useContext(RenderedContext)
  return useSyncExternalStore(
    stays,
    () => undefined,
    () => rendered?.timeZone,
  )
}

/** Relative up to an hour, then the clock; full on hover. `compact` leaves the clock off another day. */
export function TimeText({
  at,
  look = 'usual',
  className,
}: {
  at: string
  look?: 'usual' | 'compact'
  className?: string
}) {
  const now = useNow(15_000)
  const timeZone = useTimeZone()
  return (
    <time dateTime={at} title={fullTime(at, timeZone)} className={className}>
      {look === 'compact' ? compactTime(at, now, timeZone) : relativeTime(at, now, timeZone)}
    </time>
  )
}

/** A watch that runs since `since`. */
export function Elapsed({ since, className }: { since: string; className?: string }) {
  const now = useNow(1000)
  return <span className={`figures ${className ?? ''}`}>{elapsedTime(now - Date.parse(since))}</span>
}

class Ticker {
  #timer: ReturnType<typeof setInterval> | undefined
  #now = Date.now()
  readonly #listeners = new Set<() => void>()

  constructor(readonly stepMs: number) {}

  readonly now = (): number => {
    if (this.#timer === undefined && Date.now() - this.#now >= this.stepMs) this.#now = Date.now()
    return this.#now
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (this.#timer === undefined) {
      this.#now = Date.now()
      this.#timer = setInterval(this.#tick, this.stepMs)
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  readonly #tick = (): void => {
    this.#now = Date.now()
    for (const listener of this.#listeners) listener()
  }
}

const tickers = { 1000: new Ticker(1000), 15000: new Ticker(15_000) }

function stays(): () => void {
  return () => {}
}
