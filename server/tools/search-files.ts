/** `search_files`: lines that match a regular expression, with ripgrep where there is one (T2). */
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { defineTool, done } from './define-tool'
import { type SearchFinding, type SearchRequest, searchPlainly } from './search-plainly'
import { searchWithRipgrep } from './search-with-ripgrep'
import { faultAbout, quoted, ToolFault } from './tool-fault'
import { absolutePathOf, placeInWorkspace } from './workspace-path'

/** Bounds of one answer. */
const maxMatches = 200
const maxLineCharacters = 400
const maxCharacters = 32 * 1024

export interface SearchFilesOptions {
  /** The full path of ripgrep; without one the files are searched by a plain walk. */
  readonly ripgrep: string | undefined
}

/** `path:line: text` for each matching line, sorted by path and line; a cut is said in a last line in brackets. Both ways give the same. */
export function searchFilesTool({ ripgrep }: SearchFilesOptions): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Searches the text files of the workspace for lines that match the regular expression `pattern`. `path` narrows it to a folder or file; `glob` to files by name (`*.ts`) or by path from the workspace (`src/**/*.ts`). ' +
      `Answers \`path:line: text\`, at most ${maxMatches} lines. Leaves out .git, node_modules, what .gitignore names, binary files and files over 5 MiB.`,
    access: 'read',
    killable: false,
    input: z.strictObject({
      pattern: z
        .string()
        .min(1)
        .max(2000)
        .refine((text) => !/[\0\r\n]/.test(text), 'must be a single line'),
      path: z.string().optional(),
      glob: z
        .string()
        .min(1)
        .max(1000)
        .refine((text) => !/^!|[\0\r\n]/.test(text), 'must not start with "!"')
        .optional(),
    }),
    async execute({ pattern, path = '.', glob }, { workspace, signal }) {
      const place = await placeInWorkspace(workspace, path)
      const kind = await stat(absolutePathOf(place)).catch((error: unknown) => {
        throw faultAbout(place.shown, error)
      })
      if (!kind.isDirectory() && !kind.isFile()) {
        throw new ToolFault(`${quoted(place.shown)} is neither a folder nor a regular file.`)
      }
      const request: SearchRequest = {
        place,
        pattern,
        glob,
        isFolder: kind.isDirectory(),
        maxMatches,
        maxLineCharacters,
      }
      const finding =
        (ripgrep && (await searchWithRipgrep(ripgrep, request, signal))) || (await searchPlainly(request, signal))
      return answer(finding)
    },
  })
}

function answer({ matches, cut }: SearchFinding) {
  const lines: string[] = []
  let units = 0
  for (const { path, line, text } of matches) {
    const shown = `${path}:${line}: ${text}`
    units += shown.length + 1
    if (units > maxCharacters) break
    lines.push(shown)
  }
  const truncated = cut || lines.length < matches.length
  if (lines.length === 0) return done(truncated ? '[too many files to look through]' : '[no match]', { truncated })
  if (truncated) lines.push(`[only the first ${lines.length}; narrow the pattern, the path or the glob]`)
  return done(lines.join('\n'), { truncated })
}
