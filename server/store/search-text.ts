/** The words of an event that the history can be searched for: prompts, replies (partial ones too), tool input and output (U8). */
import type { Block, SessionEvent } from '@/lib/contract/events'

/** The text as it was written; empty for events without any. */
export function searchTextOf(event: SessionEvent): string {
  switch (event.type) {
    case 'user.message':
    case 'assistant.message':
      return event.data.blocks.map(textOfBlock).filter(Boolean).join('\n')
    case 'tool.end':
      return event.data.output
    default:
      return ''
  }
}

/** How texts and queries are compared: in one Unicode form, without case, and without the NUL at which SQLite would end a text. */
export function foldForSearch(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('\0', ' ')
}

const around = 55

/** About 120 characters around the first place where the folded query stands in `text`, on one line. */
export function snippetOf(text: string, foldedQuery: string): string {
  const plain = text.normalize('NFC')
  const at = Math.max(0, foldForSearch(plain).indexOf(foldedQuery))
  const from = wholeCharacter(plain, Math.max(0, at - around))
  const to = wholeCharacter(plain, Math.min(plain.length, at + foldedQuery.length + around))
  const cut = plain.slice(from, to).replace(/\s+/g, ' ').trim()
  return `${from > 0 ? '…' : ''}${cut}${to < plain.length ? '…' : ''}`
}

/** Moves an index off the middle of a surrogate pair. */
function wholeCharacter(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  return unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index
}

function textOfBlock(block: Block): string {
  return block.type === 'tool-call' ? [block.name, ...leavesOf(block.input)].join('\n') : block.text
}

/** The values of a tool's input as a person would read them, not as JSON escapes them. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : []
}
