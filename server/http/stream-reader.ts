/** One reader of the event stream: its replay at its own pace, its backlog, and its end (W6, W7, W8). */
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'
import { encodeFrame, encodeHello, eventFrame } from './frame'
import type { StreamSource } from './stream-source'

/** Bytes that may wait for a reader before it is dropped; it resumes by id (W8). */
export const backlogLimit = 4 * 1024 * 1024
/** Bytes that are prepared ahead while a replay runs. */
const replayAhead = 64 * 1024
const replayPage = 200

export interface ReaderHooks {
  /** The replay has caught up: from this very tick on the reader takes part in the live stream. */
  readonly joined: (reader: StreamReader) => void
  /** The reader is gone, whoever ended it. */
  readonly ended: (reader: StreamReader) => void
  /** The frames between the replay and the live stream: changed summaries, then open drafts. */
  readonly catchUp: (sessionIds: readonly SessionId[], after: number | undefined) => readonly Frame[]
}

export class StreamReader {
  readonly stream: ReadableStream<Uint8Array>
  readonly #source: StreamSource
  readonly #hooks: ReaderHooks
  readonly #sessions: ReadonlySet<SessionId>
  readonly #sessionIds: readonly SessionId[]
  readonly #after: number | undefined
  #cursor = 0
  #state: 'replaying' | 'live' | 'ended' = 'replaying'
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(
    source: StreamSource,
    asked: { readonly sessions: readonly SessionId[]; readonly after: number | undefined },
    hooks: ReaderHooks,
  ) {
    this.#source = source
    this.#hooks = hooks
    this.#sessionIds = asked.sessions
    this.#sessions = new Set(asked.sessions)
    const position = source.position()
    const ahead = asked.after !== undefined && asked.after > position
    this.#after = ahead ? undefined : asked.after
    this.#cursor = this.#after ?? position
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
          controller.enqueue(encodeHello({ runtimeId: source.runtimeId, position }))
          if (ahead) this.#frames([{ event: 'reset', data: {} }])
          if (this.#after === undefined || this.#sessionIds.length === 0) this.#join()
        },
        pull: () => this.#replay(),
        cancel: () => this.#end(),
      },
      { highWaterMark: replayAhead, size: (chunk) => chunk.byteLength },
    )
  }

  wants(sessionId: SessionId): boolean {
    return this.#sessions.has(sessionId)
  }

  /** Sends live bytes. A reader that does not read is dropped here; it costs the others nothing. */
  write(bytes: Uint8Array): void {
    if (this.#state !== 'live' || !this.#controller) return
    const backlog = replayAhead - (this.#controller.desiredSize ?? replayAhead)
    if (backlog >= backlogLimit) this.#drop()
    else this.#controller.enqueue(bytes)
  }

  /** Sends a last frame and closes. */
  close(last: Uint8Array): void {
    if (this.#state === 'ended') return
    this.#controller?.enqueue(last)
    this.#controller?.close()
    this.#end()
  }

  /** One page of what was missed; the log is the truth, so nothing has to be kept meanwhile. */
  #replay(): void {
    if (this.#state !== 'replaying') return
    const events = this.#source.since(this.#cursor, this.#sessionIds, replayPage)
    this.#cursor = events.at(-1)?.position ?? this.#cursor
    this.#frames(events.map(eventFrame))
    if (events.length < replayPage) this.#join()
  }

  #join(): void {
    this.#frames(this.#hooks.catchUp(this.#sessionIds, this.#after))
    this.#state = 'live'
    this.#hooks.joined(this)
  }

  #frames(frames: readonly Frame[]): void {
    if (frames.length > 0) this.#controller?.enqueue(Buffer.concat(frames.map(encodeFrame)))
  }

  /** An error, not a close: what waits for the reader is given up with it. The name makes it an ordinary end for the server. */
  #drop(): void {
    this.#controller?.error(new DOMException('The reader does not read.', 'AbortError'))
    this.#end()
  }

  #end(): void {
    if (this.#state === 'ended') return
    this.#state = 'ended'
    this.#hooks.ended(this)
  }
}
