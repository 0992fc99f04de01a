/** What the store says when its file cannot be used. Written for a person; never sent over the wire as it is (W1 `internal`). */

export type StoreErrorCode = 'corrupt' | 'newer-schema' | 'foreign' | 'not-writable' | 'disk-full' | 'busy' | 'failed'

export class StoreError extends Error {
  override readonly name = 'StoreError'

  constructor(
    readonly code: StoreErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Puts a driver's or the file system's error into words that name the file and the way out (L7). */
export function storeErrorOf(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const words = (storeCode: StoreErrorCode, message: string) => new StoreError(storeCode, message, { cause: error })
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB')) return corrupt(file, error)
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC' || code === 'EDQUOT') {
    return words(
      'disk-full',
      `The disk that holds ${file} is full. Nothing was written; free some space and try again.`,
    )
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return words('busy', `${file} is in use by another program. Close it and try again.`)
  }
  if (
    /^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR)|EACCES|EPERM|EROFS|ENOTDIR|EISDIR|EEXIST|ENOENT|ConnectionFailed)/.test(
      code,
    )
  ) {
    return words(
      'not-writable',
      `Belay cannot write its data file ${file}. Check that BELAY_HOME is a folder you may write to.`,
    )
  }
  return words('failed', `The data file ${file} could not be used.`)
}

export function corrupt(file: string, cause?: unknown): StoreError {
  return new StoreError(
    'corrupt',
    `${file} is damaged or is not a Belay database. It was left as it is: restore a copy of it, or move it away to start with an empty one.`,
    { cause },
  )
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code
  return error instanceof Error ? error.message : ''
}
