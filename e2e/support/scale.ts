/**
 * The one factor for everything in a case that only costs time: fixed waits and repetitions.
 * `BELAY_TEST_SCALE` is 0.1 in `npm test` and 1 in `npm run test:long`. Pass marks (within 2 s, within 300 ms) are never scaled.
 */
export const scale = readScale(process.env.BELAY_TEST_SCALE)

/** A fixed wait or a length of a case, in milliseconds, as long as this run plays it. */
export function waited(ms: number): number {
  return Math.round(ms * scale)
}

/** How often this run repeats what a case repeats `count` times. */
export function times(count: number, options: { readonly least?: number } = {}): number {
  return Math.max(options.least ?? 1, Math.round(count * scale))
}

/** Lets `ms` pass. For "nothing happens for so long" only: what does happen is awaited as a frame, never by time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function readScale(text: string | undefined): number {
  const factor = Number(text?.trim() || '0.1')
  if (!(factor > 0 && factor <= 10)) throw new Error(`BELAY_TEST_SCALE is a factor above 0: ${text}`)
  return factor
}
