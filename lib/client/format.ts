/** How the screen writes times, durations and token counts. All in one fixed locale, so that server and browser write the same. */
import type { Usage } from '@/lib/contract/events'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** "12:04", or "12:04:31" with seconds. `timeZone` is an IANA name; without it the reader's own. */
export function clockTime(
  at: string | number,
  timeZone?: string,
  precision: 'minutes' | 'seconds' = 'minutes',
): string {
  return format(at, {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    second: precision === 'seconds' ? '2-digit' : undefined,
    hourCycle: 'h23',
  })
}

/** Relative up to an hour, then the clock, with the day once it is another one: "now", "42 s ago", "5 min ago", "12:04", "29 Nov 12:04", "29 Nov 2024". */
export function relativeTime(at: string, now: number, timeZone?: string): string {
  const age = now - Date.parse(at)
  if (age < 10 * second) return 'now'
  if (age < minute) return `${Math.floor(age / second)} s ago`
  if (age < hour) return `${Math.floor(age / minute)} min ago`
  const day = (time: string | number) => format(time, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
  if (day(at) === day(now)) return clockTime(at, timeZone)
  if (format(at, { timeZone, year: 'numeric' }) !== format(now, { timeZone, year: 'numeric' })) return day(at)
  return `${format(at, { timeZone, day: 'numeric', month: 'short' })} ${clockTime(at, timeZone)}`
}

/** The same in the least room: another day stands without its clock. "42 s ago", "12:04", "29 Nov". */
export function compactTime(at: string, now: number, timeZone?: string): string {
  return relativeTime(at, now, timeZone).replace(/ \d\d:\d\d$/, '')
}

/** All of it, for a hover: "Sunday 30 November 2025, 12:04:31". */
export function fullTime(at: string, timeZone?: string): string {
  const day = format(at, { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return `${day.replace(',', '')}, ${clockTime(at, timeZone, 'seconds')}`
}

/** A running watch: "0:42", "12:03", "1:02:03". Never negative. */
export function elapsedTime(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / second))
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}

/** How long something took: "340 ms", "3.2 s", then as the watch says. */
export function durationText(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 10 * second) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`
  return elapsedTime(ms)
}

/** "812", "3.4k", "120k", "1.2M". */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 9950) return `${(count / 1000).toFixed(1)}k`
  if (count < 999_500) return `${Math.round(count / 1000)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** "3,412". */
export function exactCount(count: number): string {
  return count.toLocaleString('en-GB')
}

/** All tokens of a usage, "3.4k"; led by "≈" where the count was estimated because the provider's word was cut off. */
export function shortUsage(usage: Usage): string {
  return `${usage.estimated ? '≈' : ''}${shortCount(usage.inputTokens + usage.outputTokens)}`
}

/** "3,412 in, 120 out", "≈" before estimates. */
export function exactUsage(usage: Usage): string {
  const about = usage.estimated ? '≈' : ''
  return `${about}${exactCount(usage.inputTokens)} in, ${about}${exactCount(usage.outputTokens)} out`
}

/** The end of a path that still tells it apart: "…/code/shop". */
export function shortPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '')
  return parts.length <= 2 ? path : `…/${parts.slice(-2).join('/')}`
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(at: string | number, options: Intl.DateTimeFormatOptions): string {
  const key = JSON.stringify(options)
  let found = formats.get(key)
  if (!found) {
    found = new Intl.DateTimeFormat('en-GB', options)
    formats.set(key, found)
  }
  return found.format(new Date(at))
}
