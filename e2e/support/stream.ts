/** Reads the event stream as a program would, every frame validated and stamped with the moment at which it arrived. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { EventOf, EventType, SessionEvent } from '@/lib/contract/events'
import type { Session } from '@/lib/contract/session'
import { type Frame, type FrameName, frameSchemas } from '@/lib/contract/stream'
import type { Door } from './api'
import { connect } from './http'

export type Received = Frame & {
  readonly id: string | undefined
  /** `performance.now()` of this process. */
  readonly at: number
}

export interface StreamOptions {
  readonly sessions?: readonly string[]
  readonly after?: number
  readonly lastEventId?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Another address than the server's own, such as a proxy. */
  readonly through?: string
}

export class StreamReading {
  readonly frames: Received[] = []
  /** Arrival times of the keep-alive comments. */
  readonly comments: { readonly text: string; readonly at: number }[] = []
  lastEventId: string | undefined
  /** Set when the server has ended the stream or the connection was lost. */
  endedAt: number | undefined
  /** Each received chunk of the body. */
  readonly chunks: Buffer[] = []
  readonly #looking = new Set<() => void>()

  private constructor(
    private readonly response: IncomingMessage,
    /** When the request was sent, on the clock of `Received.at`. */
    readonly askedAt: number,
  ) {
    const decoder = new TextDecoder()
    const parser = createParser({
      onEvent: (event) => {
        const name = event.event as FrameName
        const schema = frameSchemas[name]
        if (!schema) throw new Error(`Unknown frame ${String(event.event)}`)
        const data: unknown = schema.parse(JSON.parse(event.data))
        if (event.id !== undefined && event.id !== '') this.lastEventId = event.id
        this.frames.push({ event: name, data, id: event.id, at: performance.now() } as Received)
        this.#look()
      },
      onComment: (text) => {
        this.comments.push({ text, at: performance.now() })
        this.#look()
      },
    })
    const ended = () => {
      this.endedAt ??= performance.now()
      this.#look()
    }
    response.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk)
      parser.feed(decoder.decode(chunk, { stream: true }))
    })
    response.on('end', ended)
    response.on('close', ended)
    response.on('error', ended) // a killed server: an end like any other for a reader
  }

  static async open(door: Door, options: StreamOptions = {}): Promise<StreamReading> {
    const query = new URLSearchParams()
    if (options.sessions?.length) query.set('sessions', options.sessions.join(','))
    if (options.after !== undefined) query.set('after', String(options.after))
    const text = query.toString()
    const askedAt = performance.now()
    const response = await connect(`${options.through ?? door.url}/api/stream${text && `?${text}`}`, {
      headers: {
        authorization: `Bearer ${door.token}`,
        ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
        ...options.headers,
      },
    })
    const reading = new StreamReading(response, askedAt)
    if (response.statusCode !== 200) throw new Error(`The stream was refused: ${response.statusCode}`)
    return reading
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers
  }

  /** The first frame, from index `from` on, that `matches`; waits for it. Rejects after `within` ms, saying what came last. */
  until<T extends Received>(
    matches: (frame: Received) => frame is T,
    options?: { within?: number; from?: number },
  ): Promise<T>
  until(matches: (frame: Received) => boolean, options?: { within?: number; from?: number }): Promise<Received>
  until(matches: (frame: Received) => boolean, { within = 15_000, from = 0 } = {}): Promise<Received> {
    let next = from
    return this.#wait(within, () => {
      for (; next < this.frames.length; next += 1) {
        const frame = this.frames[next]
        if (frame && matches(frame)) return frame
      }
      return undefined
    })
  }

  /** The first event of this type that matches; waits for it. */
  async event<T extends EventType>(
    type: T,
    matches: (event: EventOf<T>) => boolean = () => true,
    options?: { within?: number; from?: number },
  ): Promise<EventOf<T> & { readonly arrivedAt: number }> {
    const frame = await this.until(
      (each) => each.event === 'session-event' && each.data.type === type && matches(each.data as EventOf<T>),
      options,
    )
    return { ...(frame.data as EventOf<T>), arrivedAt: frame.at }
  }

  /** The first summary of a session that matches; waits for it. */
  async summary(id: string, matches: (session: Session) => boolean, options?: { within?: number; from?: number }) {
    const frame = await this.until(
      (each) => each.event === 'session' && each.data.id === id && matches(each.data),
      options,
    )
    return frame.data as Session
  }

  /** Waits until the streamed text (deltas of kind text) of a session satisfies `matches`, and returns it. */
  text(
    id: string,
    matches: (text: string) => boolean,
    options: { within?: number; from?: number } = {},
  ): Promise<string> {
    let text = ''
    return this.until((frame) => {
      if (frame.event !== 'delta' || frame.data.sessionId !== id || frame.data.kind !== 'text') return false
      text = frame.data.offset === 0 ? frame.data.text : text + frame.data.text
      return matches(text)
    }, options).then(() => text)
  }

  /** Resolves when the stream is over, with the time. */
  over(within = 15_000): Promise<number> {
    return this.#wait(within, () => this.endedAt)
  }

  /** Resolves at the first keep-alive comment. */
  keptAlive(within: number): Promise<{ readonly text: string; readonly at: number }> {
    return this.#wait(within, () => this.comments[0])
  }

  events(id?: string): SessionEvent[] {
    return this.frames.flatMap((frame) =>
      frame.event === 'session-event' && (id === undefined || frame.data.sessionId === id) ? [frame.data] : [],
    )
  }

  /** The client goes, without a word. */
  close(): void {
    this.response.destroy()
  }

  #look(): void {
    for (const look of [...this.#looking]) look()
  }

  #wait<T>(within: number, find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer)
        this.#looking.delete(look)
        then()
      }
      const look = () => {
        const found = find()
        if (found !== undefined) settle(() => resolve(found))
      }
      const timer = setTimeout(() => settle(() => reject(new Error(this.#missed(within)))), within)
      this.#looking.add(look)
      look()
    })
  }

  #missed(within: number): string {
    const last = this.frames.slice(-12).map((frame) => {
      if (frame.event === 'session-event') return `${frame.event} ${frame.data.type} ${JSON.stringify(frame.data.data)}`
      return `${frame.event} ${JSON.stringify(frame.data).slice(0, 160)}`
    })
    const ended = this.endedAt === undefined ? '' : ' (the stream is over)'
    return `The frame did not come within ${within} ms${ended}. The last ones:\n${last.join('\n').slice(0, 3000)}`
  }
}
