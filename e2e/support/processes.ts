/** Finds processes by a unique mark in their command line, and ends only those. Linux: reads /proc. */
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * A mark that is also a number of seconds which `sleep` takes, so that not only shells but the sleeping processes themselves
 * carry it: `sleep 300.000123456789`.
 */
export function newMark(): string {
  return `300.000${randomInt(100_000_000, 999_999_999)}`
}

/** Pids of the living processes (no zombies) whose command line holds the mark. */
export function marked(mark: string): number[] {
  return pids().filter((pid) => pid !== process.pid && commandLineOf(pid).includes(mark) && stateOf(pid)?.state !== 'Z')
}

/** SIGKILL to every process with the mark: the last resort of a test that failed. */
export function endMarked(mark: string): void {
  if (mark.length < 12) throw new Error('A mark must be unique.')
  for (const pid of marked(mark)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has gone by itself.
    }
  }
}

/** Dead children that their parent has not collected. */
export function zombiesUnder(parent: number): number[] {
  return pids().filter((pid) => {
    const state = stateOf(pid)
    return state?.state === 'Z' && state.parent === parent
  })
}

export function isAlive(pid: number): boolean {
  const state = stateOf(pid)
  return state !== undefined && state.state !== 'Z'
}

/** Resident memory in bytes; undefined when the process has gone. */
export function residentBytes(pid: number): number | undefined {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))
  return line?.[1] === undefined ? undefined : Number(line[1]) * 1024
}

/** Connections that the server at this port holds open. */
export function connectionsAt(port: number): number {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const established = '01'
  return read('/proc/net/tcp')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(`:${hex}`) && fields[3] === established).length
}

function pids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
}

function commandLineOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

function stateOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  const [state = '', parent = '0'] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent) }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // The process has gone meanwhile.
  }
}
