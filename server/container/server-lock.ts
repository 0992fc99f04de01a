/** One server per data folder: a lock file that names who holds it, and a safe takeover from the dead (R2). */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ConfigError } from '@/server/config'

const holderSchema = z.object({
  pid: z.number().int().positive(),
  /** The kernel's start time of that process, where there is one: tells a reused pid apart. */
  born: z.string().nullable(),
  startedAt: z.string(),
  address: z.string(),
})
export type LockHolder = z.infer<typeof holderSchema>

/** A takeover takes microseconds; a mark older than this was left by a process that died in it. */
const takeoverStaleMs = 5000

/**
 * Takes the lock of a data folder. Taking it twice in one process is allowed (hot reload).
 * Returns the release, which leaves the lock of anybody else alone.
 * @throws ConfigError that says who holds it and what to do.
 */
export function takeServerLock(home: string, address: string): () => void {
  const file = path.join(home, 'server.lock')
  const mine: LockHolder = {
    pid: process.pid,
    born: birthOf(process.pid),
    startedAt: new Date().toISOString(),
    address,
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    if (place(file, mine)) return () => release(file, mine)
    const holder = readHolder(file)
    if (holder && isAlive(holder) && !isSame(holder, mine)) throw heldBy(home, holder)
    takeOver(file, mine)
  }
  throw new ConfigError(`The lock ${file} could not be taken. Remove it if no Belay server is running.`)
}

/** Who holds the lock of a data folder right now. */
export function lockHolder(home: string): LockHolder | undefined {
  const holder = readHolder(path.join(home, 'server.lock'))
  return holder && isAlive(holder) ? holder : undefined
}

/** Writes the whole lock under its name in one step; false when there is one already. */
function place(file: string, holder: LockHolder): boolean {
  const fresh = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(fresh, JSON.stringify(holder), { mode: 0o600, flag: 'wx' })
  try {
    linkSync(fresh, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Removes a dead holder's lock. Only one process at a time may, and it looks again once it may: the lock can be a new, live one by then. */
function takeOver(file: string, mine: LockHolder): void {
  const mark = `${file}.takeover`
  try {
    mkdirSync(mark)
  } catch {
    const since = statSync(mark, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > takeoverStaleMs) rmSync(mark, { recursive: true, force: true })
    else pause(20)
    return
  }
  try {
    // Nothing there: the last one to look has removed it, and whoever comes first now places the next. Removing again could hit that one.
    const text = textOf(file)
    if (text === undefined) return
    const holder = holderIn(text)
    if (!holder || !isAlive(holder) || isSame(holder, mine)) rmSync(file, { force: true })
  } finally {
    rmdirSync(mark)
  }
}

function release(file: string, mine: LockHolder): void {
  const holder = readHolder(file)
  if (holder && isSame(holder, mine)) rmSync(file, { force: true })
}

function readHolder(file: string): LockHolder | undefined {
  const text = textOf(file)
  return text === undefined ? undefined : holderIn(text)
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined // Gone, or not to be read: either way nobody can be named.
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    return holderSchema.parse(JSON.parse(text))
  } catch {
    return undefined // Not a lock that we wrote.
  }
}

function isSame(left: LockHolder, right: LockHolder): boolean {
  return left.pid === right.pid && left.born === right.born
}

function isAlive({ pid, born }: LockHolder): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return born === null || birthOf(pid) === born
}

/** Field 22 of /proc/PID/stat, after the program's name in brackets; null where there is no /proc. */
function birthOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null // Not Linux, or just gone: the pid alone decides then.
  }
}

function heldBy(home: string, holder: LockHolder): ConfigError {
  return new ConfigError(
    `Another Belay server already uses the data folder ${home}: process ${holder.pid}, ${holder.address}, since ${holder.startedAt}.\n` +
      `Open that address, or stop it (kill ${holder.pid}), or start this one on another folder: BELAY_HOME=… PORT=… npm start`,
  )
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
