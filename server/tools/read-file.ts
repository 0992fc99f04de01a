/** `read_file`: the lines of a text file. */
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { headOf } from './cut-text'
import { defineTool, done } from './define-tool'
import { decodeForReading, linesOf } from './text-file'
import { quoted, ToolFault } from './tool-fault'
import { readWholeFile } from './workspace-files'
import { placeInWorkspace } from './workspace-path'

/** Bounds of one answer: a file of 10 MiB, 2,000 lines, 64 Ki characters in all, 2,000 characters of a line. */
const maxFileBytes = 10 * 1024 * 1024
const maxLines = 2000
const maxCharacters = 64 * 1024
const maxLineCharacters = 2000

/** Answers the plain text, lines ended by `\n`; only when something was left out does a line in brackets above it say what. */
export const readFileTool: Tool = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. `path` is relative to the workspace. `offset` is the first line wanted, from 1; `limit` the number of lines. ' +
    `At most ${maxLines} lines or ${maxCharacters} characters come at once; when something is left out, a first line in square brackets says which lines you see and how many there are. Lines carry no numbers.`,
  access: 'read',
  killable: false,
  input: z.strictObject({
    path: z.string(),
    offset: z.number().int().min(1).max(100_000_000).optional(),
    limit: z.number().int().min(1).max(100_000).optional(),
  }),
  async execute({ path, offset = 1, limit = maxLines }, { workspace, signal }) {
    const place = await placeInWorkspace(workspace, path)
    const { bytes } = await readWholeFile(place, maxFileBytes, signal)
    const lines = linesOf(decodeForReading(bytes, place.shown).text)
    if (lines.length === 0) return done('[the file is empty]')
    if (offset > lines.length) {
      throw new ToolFault(`Line ${offset} is past the end: ${quoted(place.shown)} has ${count(lines.length)}.`)
    }
    const kept = bounded(lines.slice(offset - 1, offset - 1 + Math.min(limit, maxLines)))
    const last = offset + kept.lines.length - 1
    const whole = offset === 1 && last === lines.length && kept.cutLines === 0
    if (whole) return done(kept.lines.join('\n'))
    const cut = kept.cutLines === 0 ? '' : `; ${count(kept.cutLines)} cut to ${maxLineCharacters} characters`
    const header = `[lines ${offset} to ${last} of ${lines.length}${cut}]`
    return done(`${header}\n${kept.lines.join('\n')}`, { truncated: true })
  },
})

/** As many whole lines as fit, at least one; overlong lines cut. */
function bounded(lines: readonly string[]): { lines: string[]; cutLines: number } {
  const kept: string[] = []
  let units = 0
  let cutLines = 0
  for (const line of lines) {
    const short = headOf(line, maxLineCharacters)
    units += short.length + 1
    if (units > maxCharacters && kept.length > 0) break
    if (short.length < line.length) cutLines += 1
    kept.push(short.length < line.length ? `${short}…` : line)
  }
  return { lines: kept, cutLines }
}

function count(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}
