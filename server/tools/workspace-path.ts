/** Turns a path from the model into a place inside the session's workspace, links resolved, or refuses it in readable words (T2). */
import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { errorCodeOf, faultAbout, quoted, ToolFault } from './tool-fault'

const maxPathLength = 4096

/** A place in the workspace. It holds no link: every segment is the real name below the real root. */
export interface Place {
  /** The workspace's real path. */
  readonly root: string
  /** The names from the root down; empty for the workspace itself. */
  readonly segments: readonly string[]
  /** The segments joined with `/`, as the model may use it again; `.` for the workspace itself. */
  readonly shown: string
}

/**
 * Relative paths start at the workspace; absolute ones must lie inside it. What does not exist yet is judged by its deepest
 * existing ancestor. The answer is only a name: `workspace-files` opens it without following links that appear afterwards.
 * @throws ToolFault on control characters, overlong paths, broken links and whatever leads outside the workspace.
 */
export async function placeInWorkspace(workspace: string, path: string): Promise<Place> {
  if (path === '') throw new ToolFault('The path is empty.')
  if (path.length > maxPathLength) throw new ToolFault(`The path is too long: ${path.length} characters.`)
  if (hasControlCharacter(path)) throw new ToolFault(`The path ${quoted(path)} holds a control character.`)
  const root = await realRoot(workspace)
  const wanted = isAbsolute(path) ? resolve(path) : resolve(root, path)
  const real = await realTarget(wanted, path)
  if (real !== root && !real.startsWith(root === sep ? sep : root + sep)) {
    throw new ToolFault(`${quoted(path)} is outside the workspace; only files inside the workspace can be used.`)
  }
  const segments = relative(root, real)
    .split(sep)
    .filter((segment) => segment !== '')
  return { root, segments, shown: segments.join('/') || '.' }
}

/** The real path of the place. Only for walks and messages; opening goes through `workspace-files`. */
export function absolutePathOf(place: Place): string {
  return join(place.root, ...place.segments)
}

async function realRoot(workspace: string): Promise<string> {
  try {
    return await realpath(workspace)
  } catch {
    // Whatever the reason, the session cannot work there; which one it is does not help the model.
    throw new ToolFault('The workspace folder does not exist or cannot be opened.')
  }
}

/** The real path of the deepest existing ancestor, with the missing names below it. */
async function realTarget(wanted: string, asGiven: string): Promise<string> {
  const missing: string[] = []
  for (let current = wanted; ; current = dirname(current)) {
    try {
      return join(await realpath(current), ...missing)
    } catch (error) {
      if (errorCodeOf(error) !== 'ENOENT' || dirname(current) === current) throw faultAbout(asGiven, error)
      if (await isLink(current)) throw new ToolFault(`${quoted(asGiven)} goes through a link that leads nowhere.`)
      missing.unshift(basename(current))
    }
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink()
  } catch {
    // It does not exist at all, so it is no link; any other trouble shows when the path is opened.
    return false
  }
}

function hasControlCharacter(path: string): boolean {
  for (let i = 0; i < path.length; i++) {
    const unit = path.charCodeAt(i)
    if (unit < 0x20 || unit === 0x7f) return true
  }
  return false
}
