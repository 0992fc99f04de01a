/** The folder that a session works in: made absolute and looked at once, before anything is stored. */
import { accessSync, constants } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { AppError } from '@/lib/contract/errors'
import { isFolder } from '@/server/config'

/** A relative path counts from the default workspace. @throws AppError `workspace-not-found` that names the path. */
export function existingWorkspace(asked: string | undefined, standard: string): string {
  const named = asked?.trim() ?? '.'
  const expanded = named === '~' || named.startsWith('~/') ? path.join(homedir(), named.slice(1)) : named
  const folder = path.resolve(standard, expanded)
  if (!isUsable(folder))
    throw new AppError('workspace-not-found', `There is no folder ${folder} that can be worked in.`, {
      workspace: folder,
    })
  return folder
}

function isUsable(folder: string): boolean {
  try {
    if (!isFolder(folder)) return false
    accessSync(folder, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false // A path through a file, a null byte, no rights: not usable, whatever the reason.
  }
}
