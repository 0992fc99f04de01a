/** `list_files`: the names below a folder, by glob. */
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { defineTool, done } from './define-tool'
import { compileGlob } from './glob'
import { faultAbout, quoted, ToolFault } from './tool-fault'
import { entriesOf, walk } from './walk'
import { absolutePathOf, type Place, placeInWorkspace } from './workspace-path'

const maxEntries = 1000

/** One path a line, relative to the workspace, sorted; a cut is said in a last line in brackets. */
export const listFilesTool: Tool = defineTool({
  name: 'list_files',
  description:
    'Lists files of the workspace. Without `pattern`: the entries of the folder `path` (default: the workspace), folders with a trailing slash. ' +
    'With `pattern`: every file below it whose path, relative to that folder, matches the glob: `*`, `?`, `**`, `{a,b}`, `[a-z]`; `**/*.ts` finds all TypeScript files. ' +
    `.git and node_modules are left out unless \`path\` is inside them. At most ${maxEntries} paths, relative to the workspace, sorted.`,
  access: 'read',
  killable: false,
  input: z.strictObject({ pattern: z.string().min(1).max(1000).optional(), path: z.string().optional() }),
  async execute({ pattern, path = '.' }, { workspace, signal }) {
    const place = await placeInWorkspace(workspace, path)
    await checkFolder(place)
    const { found, cut } = pattern === undefined ? await direct(place) : await matching(place, pattern, signal)
    if (found.length === 0) return done(cut ? '[too many files to look through]' : '[no files]', { truncated: cut })
    const prefix = place.shown === '.' ? '' : `${place.shown}/`
    const lines = found.map((one) => prefix + one)
    if (cut) lines.push(`[only the first ${found.length}; narrow the pattern or the path]`)
    return done(lines.join('\n'), { truncated: cut })
  },
})

interface Found {
  readonly found: string[]
  readonly cut: boolean
}

async function direct(place: Place): Promise<Found> {
  const entries = await entriesOf(absolutePathOf(place), '')
  const names = entries.map((entry) => (entry.kind === 'folder' ? `${entry.path}/` : entry.path))
  return { found: names.slice(0, maxEntries), cut: names.length > maxEntries }
}

async function matching(place: Place, pattern: string, signal: AbortSignal): Promise<Found> {
  const matches = compileGlob(pattern)
  const found: string[] = []
  const entries = walk(absolutePathOf(place), signal)
  for (;;) {
    const next = await entries.next()
    if (next.done) return { found, cut: next.value === 'cut' }
    if (next.value.kind === 'folder' || !matches(next.value.path)) continue
    if (found.length === maxEntries) return { found, cut: true }
    found.push(next.value.path)
  }
}

async function checkFolder(place: Place): Promise<void> {
  const stats = await stat(absolutePathOf(place)).catch((error: unknown) => {
    throw faultAbout(place.shown, error)
  })
  if (!stats.isDirectory()) throw new ToolFault(`${quoted(place.shown)} is a file, not a folder.`)
}
