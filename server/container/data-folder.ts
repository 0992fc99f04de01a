/** The data folder and the token in it, readable by nobody else (W9). */
import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ConfigError } from '@/server/config'

/** Makes the folder (0700) when it is missing and closes it to others when it is ours. @throws ConfigError when it cannot be used. */
export function prepareDataFolder(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    if ((statSync(home).mode & 0o077) !== 0) chmodSync(home, 0o700)
  } catch (error) {
    throw new ConfigError(`BELAY_HOME: the folder ${home} cannot be used (${codeOf(error)}).`)
  }
}

/** The token of this data folder: read from its file, or made and kept there (0600). Two processes that start at once agree on one. */
export function keptToken(home: string): string {
  const file = path.join(home, 'token')
  const existing = readToken(file)
  if (existing) return existing
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(fresh, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
    if (!readToken(file)) {
      rmSync(file, { force: true }) // An empty file is no token.
      linkSync(fresh, file)
    }
  } finally {
    rmSync(fresh, { force: true })
  }
  const token = readToken(file)
  if (!token) throw new ConfigError(`The token file ${file} cannot be read.`)
  return token
}

function readToken(file: string): string | undefined {
  try {
    const token = readFileSync(file, 'utf8').trim()
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
    return token === '' ? undefined : token
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new ConfigError(`The token file ${file} cannot be read (${codeOf(error)}).`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
