/** Long output cut for reading: the first and the last lines, and what lies between them counted. */
import type { OutputText } from '@/lib/projection/transcript-view'

const firstLines = 12
const lastLines = 12

export interface OutputView {
  readonly head: string
  /** Null when everything stands in `head`. */
  readonly tail: string | null
  /** Lines that are known but not shown. */
  readonly hidden: number
  /** Characters that were let go to keep to a bound. */
  readonly dropped: number
}

/** The cut of an output; with `all` only what is no longer known is missing. */
export function viewOfOutput(output: OutputText, show: 'ends' | 'all'): OutputView {
  const { dropped } = output
  const head = clean(output.head)
  const tail = clean(output.tail)
  if (show === 'all')
    return dropped > 0
      ? { head, tail, hidden: 0, dropped }
      : { head: trimEnd(head + tail), tail: null, hidden: 0, dropped }
  const lines = trimEnd(dropped > 0 ? `${head}\n${tail}` : head + tail).split('\n')
  if (lines.length <= firstLines + lastLines + 1) return { head: lines.join('\n'), tail: null, hidden: 0, dropped }
  return {
    head: lines.slice(0, firstLines).join('\n'),
    tail: lines.slice(-lastLines).join('\n'),
    hidden: lines.length - firstLines - lastLines,
    dropped,
  }
}

/** Terminal colours and cursor moves are no text. */
function clean(text: string): string {
  if (!text.includes('\u001b') && !text.includes('\r')) return text
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007/g, '')
      .replace(/\r\n/g, '\n')
      .replace(/[^\n]*\r(?=[^\n])/g, '')
  )
}

function trimEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
