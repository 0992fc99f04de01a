/** Walks the files below a folder in a stable order, without following links. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders that no walk enters unless it starts in them. */
export const skippedFolders: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/** Entries looked at before a walk gives up: a bound for workspaces like `/`. */
export const maxVisited = 200_000

export interface Entry {
  /** Relative to where the walk began, with `/` between the names. */
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
}

/** Decides, with the folder's entries at hand, which of them are left out. */
export type FolderFilter = (folder: string, entries: readonly Entry[]) => Promise<readonly Entry[]>

/**
 * Yields depth first, the entries of a folder sorted by name, a folder before what is in it. Ends early after `maxVisited`
 * entries and then returns `cut`. Folders that cannot be read are passed over. Throws the signal's reason when it aborts.
 */
export async function* walk(
  root: string,
  signal: AbortSignal,
  filter: FolderFilter = async (_folder, entries) => entries,
): AsyncGenerator<Entry, 'whole' | 'cut', undefined> {
  const waiting: Entry[] = [{ path: '', kind: 'folder' }]
  let visited = 0
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    signal.throwIfAborted()
    if (next.path !== '') yield next
    if (next.kind !== 'folder') continue
    const entries = await filter(next.path, await entriesOf(root, next.path))
    visited += entries.length
    if (visited > maxVisited) return 'cut'
    waiting.push(...entries.filter((entry) => !isSkipped(entry)).reverse())
  }
  return 'whole'
}

/** A folder's entries, sorted by name; none when it cannot be read. */
export async function entriesOf(root: string, folder: string): Promise<Entry[]> {
  try {
    const found = await readdir(join(root, folder), { withFileTypes: true })
    return found
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => ({ path: folder === '' ? entry.name : `${folder}/${entry.name}`, kind: kindOf(entry) }))
  } catch {
    // It vanished or may not be read; a walk shows what can be seen.
    return []
  }
}

function isSkipped(entry: Entry): boolean {
  return entry.kind === 'folder' && skippedFolders.has(entry.path.slice(entry.path.lastIndexOf('/') + 1))
}

function kindOf(entry: Dirent): Entry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  return entry.isSymbolicLink() ? 'link' : 'other'
}
