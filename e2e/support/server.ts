/** A Belay server of the production build in a process of its own: fresh data folder, free port, known token; stopped, killed and started again at will. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Api } from './api'
import { freePort } from './free-port'
import { ask } from './http'
import { pause } from './scale'

export const projectRoot = path.resolve(fileURLToPath(new URL('../..', import.meta.url)))
const nextBin = path.join(projectRoot, 'node_modules/next/dist/bin/next')

export interface BelayOptions {
  /** Added to a bare environment: no provider, no key, no display. An undefined value removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
  readonly workspace?: string
  readonly port?: number
  /** What is started; the production server as `npm start` would run it, without its look at sources and packages. */
  readonly command?: (place: { readonly port: number }) => { readonly args: readonly string[]; readonly cwd: string }
  /** Milliseconds until the server must answer. */
  readonly within?: number
}

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Milliseconds from the signal to the end of the process. */
  readonly tookMs: number
}

export class Belay {
  readonly token = 'e2e-token-0123456789'
  readonly api: Api
  stdout = ''
  stderr = ''
  #child: ChildProcess | undefined
  #ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }> | undefined

  private constructor(
    readonly home: string,
    readonly workspace: string,
    readonly port: number,
    private readonly options: BelayOptions,
    private readonly folder: string | undefined,
  ) {
    this.api = new Api(this)
  }

  /** Starts a server and waits until it answers. */
  static async start(options: BelayOptions = {}): Promise<Belay> {
    const belay = await Belay.prepare(options)
    await belay.startAgain()
    return belay
  }

  /** The folders and the port, without a process yet. */
  static async prepare(options: BelayOptions = {}): Promise<Belay> {
    const folder = mkdtempSync(path.join(tmpdir(), 'belay-e2e-'))
    const home = options.home ?? path.join(folder, 'home')
    const workspace = options.workspace ?? path.join(folder, 'workspace')
    mkdirSync(workspace, { recursive: true })
    return new Belay(home, workspace, options.port ?? (await freePort()), options, folder)
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    const pid = this.#child?.pid
    if (pid === undefined) throw new Error('The server is not running.')
    return pid
  }

  /** Starts the process on the same home and port. @throws Error with its output when it does not come up. */
  async startAgain(): Promise<void> {
    this.launch()
    const deadline = performance.now() + (this.options.within ?? 30_000)
    for (;;) {
      const health = await ask(`${this.url}/api/health`).catch(() => undefined)
      if (health?.status === 200) return
      if (this.#child === undefined || performance.now() > deadline) {
        throw new Error(`The server did not come up.\n${this.stdout}\n${this.stderr}`)
      }
      await pause(25)
    }
  }

  /** Starts the process and does not wait for anything: for servers that are expected to refuse. */
  launch(): void {
    const { command, env } = this.options
    const { args, cwd } = command?.({ port: this.port }) ?? {
      args: [nextBin, 'start', '--hostname', '127.0.0.1', '--port', String(this.port)],
      cwd: projectRoot,
    }
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: withoutUndefined({ ...bareEnvironment(), ...this.#own(), ...env }),
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString()
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString()
    })
    this.#child = child
    this.#ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        if (this.#child === child) this.#child = undefined
        resolve({ code, signal })
      })
    })
  }

  /** Sends a signal and waits for nothing. */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  /** Sends a signal and waits for the end of the process. Kills it after 20 s, which no test expects. */
  async stop(name: NodeJS.Signals = 'SIGTERM'): Promise<Exit> {
    const startedAt = performance.now()
    const ended = this.exited()
    this.signal(name)
    const timer = setTimeout(() => this.signal('SIGKILL'), 20_000)
    const { code, signal } = await ended
    clearTimeout(timer)
    return { code, signal, tookMs: performance.now() - startedAt }
  }

  /** Resolves when the process has ended by whatever cause. */
  async exited(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    return (await this.#ended) ?? { code: null, signal: null }
  }

  /** Ends the process as a power cut would end it. */
  async kill9(): Promise<void> {
    await this.stop('SIGKILL')
  }

  /** Ends the process and starts a new one on the same folder and port. */
  async restart(name: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    await this.stop(name)
    await this.startAgain()
  }

  /** Ends the process if it runs and removes its folders. */
  async dispose(): Promise<void> {
    if (this.#child) await this.stop()
    if (this.folder) rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  #own(): Record<string, string> {
    return {
      NODE_ENV: 'production',
      NEXT_MANUAL_SIG_HANDLE: '1',
      NEXT_TELEMETRY_DISABLED: '1',
      CI: 'true',
      PORT: String(this.port),
      HOST: '127.0.0.1',
      BELAY_HOME: this.home,
      BELAY_WORKSPACE: this.workspace,
      BELAY_TOKEN: this.token,
    }
  }
}

/** Of this process's environment only what any program needs, so that no key of the developer decides a test. */
function bareEnvironment(): Record<string, string | undefined> {
  const { PATH, HOME, SHELL, LANG, TMPDIR, USER } = process.env
  return { PATH, HOME, SHELL, LANG, TMPDIR, USER }
}

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as NodeJS.ProcessEnv
}
