/** What changed between two texts, by lines: counts and a bounded unified patch for a card on the screen. */
import { linesOf } from './text-file'

/** For `meta` of a tool that changed a file. */
export interface FileChange {
  readonly path: string
  readonly added: number
  readonly removed: number
  /** Unified hunks without file headers, at most 200 lines and 8,000 characters; the cut is marked. */
  readonly patch: string
}

const contextLines = 3
const maxPatchLines = 200
const maxPatchCharacters = 8000
/** Above this many differences the changed middle is shown as one block, which is still right, only longer. */
const maxDifferences = 400

type Step = { readonly kind: ' ' | '-' | '+'; readonly line: string }

export function changeOf(path: string, before: string, after: string): FileChange {
  const steps = diff(linesOf(before), linesOf(after))
  return {
    path,
    added: steps.filter((step) => step.kind === '+').length,
    removed: steps.filter((step) => step.kind === '-').length,
    patch: boundedPatch(steps),
  }
}

function diff(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1
  }
  return [
    ...steps(' ', before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...steps(' ', before.slice(before.length - end)),
  ]
}

/** Myers' shortest edit script, given up when the texts differ too much. */
function diffMiddle(before: readonly string[], after: readonly string[]): Step[] {
  const trail: Map<number, number>[] = []
  const furthest = new Map([[1, 0]])
  for (let d = 0; d <= Math.min(before.length + after.length, maxDifferences); d++) {
    trail.push(new Map(furthest))
    for (let k = -d; k <= d; k += 2) {
      let x = goesDown(furthest, k, d) ? reach(furthest, k + 1) : reach(furthest, k - 1) + 1
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1
      furthest.set(k, x)
      if (x >= before.length && x - k >= after.length) return walkBack(before, after, trail)
    }
  }
  return [...steps('-', before), ...steps('+', after)]
}

function walkBack(before: readonly string[], after: readonly string[], trail: readonly Map<number, number>[]): Step[] {
  const found: Step[] = []
  let x = before.length
  let y = after.length
  for (let d = trail.length - 1; d >= 0; d--) {
    const furthest = trail[d] ?? new Map<number, number>()
    const k = x - y
    const previous = goesDown(furthest, k, d) ? k + 1 : k - 1
    const fromX = reach(furthest, previous)
    const fromY = fromX - previous
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1
      y -= 1
      found.push({ kind: ' ', line: before[x] ?? '' })
    }
    if (d === 0) break
    if (x === fromX) found.push({ kind: '+', line: after[fromY] ?? '' })
    else found.push({ kind: '-', line: before[fromX] ?? '' })
    x = fromX
    y = fromY
  }
  return found.reverse()
}

function goesDown(furthest: ReadonlyMap<number, number>, k: number, d: number): boolean {
  return k === -d || (k !== d && reach(furthest, k - 1) < reach(furthest, k + 1))
}

function reach(furthest: ReadonlyMap<number, number>, k: number): number {
  return furthest.get(k) ?? -1
}

function steps(kind: Step['kind'], lines: readonly string[]): Step[] {
  return lines.map((line) => ({ kind, line }))
}

/** Hunks with three lines of context. */
function boundedPatch(all: readonly Step[]): string {
  const wanted = nearChanges(all)
  const lines: string[] = []
  let oldLine = 1
  let newLine = 1
  for (let i = 0; i < all.length; ) {
    let end = i
    while (end < all.length && wanted[end]) end += 1
    const hunk = all.slice(i, Math.max(end, i + 1))
    const oldCount = hunk.filter((step) => step.kind !== '+').length
    const newCount = hunk.filter((step) => step.kind !== '-').length
    if (end > i) {
      lines.push(`@@ -${position(oldLine, oldCount)} +${position(newLine, newCount)} @@`)
      lines.push(...hunk.map((step) => step.kind + step.line))
    }
    i += hunk.length
    oldLine += oldCount
    newLine += newCount
  }
  return cut(lines)
}

/** For each step, whether it stands within the context of a change. */
function nearChanges(all: readonly Step[]): boolean[] {
  const near = new Array<boolean>(all.length).fill(false)
  all.forEach((step, i) => {
    if (step.kind !== ' ') near.fill(true, Math.max(0, i - contextLines), i + contextLines + 1)
  })
  return near
}

function position(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : `${line},${count}`
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
