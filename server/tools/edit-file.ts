/** `edit_file`: replaces a piece of text in a file, atomically. */
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { defineTool, done } from './define-tool'
import { changeOf, countsOf } from './file-change'
import { decodeForEditing, encode } from './text-file'
import { quoted, ToolFault } from './tool-fault'
import { readWholeFile, replaceFile } from './workspace-files'
import { placeInWorkspace } from './workspace-path'

const maxFileBytes = 10 * 1024 * 1024
const maxCharacters = 5_000_000

/** Keeps a byte-order mark and Windows line ends. `meta` is a `FileChange` and `replacements`. */
export const editFileTool: Tool = defineTool({
  name: 'edit_file',
  description:
    'Replaces `old_text` by `new_text` in a text file of the workspace. `old_text` must occur exactly once, character by character; with `all: true` every occurrence is replaced. Give enough surrounding lines to make it unique.',
  access: 'write',
  killable: false,
  input: z.strictObject({
    path: z.string(),
    old_text: z.string().min(1, 'must not be empty; use write_file for a new file').max(maxCharacters),
    new_text: z.string().max(maxCharacters),
    all: z.boolean().optional(),
  }),
  async execute(input, { workspace, signal }) {
    const place = await placeInWorkspace(workspace, input.path)
    const { bytes, version } = await readWholeFile(place, maxFileBytes, signal)
    const file = decodeForEditing(bytes, place.shown)
    const edit = fittingLineEnds(file.text, input.old_text, input.new_text)
    if (edit.oldText === edit.newText) throw new ToolFault('old_text and new_text are the same; nothing was changed.')
    const parts = file.text.split(edit.oldText)
    const found = parts.length - 1
    if (found === 0) throw notFound(place.shown, file.text, edit.oldText)
    if (found > 1 && input.all !== true) {
      throw new ToolFault(
        `old_text occurs ${found} times in ${quoted(place.shown)}; nothing was changed. Give more of the surrounding lines, or set all to true to replace all ${found}.`,
      )
    }
    const text = parts.join(edit.newText)
    await replaceFile(place, encode({ ...file, text }), version, signal)
    const change = changeOf(place.shown, file.text, text)
    const times = found === 1 ? '' : `${found} replacements`
    return done(`Edited ${place.shown}${countsOf(change, times)}.`, {
      meta: { ...change, replacements: found },
    })
  },
})

/** `read_file` shows Windows line ends as plain ones, so the model's text gets the file's own ends before it is looked for. */
function fittingLineEnds(text: string, oldText: string, newText: string): { oldText: string; newText: string } {
  const isWindows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
  if (!isWindows) return { oldText, newText }
  const windows = (value: string) => value.replace(/\r?\n/g, '\r\n')
  return { oldText: windows(oldText), newText: windows(newText) }
}

function notFound(shown: string, text: string, oldText: string): ToolFault {
  const loose = (value: string) => value.replace(/\s+/g, ' ').trim()
  const nearly = loose(oldText) !== '' && loose(text).includes(loose(oldText))
  const hint = nearly
    ? 'Something equal but for white space does occur: check the indentation and the line breaks.'
    : 'Read the file again and copy the text exactly.'
  return new ToolFault(`old_text occurs 0 times in ${quoted(shown)}; nothing was changed. ${hint}`)
}
