/** Text that grows: cut into chunks at places where markdown allows it, so that only the last chunk is parsed again while it streams (U9). */

/** Below this many UTF-16 units a prose chunk is not closed at a blank line: short answers stay whole. */
const proseAtLeast = 800
/** Above this many units a chunk is cut even where markdown would not: the page must keep its pace. */
const proseAtMost = 4_000
const codeLinesAtMost = 60
const codeAtMost = 8_000

export interface TextChunk {
  readonly kind: 'prose' | 'code'
  /** The exact source: all `raw` of a text joined give the text. */
  readonly raw: string
  /** Code only: the word after the fence. */
  readonly lang: string
  /** Code only: the marks that opened the block, so that its end is known. */
  readonly fence: string
  /** False for a piece that carries on what the chunk before it began. */
  readonly first: boolean
  /** False for a piece that the next chunk carries on. */
  readonly last: boolean
}

export interface FlowText {
  readonly chunks: readonly TextChunk[]
  /** In UTF-16 units, as the offsets of deltas are. */
  readonly length: number
  /** No more text will come. */
  readonly closed: boolean
}

export const emptyText: FlowText = { chunks: [], length: 0, closed: false }

/** The whole text. */
export function textOf(flow: FlowText): string {
  return flow.chunks.map((chunk) => chunk.raw).join('')
}

/** A text that is complete already. */
export function wholeText(text: string): FlowText {
  return closeText(appendText(emptyText, text))
}

/** Adds `piece`; every chunk but the last keeps its identity. */
export function appendText(flow: FlowText, piece: string): FlowText {
  if (piece === '') return flow
  const chunks = flow.chunks.slice()
  let open: TextChunk | undefined = grown(chunks.pop() ?? prose(''), piece)
  while (open) {
    const cut: Cut | null = open.kind === 'code' ? cutCode(open) : cutProse(open)
    chunks.push(cut ? cut.done : open)
    open = cut?.rest
  }
  return { chunks, length: flow.length + piece.length, closed: false }
}

/** Says that nothing follows. */
export function closeText(flow: FlowText): FlowText {
  return flow.closed ? flow : { ...flow, closed: true }
}

/** What a code chunk shows: its lines without the fences. While the text is open, a last line that may become the closing fence is held back. */
export function codeOf(chunk: TextChunk): string {
  let body = chunk.raw
  if (chunk.first) body = body.slice(body.indexOf('\n') + 1)
  const lineStart = body.endsWith('\n') ? body.lastIndexOf('\n', body.length - 2) + 1 : body.lastIndexOf('\n') + 1
  const lastLine = body.slice(lineStart).trim()
  if (chunk.last && lastLine !== '' && isFenceMark(lastLine, chunk.fence)) body = body.slice(0, lineStart)
  return body.endsWith('\n') ? body.slice(0, -1) : body
}

interface Cut {
  readonly done: TextChunk
  readonly rest: TextChunk | undefined
}

function prose(raw: string, first = true): TextChunk {
  return { kind: 'prose', raw, lang: '', fence: '', first, last: true }
}

function grown(chunk: TextChunk, piece: string): TextChunk {
  return { ...chunk, raw: chunk.raw + piece }
}

/** Where the open prose chunk may be closed: before a fence, at a blank line, or, when it has grown too long, wherever a line or a word ends. */
function cutProse(chunk: TextChunk): Cut | null {
  const { raw } = chunk
  let innerFence = ''
  let afterBlank = false
  for (let at = 0; at < raw.length; ) {
    const newline = raw.indexOf('\n', at)
    const whole = newline !== -1
    const line = whole ? raw.slice(at, newline) : raw.slice(at)
    const fence = openingFence(line)
    if (innerFence === '' && fence && fence.indent === 0 && whole) {
      if (at > 0) return { done: { ...chunk, raw: raw.slice(0, at) }, rest: prose(raw.slice(at)) }
      const code: TextChunk = { kind: 'code', raw, lang: fence.lang, fence: fence.marks, first: true, last: true }
      return cutCode(code) ?? { done: code, rest: undefined }
    }
    if (innerFence === '' && afterBlank && at >= proseAtLeast && beginsBlock(line, whole)) {
      return { done: { ...chunk, raw: raw.slice(0, at) }, rest: prose(raw.slice(at)) }
    }
    if (fence && innerFence === '') innerFence = fence.marks
    else if (innerFence !== '' && isFenceMark(line.trim(), innerFence)) innerFence = ''
    if (at + line.length > proseAtMost) return cutLong(chunk, at)
    if (!whole) break
    afterBlank = line.trim() === ''
    at = newline + 1
  }
  return null
}

/** No good place was found in time: cut at the last line end, else at a space, else anywhere but inside a surrogate pair. */
function cutLong(chunk: TextChunk, lineStart: number): Cut {
  const { raw } = chunk
  let at = lineStart > proseAtLeast ? lineStart : raw.lastIndexOf(' ', proseAtMost) + 1
  if (at < proseAtLeast) at = proseAtMost
  if (isHighSurrogate(raw.charCodeAt(at - 1))) at += 1
  return { done: { ...chunk, raw: raw.slice(0, at), last: false }, rest: prose(raw.slice(at), false) }
}

function cutCode(chunk: TextChunk): Cut | null {
  const { raw } = chunk
  let lines = 0
  for (let at = chunk.first ? raw.indexOf('\n') + 1 : 0; at < raw.length; ) {
    const newline = raw.indexOf('\n', at)
    if (newline === -1) {
      if (raw.length - at <= codeAtMost) return null
      const end = isHighSurrogate(raw.charCodeAt(at + codeAtMost - 1)) ? at + codeAtMost + 1 : at + codeAtMost
      return continued(chunk, end)
    }
    if (isFenceMark(raw.slice(at, newline).trim(), chunk.fence)) {
      const rest = raw.slice(newline + 1)
      // The rest is empty until more text comes; an empty prose chunk keeps the closed block closed.
      return { done: { ...chunk, raw: raw.slice(0, newline + 1) }, rest: prose(rest) }
    }
    lines += 1
    at = newline + 1
    if (lines >= codeLinesAtMost || at > codeAtMost) return at < raw.length ? continued(chunk, at) : null
  }
  return null
}

function continued(chunk: TextChunk, at: number): Cut {
  return {
    done: { ...chunk, raw: chunk.raw.slice(0, at), last: false },
    rest: { ...chunk, raw: chunk.raw.slice(at), first: false },
  }
}

function openingFence(line: string): { marks: string; lang: string; indent: number } | null {
  const found = /^(\s*)(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line)
  if (!found) return null
  return { indent: found[1]?.length ?? 0, marks: found[2] ?? '', lang: found[3] ?? '' }
}

/** A line that closes (or, still growing, may close) a block opened by `fence`. */
function isFenceMark(line: string, fence: string): boolean {
  return line.length >= fence.length && line === (fence[0] ?? '`').repeat(line.length)
}

/** After a blank line: does this line begin a block of its own, and not go on with a list, a quote or a table? Undecided while too little of it is known. */
function beginsBlock(line: string, whole: boolean): boolean {
  if (!whole && line.length < 4) return false
  return line.trim() !== '' && !/^(\s|[-*+]\s|\d+[.)]|>|\|)/.test(line)
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
