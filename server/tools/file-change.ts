/** What changed between two texts, by lines: counts and a bounded unified patch for a card on the screen. */
import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { linesOf } from './text-file'

/** For `meta` of a tool that changed a file. Without figures when the texts are too large to compare. */
export interface FileChange {
  readonly path: string
  readonly added?: number
  readonly removed?: number
  /** Unified hunks without file headers, at most 200 lines and 8,000 characters; the cut is marked. */
  readonly patch?: string
}

const contextLines = 3
const maxPatchLines = 200
const maxPatchCharacters = 8000
/** Together, in UTF-16 units: more is not compared. */
const maxCompared = 2 * 1024 * 1024
/** The comparison blocks the process, so it is given up above this many differences: the whole text then counts as replaced, which is right, only longer. */
const maxEditLength = 400

/** Compares two texts. `before` is null when the old text is not known. */
export function changeOf(path: string, before: string | null, after: string): FileChange {
  if (before === null || before.length + after.length > maxCompared) return { path }
  const options = { context: contextLines, maxEditLength }
  const hunks = structuredPatch(path, path, before, after, undefined, undefined, options)?.hunks ?? [
    wholeText(before, after),
  ]
  let added = 0
  let removed = 0
  const lines: string[] = []
  for (const hunk of hunks) {
    lines.push(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`)
    for (const line of hunk.lines) {
      if (line.startsWith('+')) added += 1
      else if (line.startsWith('-')) removed += 1
      lines.push(line)
    }
  }
  return { path, added, removed, patch: cut(lines) }
}

function wholeText(before: string, after: string): StructuredPatchHunk {
  const removed = linesOf(before)
  const added = linesOf(after)
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)],
  }
}

/** ` (+2 −1 lines)`, or nothing where nothing was counted. `more` stands inside the brackets. */
export function countsOf({ added, removed }: FileChange, more = ''): string {
  if (added === undefined || removed === undefined) return more === '' ? '' : ` (${more})`
  return ` (+${added} −${removed} lines${more === '' ? '' : `, ${more}`})`
}

function cut(lines: readonly string[]): string {
  const kept: string[] = []
  let units = 0
  for (const line of lines) {
    units += line.length + 1
    if (kept.length === maxPatchLines || units > maxPatchCharacters) {
      return [...kept, `[… ${lines.length - kept.length} more lines of the patch left out …]`].join('\n')
    }
    kept.push(line)
  }
  return kept.join('\n')
}
