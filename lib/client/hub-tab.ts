/** One tab at the hub: what it shows, what it was promised, and what is on its way to it. */
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'
import type { ToTab } from './connection'
import { FrameQueue } from './frame-queue'
import type { HubPorts } from './hub-ports'

/** Milliseconds between two messages to one tab; the first piece after a pause goes at once. */
const flushEvery = 4

export class HubTab {
  sessions: ReadonlySet<SessionId> = new Set()
  /** The last wish, the last wish that named a session anew, and the last of those that a stream was opened after. */
  ticket = 0
  needed = 0
  covered = 0
  readonly #post: (message: ToTab) => void
  readonly #ports: Pick<HubPorts, 'now' | 'later'>
  readonly #queue = new FrameQueue()
  #lastFlush = Number.NEGATIVE_INFINITY
  #cancelFlush: (() => void) | null = null

  constructor(post: (message: ToTab) => void, ports: Pick<HubPorts, 'now' | 'later'>) {
    this.#post = post
    this.#ports = ports
  }

  /** Sends a frame, at once or with what follows in the next few milliseconds. */
  send(frame: Frame): void {
    this.#queue.push(frame)
    if (this.#cancelFlush) return
    const wait = this.#lastFlush + flushEvery - this.#ports.now()
    if (wait <= 0) this.#flush()
    else this.#cancelFlush = this.#ports.later(wait, () => this.#flush())
  }

  /** Says something else, behind every frame before it. */
  tell(message: Exclude<ToTab, { type: 'frames' }>): void {
    this.#flush()
    this.#post(message)
  }

  /** Nothing reaches it any more. */
  leave(): void {
    this.#cancelFlush?.()
  }

  #flush(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = null
    if (this.#queue.isEmpty) return
    this.#lastFlush = this.#ports.now()
    this.#post({ type: 'frames', frames: this.#queue.take() })
  }
}
