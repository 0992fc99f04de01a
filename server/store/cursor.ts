/** Opaque cursors of keyset pages: the sort key of the last row that was given out. */
import { AppError } from '@/lib/contract/errors'

export type Cursor = readonly [text: string, tie: string | number]

export function cursorOf(key: Cursor): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** @throws AppError `invalid-request` for a text that is no cursor of ours. */
export function parseCursor(text: string): Cursor {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (Array.isArray(key) && key.length === 2 && typeof key[0] === 'string' && /string|number/.test(typeof key[1])) {
      return [key[0], key[1] as string | number]
    }
  } catch {
    // not base64url of JSON: refused below
  }
  throw new AppError('invalid-request', 'The cursor is not one that this server gave out.')
}
