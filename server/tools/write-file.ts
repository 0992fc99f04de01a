/** `write_file`: puts a whole text into a file, atomically. */
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { defineTool, done } from './define-tool'
import { changeOf, countsOf } from './file-change'
import { looksBinary } from './text-file'
import { ToolFault } from './tool-fault'
import { readWholeFile, replaceFile } from './workspace-files'
import { type Place, placeInWorkspace } from './workspace-path'

const maxCharacters = 5_000_000
/** Above this size the card gets no diff against the old text. */
const maxComparedBytes = 1024 * 1024

/** `meta` is a `FileChange` and `created`. */
export const writeFileTool: Tool = defineTool({
  name: 'write_file',
  description:
    'Writes a text file of the workspace, replacing the whole file if it exists and creating missing folders. `path` is relative to the workspace. To change a part of a file use edit_file.',
  access: 'write',
  killable: false,
  input: z.strictObject({ path: z.string(), content: z.string().max(maxCharacters) }),
  async execute({ path, content }, { workspace, signal }) {
    const place = await placeInWorkspace(workspace, path)
    const before = await textBefore(place, signal)
    const { created } = await replaceFile(place, Buffer.from(content, 'utf8'), 'any', signal)
    const change = changeOf(place.shown, created ? '' : before, content)
    return done(`${created ? 'Created' : 'Replaced'} ${place.shown}${countsOf(change)}.`, {
      meta: { ...change, created },
    })
  },
})

/** The old text, for the diff only; null when it cannot be read as text. `replaceFile` judges the file itself. */
async function textBefore(place: Place, signal: AbortSignal): Promise<string | null> {
  try {
    const { bytes } = await readWholeFile(place, maxComparedBytes, signal)
    return looksBinary(bytes) ? null : bytes.toString('utf8')
  } catch (error) {
    if (error instanceof ToolFault) return null
    throw error
  }
}
