/** How others notice that a tab is gone: it holds a Web Lock as long as it lives, and the platform lets go of it whatever happens. */

/**
 * Takes a lock for the life of this page; `held` is called once the page has it, and never where there are no locks (an insecure
 * origin). Whoever is told of the lock earlier may be quicker in asking for it, and take this page for gone.
 */
export function holdTabLock(name: string, held: () => void): void {
  if (!hasLocks()) return
  void navigator.locks.request(name, () => {
    held()
    return new Promise<void>(() => {})
  })
}

/** Calls back when the holder of that lock is gone. */
export function whenLockIsFree(name: string, run: () => void): void {
  if (!hasLocks()) return
  void navigator.locks.request(name, () => run())
}

/** Whether this place has Web Locks: not on an insecure origin. */
export function hasLocks(): boolean {
  return typeof navigator !== 'undefined' && navigator.locks !== undefined
}

/** A random name, also where `crypto.randomUUID` is missing. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
