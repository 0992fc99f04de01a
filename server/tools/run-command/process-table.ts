/** Reads Linux's process table and signals what it found, never a process that has taken over a number. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { callVariable } from './command-environment'

/** False where the system has no `/proc` (macOS): there only process groups can be ended, and a `setsid` shell escapes. */
export const hasProcessTable = existsSync('/proc/self/environ')

export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** `Z` (waits to be reaped) and `X` are over. */
  readonly state: string
  readonly isKernelThread: boolean
  /** Clock ticks since boot. With the pid it names a process for good. */
  readonly startTime: string
}

/** The call a process belongs to. */
export interface CallIdentity {
  /** The value of `BELAY_CALL_ID`, unique for ever. */
  readonly mark: string
  /** The shell: leader of its own group and session. */
  readonly leader: { readonly pid: number; readonly isReaped: boolean }
  /** Processes that were seen to belong to it, by `keyOf`. */
  readonly known: ReadonlySet<string>
}

export function keyOf(entry: Pick<ProcessEntry, 'pid' | 'startTime'>): string {
  return `${entry.pid}@${entry.startTime}`
}

/** The living processes of a call: marked in their environment, in the shell's group or session, seen before, or descended from one of these. Gives way between slices. */
export async function findProcesses(call: CallIdentity): Promise<ProcessEntry[]> {
  const search = searching(call)
  for (let next = search.next(); ; next = search.next()) {
    if (next.done) return next.value
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** The same without giving way, for the last moment of the server. Takes some 10 ms. */
export function findProcessesNow(call: CallIdentity): ProcessEntry[] {
  const search = searching(call)
  for (let next = search.next(); ; next = search.next()) if (next.done) return next.value
}

/** The descendants of a process as they stand right now, itself left out. Costs only as much as there are. */
export function descendantsOf(pid: number): ProcessEntry[] {
  const found: ProcessEntry[] = []
  const waiting = [pid]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const children = readOrNone(`/proc/${next}/task/${next}/children`)?.toString('latin1').split(' ') ?? []
    for (const child of children) {
      const entry = child.trim() === '' ? undefined : entryOf(Number(child))
      if (!entry || found.some((other) => other.pid === entry.pid)) continue
      found.push(entry)
      waiting.push(entry.pid)
    }
  }
  return found.filter(isAlive)
}

/** Signals a process if it still is the one that was seen. `refused`: it belongs to another user. */
export function signalProcess(seen: ProcessEntry, signal: NodeJS.Signals): 'signalled' | 'over' | 'refused' {
  const now = entryOf(seen.pid)
  if (!now || now.startTime !== seen.startTime || !isAlive(now) || seen.pid <= 1) return 'over'
  return send(seen.pid, signal)
}

/** Signals a whole group. The caller knows that the group is still its own. Never group 0 or 1. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): 'signalled' | 'over' | 'refused' {
  if (!Number.isInteger(group) || group <= 1) return 'over'
  return send(-group, signal)
}

function send(target: number, signal: NodeJS.Signals | 0): 'signalled' | 'over' | 'refused' {
  try {
    process.kill(target, signal)
    return 'signalled'
  } catch (error) {
    // ESRCH: it ended a moment ago. EPERM is the only other answer the system has.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'over'
  }
}

const sliceSize = 48
/** PF_KTHREAD in the flags of `/proc/PID/stat`. */
const kernelThreadFlag = 0x0020_0000

/**
 * The mark that a process was started with, or that it has none, by `keyOf`. Reading environments is the dear part, and nobody
 * acquires a mark later in life: only the shell itself is seen before its `exec`, and that one is known by its number.
 */
let marks = new Map<string, string>()

function* searching(call: CallIdentity): Generator<void, ProcessEntry[]> {
  const evidence: Evidence = {
    // Once the shell is reaped its number may be given to a stranger, though not while a group or session still carries it.
    group: call.leader.isReaped && entryOf(call.leader.pid) ? undefined : call.leader.pid,
    mark: call.mark,
    known: call.known,
  }
  const seenMarks = new Map<string, string>()
  const byParent = new Map<number, ProcessEntry[]>()
  const ours = new Map<number, ProcessEntry>()
  let read = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    read += 1
    if (read % sliceSize === 0) yield
    const entry = entryOf(Number(name))
    if (!entry || isOutOfReach(entry)) continue
    const mark = markOf(entry)
    if (mark !== undefined) seenMarks.set(keyOf(entry), mark)
    const siblings = byParent.get(entry.parent)
    if (siblings) siblings.push(entry)
    else byParent.set(entry.parent, [entry])
    if (belongs(entry, mark, evidence)) ours.set(entry.pid, entry)
  }
  marks = seenMarks
  for (const entry of ours.values()) {
    for (const child of byParent.get(entry.pid) ?? []) ours.set(child.pid, child)
  }
  return [...ours.values()].filter(isAlive)
}

/** This process, the first one, and the kernel's own threads. */
function isOutOfReach(entry: ProcessEntry): boolean {
  return entry.pid === process.pid || entry.pid <= 1 || entry.isKernelThread
}

/** Empty: it has none. Nothing: it could not be told this time. */
function markOf(entry: ProcessEntry): string | undefined {
  const known = marks.get(keyOf(entry))
  if (known !== undefined) return known
  const environ = readOrNone(`/proc/${entry.pid}/environ`)
  if (!environ || environ.length === 0) return undefined
  const at = environ.indexOf(`${callVariable}=`)
  if (at === -1) return ''
  const end = environ.indexOf(0, at)
  return environ.toString('latin1', at + callVariable.length + 1, end === -1 ? undefined : end)
}

interface Evidence {
  readonly group: number | undefined
  readonly mark: string
  readonly known: ReadonlySet<string>
}

function belongs(entry: ProcessEntry, mark: string | undefined, evidence: Evidence): boolean {
  const { group, known } = evidence
  return entry.group === group || entry.session === group || mark === evidence.mark || known.has(keyOf(entry))
}

function entryOf(pid: number): ProcessEntry | undefined {
  const stat = readOrNone(`/proc/${pid}/stat`)?.toString('latin1')
  if (stat === undefined) return undefined
  // The name stands in parentheses and may hold any character; the fields follow the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = 'X', parent, group, session] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    state,
    isKernelThread: (Number(fields[6]) & kernelThreadFlag) !== 0,
    startTime: fields[19] ?? '',
  }
}

function isAlive(entry: ProcessEntry): boolean {
  return entry.state !== 'Z' && entry.state !== 'X'
}

function readOrNone(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    // The process is over, or it is another user's.
    return undefined
  }
}
