/** Searching without ripgrep: a walk, and JavaScript's regular expressions under a time limit. */
import { createContext, Script } from 'node:vm'
import { headOf } from './cut-text'
import { compileGlob, type GlobMatcher } from './glob'
import { ignoreFilter } from './ignore-rules'
import { linesOf, looksBinary } from './text-file'
import { ToolFault } from './tool-fault'
import { type Entry, walk } from './walk'
import { readWholeFile } from './workspace-files'
import { absolutePathOf, type Place } from './workspace-path'

/** Larger files are passed over, by both ways of searching. */
export const maxSearchedBytes = 5 * 1024 * 1024
/** For one file. A pattern that backtracks without end would hold the whole server up. */
const maxMatchMs = 250

export interface SearchRequest {
  readonly place: Place
  readonly isFolder: boolean
  readonly pattern: string
  readonly glob: string | undefined
  readonly maxMatches: number
  /** A longer line is cut. */
  readonly maxLineCharacters: number
}

export interface SearchFinding {
  readonly matches: readonly SearchMatch[]
  /** There are more than these, or not everything was looked through. */
  readonly cut: boolean
}

export interface SearchMatch {
  /** Relative to the workspace. */
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly text: string
}

/** @throws ToolFault when the pattern is not a regular expression or takes too long. */
export async function searchPlainly(request: SearchRequest, signal: AbortSignal): Promise<SearchFinding> {
  const find = lineFinder(request.pattern)
  const matches: SearchMatch[] = []
  const files = request.isFolder ? filesBelow(request, signal) : oneFile(request.place)
  for (;;) {
    const next = await files.next()
    if (next.done) return { matches, cut: next.value === 'cut' }
    const text = await textOf(next.value, signal)
    if (text === undefined) continue
    const lines = linesOf(text)
    for (const index of find(lines)) {
      if (matches.length === request.maxMatches) return { matches, cut: true }
      matches.push({
        path: next.value.shown,
        line: index + 1,
        text: cutLine(lines[index] ?? '', request.maxLineCharacters),
      })
    }
  }
}

/** A line as it is shown in an answer. */
export function cutLine(line: string, units: number): string {
  return line.length > units ? `${headOf(line, units)}…` : line
}

/** Which of the lines match, by index. */
function lineFinder(pattern: string): (lines: readonly string[]) => readonly number[] {
  const expression = compile(pattern)
  const context = createContext({ expression, lines: [] })
  const script = new Script('lines.flatMap((line, i) => (expression.test(line) ? [i] : []))')
  return (lines) => {
    context.lines = lines
    try {
      return script.runInContext(context, { timeout: maxMatchMs }) as number[]
    } catch {
      // Testing a compiled expression fails only by its time limit.
      throw new ToolFault('The pattern takes too long on these files. Use a simpler one.')
    }
  }
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    // Stricter than most people write; the other mode forgives needless backslashes.
  }
  try {
    return new RegExp(pattern)
  } catch (error) {
    throw new ToolFault(
      `The pattern is not a valid regular expression: ${error instanceof Error ? error.message : pattern}`,
    )
  }
}

async function* filesBelow({ place, glob }: SearchRequest, signal: AbortSignal) {
  const wanted = glob === undefined ? undefined : globFromWorkspace(glob)
  const prefix = place.segments.length === 0 ? '' : `${place.shown}/`
  const filter = ignoreFilter(place, (entry: Entry) => wanted?.(prefix + entry.path) === true)
  const entries = walk(absolutePathOf(place), signal, filter)
  for (;;) {
    const next = await entries.next()
    if (next.done) return next.value
    const { kind, path } = next.value
    if (kind !== 'file' || (wanted && !wanted(prefix + path))) continue
    yield { root: place.root, segments: [...place.segments, ...path.split('/')], shown: prefix + path }
  }
}

async function* oneFile(place: Place) {
  yield place
  return 'whole' as const
}

/** A glob without a slash is about names, wherever they are; as ripgrep has it. */
function globFromWorkspace(glob: string): GlobMatcher {
  const isAboutNames = !glob.replace(/^\.\//, '').includes('/')
  return compileGlob(isAboutNames ? `**/${glob}` : glob)
}

async function textOf(place: Place, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { bytes } = await readWholeFile(place, maxSearchedBytes, signal)
    return looksBinary(bytes) ? undefined : bytes.toString('utf8')
  } catch (error) {
    // Vanished, too large, not permitted: a search passes over it.
    if (error instanceof ToolFault) return undefined
    throw error
  }
}
