/** Looks for marked processes in Linux's process table, without the help of the code under test. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'

export interface SeenProcess {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly state: string
}

/** A word that no other process carries. */
export function newMark(): string {
  return `mark-${randomUUID()}`
}

/** Living processes that carry the mark in their command line or their environment. */
export function marked(mark: string): SeenProcess[] {
  return table().filter(
    ({ pid, state }) =>
      state !== 'Z' &&
      pid !== process.pid &&
      (read(pid, 'cmdline').includes(mark) || read(pid, 'environ').includes(mark)),
  )
}

/** Children of this process that ended and were never reaped. */
export function zombiesHere(): SeenProcess[] {
  return table().filter(({ parent, state }) => parent === process.pid && state === 'Z')
}

export function groupOf(pid: number): number | undefined {
  return table().find((one) => one.pid === pid)?.group
}

function table(): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = read(Number(name), 'stat')
      const [state = '', parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return stat === '' ? [] : [{ pid: Number(name), state, parent: Number(parent), group: Number(group) }]
    })
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    // It ended between the two looks.
    return ''
  }
}
