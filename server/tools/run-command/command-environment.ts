/** What a command finds around it: its shell and its environment. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The variable by which every process of a call is known, wherever it has moved to. */
export const callVariable = 'BELAY_CALL_ID'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The server's environment without what is not the command's business: secrets (`*_API_KEY`, `*_TOKEN`, `BELAY_*`), what the
 * web server and npm set for themselves (`NODE_ENV`, `NEXT_*`, `__NEXT_*`, `npm_*`, `PORT`, `HOST`). Pagers and colours off.
 */
export function commandEnvironment(server: Environment, callMark: string): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(server)) {
    if (value !== undefined && !isWithheld(name)) kept[name] = value
  }
  return { ...kept, TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', [callVariable]: callMark }
}

/** The full path of a program on the environment's PATH. */
export function findProgram(name: string, environment: Environment): string | undefined {
  const folders = (environment.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter)
  return folders
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, name))
    .find(isExecutable)
}

function isWithheld(name: string): boolean {
  const upper = name.toUpperCase()
  return (
    upper.endsWith('_API_KEY') ||
    upper.endsWith('_TOKEN') ||
    upper.startsWith('BELAY_') ||
    /^(NEXT_|__NEXT_|npm_)/.test(name) ||
    name === 'NODE_ENV' ||
    name === 'PORT' ||
    name === 'HOST'
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not for us: look further.
    return false
  }
}
