/** The environment, parsed once and for all into what the process runs with (R2). */
import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'

export interface Config {
  readonly port: number
  /** The address to listen on; loopback unless HOST says otherwise (W9). */
  readonly host: string
  /** The data folder, absolute. */
  readonly home: string
  /** The folder that new sessions work in unless they name another, absolute. */
  readonly workspace: string
  /** BELAY_TOKEN; without it the token file of the data folder counts. */
  readonly givenToken: string | undefined
  readonly model: string | undefined
  /** Entries of BELAY_ALLOWED_HOSTS: `name` or `name:port`. */
  readonly allowedHosts: readonly string[]
}

/** What is wrong with the environment, in words for the person who started the server. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>

/** An empty variable counts as absent. */
const optional = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.trim() === '' ? undefined : text.trim()))

const hostEntry = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i

const environmentSchema = z.object({
  PORT: optional.pipe(
    z
      .string()
      .regex(/^\d{1,5}$/, 'a port is a number from 1 to 65535')
      .transform(Number)
      .pipe(z.number().min(1, 'a port is a number from 1 to 65535').max(65535, 'a port is a number from 1 to 65535'))
      .default(4310),
  ),
  HOST: optional.pipe(z.string().default('127.0.0.1')),
  BELAY_HOME: optional,
  BELAY_WORKSPACE: optional,
  BELAY_TOKEN: optional.pipe(
    z
      .string()
      .regex(/^[\x21-\x7e]{1,512}$/, 'a token has printable characters without spaces only')
      .optional(),
  ),
  BELAY_MODEL: optional.pipe(
    z
      .string()
      .regex(/^[^/\s]+\/\S+$/, 'a model is named provider/model')
      .optional(),
  ),
  BELAY_ALLOWED_HOSTS: optional
    .transform((text) => (text ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])))
    .pipe(z.array(z.string().regex(hostEntry, 'host names, or host:port, separated by commas'))),
})

/**
 * Reads the environment. Touches no file except to see that BELAY_WORKSPACE is a folder.
 * @throws ConfigError that names the variable.
 */
export function readConfig(environment: Environment, currentFolder: string): Config {
  const parsed = environmentSchema.safeParse(environment)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)
    throw new ConfigError(lines.join('\n'))
  }
  const { PORT, HOST, BELAY_HOME, BELAY_WORKSPACE, BELAY_TOKEN, BELAY_MODEL, BELAY_ALLOWED_HOSTS } = parsed.data
  const workspace = path.resolve(currentFolder, expandHome(BELAY_WORKSPACE ?? '.'))
  if (BELAY_WORKSPACE !== undefined && !isFolder(workspace))
    throw new ConfigError(`BELAY_WORKSPACE: there is no folder ${workspace}`)
  return {
    port: PORT,
    host: HOST,
    home: path.resolve(currentFolder, expandHome(BELAY_HOME ?? '~/.belay')),
    workspace,
    givenToken: BELAY_TOKEN,
    model: BELAY_MODEL,
    allowedHosts: BELAY_ALLOWED_HOSTS,
  }
}

/** True when the path is a folder that can be looked at. */
export function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function expandHome(folder: string): string {
  return folder === '~' || folder.startsWith('~/') ? path.join(homedir(), folder.slice(1)) : folder
}
