/** Searching with ripgrep: a process of its own group that ends with the call. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { StringDecoder } from 'node:string_decoder'
import { cutLine, maxSearchedBytes, type SearchFinding, type SearchMatch, type SearchRequest } from './search-plainly'
import { ToolFault } from './tool-fault'

/** Bytes of a line that are kept while it is read; the rest of a longer one is passed over. */
const maxLineUnits = 8192

/**
 * Answers nothing when ripgrep cannot be used (gone, too old): the caller then searches plainly.
 * Resolves only when its process is over. @throws ToolFault when the pattern is not valid for it; the signal's reason on abort.
 */
export async function searchWithRipgrep(
  program: string,
  request: SearchRequest,
  signal: AbortSignal,
): Promise<SearchFinding | undefined> {
  signal.throwIfAborted()
  const child = spawn(program, argumentsFor(request), {
    cwd: request.place.root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = () => child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const matches: SearchMatch[] = []
    let complaint = ''
    readLines(child, (line) => {
      if (matches.length > request.maxMatches) return
      const match = matchOf(line, request)
      if (match) matches.push(match)
      if (matches.length > request.maxMatches) end()
    })
    child.stderr?.on('data', (bytes: Buffer) => {
      if (complaint.length < 2000) complaint += bytes.toString('utf8')
    })
    const code = await closed(child)
    signal.throwIfAborted()
    if (code === 'unusable') return undefined
    if (code === 2 && matches.length === 0 && complaint !== '') {
      if (/regex|pattern/i.test(complaint)) throw badPattern(complaint)
      if (/Found argument|unrecognized|unexpected argument/i.test(complaint)) return undefined
    }
    const cut = matches.length > request.maxMatches
    return { matches: matches.slice(0, request.maxMatches), cut }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function argumentsFor({ place, pattern, glob }: SearchRequest): string[] {
  const ignored = ['.git', 'node_modules'].flatMap((name) => ['--glob', `!${name}`])
  return [
    '--no-config --no-heading --with-filename --line-number --null --color never --hidden --sort path'.split(' '),
    '--no-ignore-global --no-ignore-exclude --no-ignore-dot --no-ignore-parent --no-require-git --no-messages'.split(
      ' ',
    ),
    ['--max-filesize', String(maxSearchedBytes)],
    glob === undefined ? [] : ['--glob', glob.replace(/^\.\//, '')],
    ignored,
    ['--regexp', pattern, '--', place.segments.length === 0 ? './' : `./${place.shown}`],
  ].flat()
}

/** Lines come as `./path NUL number:text`. */
function matchOf(line: string, request: SearchRequest): SearchMatch | undefined {
  const zero = line.indexOf('\0')
  const colon = line.indexOf(':', zero)
  if (zero === -1 || colon === -1) return undefined
  return {
    path: line.slice(0, zero).replace(/^\.\//, ''),
    line: Number(line.slice(zero + 1, colon)),
    text: cutLine(line.slice(colon + 1).replace(/\r$/, ''), request.maxLineCharacters),
  }
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8')
  let line = ''
  const take = (text: string) => {
    if (line.length < maxLineUnits) line += text.slice(0, maxLineUnits - line.length)
  }
  child.stdout?.on('data', (bytes: Buffer) => {
    const parts = decoder.write(bytes).split('\n')
    parts.forEach((part, i) => {
      take(part)
      if (i === parts.length - 1) return
      onLine(line)
      line = ''
    })
  })
}

async function closed(child: ChildProcess): Promise<number | null | 'unusable'> {
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  } catch {
    // 'error': it could not be started.
    return 'unusable'
  }
}

function badPattern(complaint: string): ToolFault {
  return new ToolFault(`The pattern is not a valid regular expression: ${complaint.trim().slice(0, 500)}`)
}
