/** How others notice that a tab is gone: it holds a Web Lock as long as it lives, and the platform lets go of it whatever happens. */

/** Takes a lock for the life of this page and returns its name; null where there are no locks (an insecure origin). */
export function holdTabLock(name: string): string | null {
  if (!hasLocks()) return null
  void navigator.locks.request(name, () => new Promise<void>(() => {}))
  return name
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
