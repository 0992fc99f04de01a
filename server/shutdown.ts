/** What SIGINT and SIGTERM do: the first ends everything in order within 5 s, the second at once (R3). */

/** The process around the shutdown, so that a test can play it. */
export interface ShutdownParts {
  /** Requests are refused from now on. */
  stopAccepting(): void
  /** Ends running turns as `disposed`; resolves when everything is at rest. */
  disposeAll(): Promise<void>
  /** Says goodbye on the event streams and closes them. */
  closeStreams(): void
  /** Writes what is left and lets go of the data folder. Nothing can be logged afterwards. */
  close(): void
  /** SIGKILL to every process that a tool has started. */
  endAllCommands(): void
  /** For the person at the terminal. */
  say(message: string): void
  warn(message: string): void
  exit(code: number): void
}

/** Milliseconds that running turns get to come to rest; the rest of the 5 s is for saying goodbye. */
export const restDeadline = 4400
/** Milliseconds for the last frames to leave. */
const goodbyeTime = 50
/**
 * The same signal so soon after the first is the same key press, in milliseconds. A terminal sends it to npm and to the server, and
 * npm passes its own on to the server, on a busy machine noticeably later. Anywhere else a second signal is a second signal.
 */
export const samePress = { alone: 0, behindNpm: 500 } as const

const exitCodes: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

export class Shutdown {
  #first: { readonly at: number; readonly name: NodeJS.Signals } | undefined

  constructor(
    private readonly parts: ShutdownParts,
    private readonly place: keyof typeof samePress = 'alone',
  ) {}

  /** Called for every signal. */
  signal(name: NodeJS.Signals): void {
    const now = performance.now()
    if (this.#first === undefined) {
      this.#first = { at: now, name }
      this.#end().catch((error: unknown) => {
        this.parts.warn(`The shutdown failed: ${String(error)}`)
        this.#exitNow(1)
      })
    } else if (name !== this.#first.name || now - this.#first.at >= samePress[this.place]) {
      this.#exitNow(exitCodes[name] ?? 1)
    }
  }

  /** What is not at rest by the deadline stays open in the log and is closed as `orphaned` at the next start, never a false `disposed`. */
  async #end(): Promise<void> {
    const { parts } = this
    parts.stopAccepting()
    parts.say('Belay is stopping. Ctrl+C again exits at once.')
    const rest = await settledWithin(parts.disposeAll(), restDeadline)
    if (rest === 'late') parts.warn('Something did not come to rest in time; its turn is closed at the next start.')
    parts.closeStreams()
    await pause(goodbyeTime)
    parts.close()
    this.#exitNow(0)
  }

  #exitNow(code: number): void {
    this.parts.endAllCommands()
    this.parts.exit(code)
  }
}

/** Where this process stands: `npm start` in a terminal is the one case in which one press arrives twice. */
export function placeOf(
  env: Readonly<Record<string, string | undefined>>,
  hasTerminal: boolean,
): keyof typeof samePress {
  return env.npm_lifecycle_event === 'start' && hasTerminal ? 'behindNpm' : 'alone'
}

/** Listens for the signals. Returns the undo. */
export function listenForSignals(shutdown: Shutdown): () => void {
  const listener = (name: NodeJS.Signals) => shutdown.signal(name)
  // A closed terminal is a reason to go; a server without one (nohup) outlives it.
  const names: NodeJS.Signals[] = process.stdout.isTTY ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGINT', 'SIGTERM']
  for (const name of names) process.on(name, listener)
  return () => {
    for (const name of names) process.off(name, listener)
  }
}

/** The only place that stops waiting for something: the process ends right after. */
async function settledWithin(work: Promise<void>, ms: number): Promise<'settled' | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms)
  })
  const first = await Promise.race([work.then(() => 'settled' as const), late])
  clearTimeout(timer)
  return first
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
