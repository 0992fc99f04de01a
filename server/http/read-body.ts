/** Reads a request body without trusting its length, and parses it as JSON (W1). */
import { AppError } from '@/lib/contract/errors'
import { bodyLimit, tooLarge } from './guard'

/** The parsed body; an empty one counts as `{}`. At most the limit is ever held in memory. @throws AppError `too-large`, `invalid-request`. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const text = await readText(request)
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new AppError('invalid-request', 'The body is not valid JSON.')
  }
}

async function readText(request: Request): Promise<string> {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.byteLength
    if (size > bodyLimit) {
      reader.cancel().catch(() => undefined) // The sender has gone; nothing is left to release.
      throw tooLarge()
    }
    chunks.push(value)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, size))
  } catch {
    throw new AppError('invalid-request', 'The body is not valid UTF-8.')
  }
}
