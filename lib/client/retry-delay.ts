/** How long to wait before the next try: doubling, with jitter so that many tabs and browsers do not come at once. */

const shortest = 250
const longest = 15_000
/** A server that said goodbye is usually on its way back. */
const longestAfterGoodbye = 3_000

/** Milliseconds. `failures` counts the tries that failed in a row, from 0; `random` is in [0, 1). */
export function retryDelay(failures: number, why: 'goodbye' | 'no-answer', random: number): number {
  const most = why === 'goodbye' ? longestAfterGoodbye : longest
  const base = Math.min(most, shortest * 2 ** Math.min(failures, 10))
  return Math.round(base * (0.75 + random * 0.5))
}
