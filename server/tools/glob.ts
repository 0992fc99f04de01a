/** Matches paths against glob patterns: `*` and `?` within a name, `**` over folders, `{a,b}`, `[a-z]`. In time that grows with the product of the lengths, whatever the pattern. */
import { ToolFault } from './tool-fault'

const maxPatternLength = 1000
const maxAlternatives = 200

/** Takes a path with `/` between its names, relative, and says whether the whole of it matches. */
export type GlobMatcher = (path: string) => boolean

/** A leading `./` or `/` is ignored; a trailing `/` stands for everything below. @throws ToolFault when the pattern is empty, too long or has too many alternatives. */
export function compileGlob(pattern: string): GlobMatcher {
  if (pattern.length > maxPatternLength) throw new ToolFault('The glob pattern is too long.')
  const plain = pattern.replace(/^(\.?\/)+/, '').replace(/\/$/, '/**')
  if (plain === '') throw new ToolFault('The glob pattern is empty.')
  const alternatives = expandBraces(plain).map((one) => one.split('/').filter((name) => name !== ''))
  return (path) => {
    const names = path.split('/')
    return alternatives.some((wanted) => namesMatch(wanted, names))
  }
}

function expandBraces(pattern: string): string[] {
  const done: string[] = []
  const waiting = [pattern]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (done.length + waiting.length > maxAlternatives)
      throw new ToolFault('The glob pattern has too many alternatives.')
    const found = firstBraces(next)
    if (!found) done.push(next)
    else for (const option of found.options.reverse()) waiting.push(found.before + option + found.after)
  }
  return done
}

/** The first complete `{…,…}`; braces without a comma or a partner stand for themselves. */
function firstBraces(pattern: string): { before: string; options: string[]; after: string } | undefined {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const options: string[] = []
    let depth = 0
    let from = start + 1
    for (let i = start; i < pattern.length; i++) {
      const unit = pattern[i]
      if (unit === '{') depth += 1
      if (unit === ',' && depth === 1) {
        options.push(pattern.slice(from, i))
        from = i + 1
      }
      if (unit === '}') depth -= 1
      if (depth === 0) {
        if (options.length === 0) break
        options.push(pattern.slice(from, i))
        return { before: pattern.slice(0, start), options, after: pattern.slice(i + 1) }
      }
    }
  }
  return undefined
}

/** `reached[j]`: the first i wanted names can match the first j names. */
function namesMatch(wanted: readonly string[], names: readonly string[]): boolean {
  let reached = names.map(() => false)
  reached = [true, ...reached]
  for (const want of wanted) {
    const next = new Array<boolean>(names.length + 1).fill(false)
    if (want === '**') {
      let any = false
      reached.forEach((is, j) => {
        any ||= is
        next[j] = any
      })
    } else {
      names.forEach((name, j) => {
        next[j + 1] = reached[j] === true && nameMatches(want, name)
      })
    }
    reached = next
  }
  return reached.at(-1) === true
}

/** The usual two-pointer walk: on a mismatch the last `*` takes one more character. */
function nameMatches(pattern: string, name: string): boolean {
  let p = 0
  let n = 0
  let star = -1
  let mark = 0
  while (n < name.length) {
    const item = p < pattern.length ? itemAt(pattern, p) : undefined
    if (item?.kind === 'star') {
      star = p
      mark = n
      p += 1
    } else if (item?.kind === 'one' && item.accepts(name[n] ?? '')) {
      p += item.length
      n += 1
    } else if (star !== -1) {
      p = star + 1
      mark += 1
      n = mark
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}

type Item = { kind: 'star' } | { kind: 'one'; length: number; accepts: (unit: string) => boolean }

function itemAt(pattern: string, at: number): Item {
  const unit = pattern[at]
  if (unit === '*') return { kind: 'star' }
  if (unit === '?') return { kind: 'one', length: 1, accepts: () => true }
  if (unit === '\\' && at + 1 < pattern.length) {
    return { kind: 'one', length: 2, accepts: (other) => other === pattern[at + 1] }
  }
  if (unit === '[') {
    const end = pattern.indexOf(']', at + 2)
    if (end !== -1) return { kind: 'one', length: end - at + 1, accepts: classOf(pattern.slice(at + 1, end)) }
  }
  return { kind: 'one', length: 1, accepts: (other) => other === unit }
}

function classOf(body: string): (unit: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^')
  const members = isNegated ? body.slice(1) : body
  return (unit) => {
    for (let i = 0; i < members.length; i++) {
      const from = members[i] ?? ''
      const isRange = members[i + 1] === '-' && i + 2 < members.length
      const to = isRange ? (members[i + 2] ?? '') : from
      if (isRange) i += 2
      if (unit >= from && unit <= to) return !isNegated
    }
    return isNegated
  }
}
