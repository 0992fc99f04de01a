/** What `@/components/live/live` is replaced by: the live connection that the test gives. A file of its own, so that it imports nothing that imports it. */
import type { Live } from '@/components/live/live'

let current: Live | null = null

export function live(): Live {
  if (!current) throw new Error('call givenComposer first')
  return current
}

export function setLive(given: Live): void {
  current = given
}
