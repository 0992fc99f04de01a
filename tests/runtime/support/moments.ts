/** Observed moments: things a test waits for instead of sleeping. */

/** A promise with its two ends outside. */
export interface Moment<T = void> {
  readonly reached: Promise<T>
  readonly reach: (value: T) => void
}

export function moment<T = void>(): Moment<T> {
  let reach: (value: T) => void = () => {
    throw new Error('unreachable: the executor runs at once')
  }
  const reached = new Promise<T>((resolve) => {
    reach = resolve
  })
  return { reached, reach }
}

/** Resolves once everything that needs no outside event has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
}

/** Resolves when the signal aborts, also when it has already. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
