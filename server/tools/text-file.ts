/** Text as it stands in a file: decoded, with the byte-order mark and the line ends remembered. */
import { quoted, ToolFault } from './tool-fault'

const byteOrderMark = '\ufeff'
const sniffedBytes = 8192

export interface TextFile {
  /** Without the byte-order mark, line ends as they are. */
  readonly text: string
  readonly hasByteOrderMark: boolean
}

/** Decodes for reading: a broken UTF-8 sequence becomes U+FFFD. @throws ToolFault when the file is binary (a NUL early in it). */
export function decodeForReading(bytes: Buffer, shown: string): TextFile {
  if (looksBinary(bytes)) throw new ToolFault(`${quoted(shown)} is a binary file and cannot be shown as text.`)
  return withoutMark(bytes.toString('utf8'))
}

/** Decodes for editing: nothing may get lost on the way back. @throws ToolFault when the file is binary or not UTF-8. */
export function decodeForEditing(bytes: Buffer, shown: string): TextFile {
  if (looksBinary(bytes)) throw new ToolFault(`${quoted(shown)} is a binary file and cannot be edited as text.`)
  try {
    return withoutMark(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    // The decoder's only complaint is a broken sequence.
    throw new ToolFault(`${quoted(shown)} is not UTF-8 text and cannot be edited without damage.`)
  }
}

/** The bytes of a file, its byte-order mark put back. */
export function encode(file: TextFile): Buffer {
  return Buffer.from(file.hasByteOrderMark ? byteOrderMark + file.text : file.text, 'utf8')
}

/** True when a NUL stands among the first bytes, which no text in UTF-8 has. */
export function looksBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, sniffedBytes).includes(0)
}

/** The lines of a text without their ends (`\n` or `\r\n`); a final line end opens no further line. */
export function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function withoutMark(text: string): TextFile {
  const hasByteOrderMark = text.startsWith(byteOrderMark)
  return { text: hasByteOrderMark ? text.slice(1) : text, hasByteOrderMark }
}
