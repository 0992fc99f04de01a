/** A place where a turn waits for the world: a reply, a tool, a gated hook, a slow flush. The same for the runtime and for the model. */

export type GatePlace = 'promptSubmit' | 'beforeStep' | 'continueDecision' | 'turnStop' | 'flush'
export type Place = GatePlace | 'reply' | 'retry' | 'write' | 'read'

/** How the world lets a turn go on. Where a command means nothing it is ignored. */
export type Command =
  | 'finish'
  | 'fail'
  | 'speak'
  | 'stumble'
  | 'cut-short'
  | 'call'
  | 'call-two-writes'
  | 'call-two-reads'
  | 'block'
  | 'again'

/** What reaches the one who waits: a command, or that the signal has been heard. */
export type News = Command | 'stopped'

const replyCommands: readonly Command[] = ['speak', 'stumble', 'cut-short', 'call', 'call-two-writes', 'call-two-reads']

export class Point {
  readonly #news: News[] = []
  #asked = false
  #over = false

  constructor(
    readonly place: Place,
    private deaf = false,
    private readonly heard: () => void = () => undefined,
  ) {}

  /** True once it is settled how this wait ends; only the one who waits has to notice. */
  get over(): boolean {
    return this.#over
  }

  tell(command: Command): void {
    if (this.#over || !understands(this.place, command)) return
    this.#over = command !== 'speak'
    this.#report(command)
  }

  /** The signal is out. A deaf wait hears of it only after its release. */
  abort(): void {
    this.#asked = true
    if (!this.deaf) this.#stop()
  }

  deafen(): void {
    if (this.place !== 'retry') this.deaf = true
  }

  release(): void {
    this.deaf = false
    if (this.#asked) this.#stop()
  }

  /** The oldest news that nobody has taken yet. */
  take(): News | undefined {
    return this.#news.shift()
  }

  #stop(): void {
    if (this.#over) return
    this.#over = true
    this.#report('stopped')
  }

  #report(news: News): void {
    this.#news.push(news)
    this.heard()
  }
}

function understands(place: Place, command: Command): boolean {
  if (command === 'finish') return true
  if (command === 'fail') return place !== 'retry'
  if (command === 'block') return place === 'promptSubmit'
  if (command === 'again') return place === 'continueDecision'
  return place === 'reply' && replyCommands.includes(command)
}
