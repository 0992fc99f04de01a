/** One clock for the bench, the model double and the page: epoch milliseconds with a fraction. */
const offset = performance.timeOrigin + performance.now() - Number(process.hrtime.bigint()) / 1e6

/** Turns a stamp of `process.hrtime.bigint()` into epoch milliseconds. */
export function epochOf(stamp: bigint): number {
  return Number(stamp) / 1e6 + offset
}

export function epochNow(): number {
  return performance.timeOrigin + performance.now()
}
