/** One shell command as a tree of processes: started in its own group, ended as a whole, gone when it says so (T3, T4). */
import { type ChildProcess, spawn } from 'node:child_process'
import { enterCommand } from './live-commands'
import {
  type CallIdentity,
  descendantsOf,
  findProcesses,
  findProcessesNow,
  hasProcessTable,
  keyOf,
  type ProcessEntry,
  signalGroup,
  signalProcess,
} from './process-table'

/** Between SIGTERM and SIGKILL (T4). */
const graceMs = 2000
/** After the shell's own end: how long its output may still be coming. */
const drainMs = 500
/** After everything is gone: how long what is in the pipe may take, should a stranger hold it open. */
const lastReadMs = 250
/** Bytes read before the next 16 ms begin; a flood waits in the pipe, so it slows itself down. */
const bytesPerTick = 256 * 1024
const tickMs = 16

export interface CommandSpec {
  /** The full path of the shell; it gets `-c` and the command. */
  readonly shell: string
  readonly command: string
  readonly workspace: string
  /** Holds the mark as `BELAY_CALL_ID`. */
  readonly environment: Record<string, string>
  readonly mark: string
  /** Gets stdout and stderr as they come, in the order in which they were written. */
  onOutput(bytes: Buffer): void
}

export interface CommandEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Processes that were still running when the shell had ended by itself, and were ended with it. */
  readonly leftBehind: number
  /** Pids of another user's processes, which we may not signal. */
  readonly refused: readonly number[]
}

export class CommandProcess {
  readonly pid: number
  /** Resolves when no process of the command is left and its output has been read. Never rejects. */
  readonly gone: Promise<CommandEnd>

  readonly #child: ChildProcess
  readonly #call: CallIdentity & { readonly known: Set<string>; readonly leader: { pid: number; isReaped: boolean } }
  readonly #leave: () => void
  #exit: { exitCode: number | null; signal: NodeJS.Signals | null } | undefined
  #outputEnded = false
  #stoppedAt: number | undefined
  #isKilled = false
  #wake: () => void = () => undefined
  readonly #refused = new Set<number>()
  readonly #askedToEnd = new Set<string>()

  private constructor(spec: CommandSpec, child: ChildProcess, pid: number) {
    this.pid = pid
    this.#child = child
    this.#call = { mark: spec.mark, leader: { pid, isReaped: false }, known: new Set() }
    this.#leave = enterCommand({ killNow: () => this.#killNow() })
    child.on('exit', (exitCode, signal) => {
      this.#call.leader.isReaped = true
      this.#exit = { exitCode, signal }
      this.#wake()
    })
    child.on('error', () => {
      // Once it runs, this only says that a signal could not be sent; we send ours by other ways.
    })
    this.#read(spec.onOutput)
    this.gone = this.#run()
  }

  /** Starts the command. Resolves once the system has accepted it. @throws the system's error when it has not. */
  static async start(spec: CommandSpec): Promise<CommandProcess> {
    // The outer shell only joins stderr to stdout, so that both arrive in order, and becomes the wanted shell.
    const child = spawn('/bin/sh', ['-c', 'exec "$0" -c "$1" 2>&1', spec.shell, spec.command], {
      cwd: spec.workspace,
      // Next's types want NODE_ENV in every environment; a command is not part of Next.
      env: spec.environment as NodeJS.ProcessEnv,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const { pid } = child
    if (pid !== undefined) return new CommandProcess(spec, child, pid)
    return new Promise((_resolve, reject) => child.once('error', reject))
  }

  /** The shell itself has ended; what it left behind may still be running. */
  get hasEnded(): boolean {
    return this.#exit !== undefined
  }

  /** SIGTERM to the whole tree now, SIGKILL two seconds later. Does nothing the second time. */
  stop(): void {
    if (this.#stoppedAt !== undefined) return
    this.#stoppedAt = performance.now()
    this.#signalTree('SIGTERM')
    this.#wake()
  }

  /** SIGKILL to the whole tree now, also while `stop` is waiting. */
  kill(): void {
    this.#stoppedAt ??= performance.now()
    this.#isKilled = true
    this.#signalTree('SIGKILL')
    this.#wake()
  }

  async #run(): Promise<CommandEnd> {
    await this.#until(() => this.#exit !== undefined || this.#stoppedAt !== undefined)
    const endedByItself = this.#stoppedAt === undefined
    await this.#until(() => this.#outputEnded || this.#stoppedAt !== undefined, drainMs)
    let left = await this.#left()
    // What has just closed its output needs a moment to be over; it has not been left behind.
    for (let looks = 0; left > 0 && looks < 4 && this.#stoppedAt === undefined; looks++) {
      await this.#pause(25)
      left = await this.#left()
    }
    if (left > 0) await this.#endTree()
    await this.#until(() => this.#outputEnded, lastReadMs)
    this.#child.stdout?.destroy()
    this.#leave()
    const { exitCode = null, signal = null } = this.#exit ?? {}
    return { exitCode, signal, leftBehind: endedByItself ? left : 0, refused: [...this.#refused] }
  }

  /** Asks, waits out the grace, then kills until nothing is left. */
  async #endTree(): Promise<void> {
    this.stop()
    const deadline = (this.#stoppedAt ?? 0) + graceMs
    for (let pause = 20; !this.#isKilled; pause = Math.min(2 * pause, 320)) {
      if ((await this.#left('SIGTERM')) === 0) return
      const remaining = deadline - performance.now()
      if (remaining <= 0) break
      // As long as the shell lives there is no need to look at anything else.
      if (this.#exit) await this.#pause(Math.min(pause, remaining))
      else await this.#until(() => this.#exit !== undefined || this.#isKilled, remaining)
    }
    this.#isKilled = true
    this.#signalTree('SIGKILL')
    // Nothing seen twice in a row: between two looks at the table a process may have forked and died.
    for (let empty = 0, pause = 10; empty < 2; pause = Math.min(2 * pause, 200)) {
      empty = (await this.#left('SIGKILL')) === 0 ? empty + 1 : 0
      if (empty < 2) await this.#pause(pause)
    }
  }

  /** How many processes are left that can be ended, the shell included; signals each, SIGTERM only once. */
  async #left(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    if (!hasProcessTable) return this.#leftInGroup(signal)
    const found = await findProcesses(this.#call)
    let left = 0
    for (const entry of found) {
      this.#call.known.add(keyOf(entry))
      const answer = signal ? this.#signalOnce(entry, signal) : 'signalled'
      if (answer === 'refused') this.#refused.add(entry.pid)
      else if (entry.pid !== this.pid) left += 1
    }
    return left + (this.#exit || this.#refused.has(this.pid) ? 0 : 1)
  }

  #signalOnce(entry: ProcessEntry, signal: 'SIGTERM' | 'SIGKILL') {
    // Many programs take a second SIGTERM for impatience. The shell has had its own with the group's.
    if (signal === 'SIGTERM' && (entry.pid === this.pid || this.#askedToEnd.has(keyOf(entry)))) return 'signalled'
    this.#askedToEnd.add(keyOf(entry))
    return signalProcess(entry, signal)
  }

  #leftInGroup(signal?: NodeJS.Signals): number {
    const left = signalGroup(this.pid, 0) === 'signalled' ? 1 : 0
    if (left > 0 && signal) signalGroup(this.pid, signal)
    return left
  }

  /** The quick part: the group in one go, and the descendants that have left it. While the shell is not reaped its number is ours. */
  #signalTree(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#call.leader.isReaped) return
    const descendants = hasProcessTable ? descendantsOf(this.pid) : []
    signalGroup(this.pid, signal)
    for (const entry of descendants) {
      this.#call.known.add(keyOf(entry))
      if (entry.group === this.pid) this.#askedToEnd.add(keyOf(entry))
      else this.#signalOnce(entry, signal)
    }
    // A stopped process takes SIGTERM only once it goes on.
    if (signal === 'SIGTERM') signalGroup(this.pid, 'SIGCONT')
  }

  #killNow(): void {
    this.#signalTree('SIGKILL')
    if (hasProcessTable) for (const entry of findProcessesNow(this.#call)) signalProcess(entry, 'SIGKILL')
    else signalGroup(this.pid, 'SIGKILL')
  }

  #read(onOutput: (bytes: Buffer) => void): void {
    const stream = this.#child.stdout
    let tickEnds = 0
    let budget = 0
    stream?.on('data', (bytes: Buffer) => {
      onOutput(bytes)
      const now = performance.now()
      if (now >= tickEnds) {
        tickEnds = now + tickMs
        budget = bytesPerTick
      }
      budget -= bytes.length
      if (budget > 0) return
      stream.pause()
      setTimeout(() => stream.resume(), tickEnds - now)
    })
    stream?.on('error', () => {
      // A broken pipe is an ended pipe; 'close' follows.
    })
    stream?.on('close', () => {
      this.#outputEnded = true
      this.#wake()
    })
  }

  /** Waits until the condition holds, looking again at every turn of events, at most `ms`. */
  async #until(holds: () => boolean, ms = Number.POSITIVE_INFINITY): Promise<void> {
    const deadline = performance.now() + ms
    while (!holds()) {
      const remaining = deadline - performance.now()
      if (remaining <= 0) return
      await this.#pause(remaining)
    }
  }

  /** Waits `ms`, or until something happens. */
  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(ms) ? setTimeout(() => this.#wake(), ms) : undefined
      this.#wake = () => {
        this.#wake = () => undefined
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
