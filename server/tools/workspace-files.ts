/** Opens, reads and atomically replaces files at a `Place`, one folder at a time, so that no link put there meanwhile leads out. */
import { randomUUID } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCodeOf, faultAbout, quoted, ToolFault } from './tool-fault'
import type { Place } from './workspace-path'

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants
const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd')
const chunkSize = 256 * 1024

export interface FileContent {
  readonly bytes: Buffer
  /** Which state of the file was read; `replaceFile` can insist on it. */
  readonly version: FileVersion
}
export type FileVersion = Pick<Stats, 'ino' | 'dev' | 'size' | 'mtimeMs'>

/**
 * Reads a whole regular file of at most `maxBytes`.
 * @throws ToolFault when it is missing, not a regular file, too large or not permitted.
 */
export async function readWholeFile(place: Place, maxBytes: number, signal: AbortSignal): Promise<FileContent> {
  const name = place.segments.at(-1)
  if (name === undefined) throw new ToolFault(`${quoted(place.shown)} is a folder, not a file.`)
  return about(place, async () => {
    const folder = await openFolder(place, 'existing')
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang the server.
    const file = await open(folder.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).finally(folder.close)
    try {
      const stats = await file.stat()
      checkRegular(place, stats)
      if (stats.size > maxBytes) throw tooLarge(place, stats.size, maxBytes)
      return { bytes: await readBounded(place, file, maxBytes, signal), version: stats }
    } finally {
      await file.close()
    }
  })
}

/**
 * Writes the whole file: a temporary file in the same folder, flushed, then renamed over the old one, whose mode it keeps.
 * Missing parents are created. An abort before the rename leaves the old file as it was and no temporary file behind; from the
 * rename on it counts as done. Answers whether the file is new.
 * @throws ToolFault when it cannot be written, or when `expected` is given and the file is no longer in that state.
 */
export async function replaceFile(
  place: Place,
  content: Uint8Array,
  expected: FileVersion | 'any',
  signal: AbortSignal,
): Promise<{ created: boolean }> {
  const name = place.segments.at(-1)
  if (name === undefined) throw new ToolFault(`${quoted(place.shown)} is a folder, not a file.`)
  return about(place, async () => {
    const folder = await openFolder(place, 'create')
    try {
      const target = folder.at(name)
      const old = await statOrNone(target)
      if (old) {
        checkRegular(place, old)
        await checkWritable(target)
      }
      const temporary = folder.at(`.belay-${randomUUID()}.tmp`)
      try {
        await writeTemporary(temporary, content, old, signal)
        if (expected !== 'any') checkUnchanged(place, expected, await statOrNone(target))
        signal.throwIfAborted()
        await rename(temporary, target)
      } catch (error) {
        await unlink(temporary).catch(() => {
          // It was never created, or is gone already; the first error is the one that matters.
        })
        throw error
      }
      await folder.flush()
      return { created: old === undefined }
    } finally {
      await folder.close()
    }
  })
}

interface Folder {
  /** The path of an entry, reached through the open folder itself where the system can do that. */
  at(name: string): string
  /** Makes a rename in it durable. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Opens the folder that holds the place, from the root down, never through a link. */
async function openFolder(place: Place, missing: 'existing' | 'create'): Promise<Folder> {
  let path = place.root
  let folder = folderOf(await open(path, O_RDONLY | O_DIRECTORY), path)
  for (const segment of place.segments.slice(0, -1)) {
    const parent = folder
    try {
      if (missing === 'create') await makeFolder(parent.at(segment))
      path = join(path, segment)
      folder = folderOf(await open(parent.at(segment), O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path)
    } finally {
      await parent.close()
    }
  }
  if (!hasDescriptorPaths && (await realpath(path)) !== path) {
    await folder.close()
    throw new ToolFault(`${quoted(place.shown)} was moved while it was being opened.`)
  }
  return folder
}

function folderOf(handle: FileHandle, path: string): Folder {
  return {
    at: (name) => (hasDescriptorPaths ? `/proc/self/fd/${handle.fd}/${name}` : join(path, name)),
    flush: () => handle.sync(),
    close: () => handle.close(),
  }
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path)
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error
  }
}

async function readBounded(place: Place, file: FileHandle, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunkSize), 0, chunkSize, null)
    if (bytesRead === 0) return Buffer.concat(chunks, size)
    size += bytesRead
    if (size > maxBytes) throw tooLarge(place, size, maxBytes)
    chunks.push(buffer.subarray(0, bytesRead))
  }
}

async function writeTemporary(path: string, content: Uint8Array, old: Stats | undefined, signal: AbortSignal) {
  const file = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666)
  try {
    for (let start = 0; start < content.length; ) {
      signal.throwIfAborted()
      const { bytesWritten } = await file.write(content, start, Math.min(chunkSize, content.length - start))
      start += bytesWritten
    }
    if (old) await keepOwnerAndMode(file, old)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function keepOwnerAndMode(file: FileHandle, old: Stats): Promise<void> {
  const now = await file.stat()
  if (now.uid !== old.uid || now.gid !== old.gid) {
    await file.chown(old.uid, old.gid).catch(() => {
      // Only the superuser may give files away; the file is then ours, as with most editors.
    })
  }
  await file.chmod(old.mode & 0o7777)
}

async function statOrNone(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function checkRegular(place: Place, stats: Stats): void {
  if (stats.isDirectory()) throw new ToolFault(`${quoted(place.shown)} is a folder, not a file.`)
  if (!stats.isFile()) throw new ToolFault(`${quoted(place.shown)} is not a regular file.`)
}

/** A rename needs no right to write the old file, but a file that its owner has locked stays as it is. */
async function checkWritable(path: string): Promise<void> {
  const file = await open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
  await file.close()
}

function checkUnchanged(place: Place, expected: FileVersion, now: Stats | undefined): void {
  const same =
    now?.ino === expected.ino &&
    now.dev === expected.dev &&
    now.size === expected.size &&
    now.mtimeMs === expected.mtimeMs
  if (!same) throw new ToolFault(`${quoted(place.shown)} was changed meanwhile. Read it again before editing it.`)
}

function tooLarge(place: Place, size: number, maxBytes: number): ToolFault {
  const mega = (bytes: number) => (bytes / 1_048_576).toFixed(1)
  return new ToolFault(`${quoted(place.shown)} is too large: ${mega(size)} MiB, the limit is ${mega(maxBytes)} MiB.`)
}

async function about<T>(place: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw faultAbout(place.shown, error)
  }
}
