/** A hub whose streams, clock and timers are in the test's hand. */
import type { ToTab } from '@/lib/client/connection'
import { type HubClient, StreamHub } from '@/lib/client/stream-hub'
import type { SessionEvent } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { Frame } from '@/lib/contract/stream'

export interface ScriptedStream {
  readonly url: string
  readonly query: URLSearchParams
  /** The server sends a frame. */
  send(frame: Frame): void
  hello(position: number, runtimeId?: string): void
  event(event: SessionEvent): void
  /** The connection breaks. */
  breaks(): void
  isClosed(): boolean
}

export function scriptedHub() {
  let now = 1_000_000
  let timers: { at: number; run: () => void }[] = []
  const streams: ScriptedStream[] = []
  const hub = new StreamHub({
    openStream: (url, on) => {
      let closed = false
      const stream: ScriptedStream = {
        url,
        query: new URL(url, 'http://belay').searchParams,
        send: (frame) => {
          if (!closed) on.frame(frame)
        },
        hello: (position, runtimeId = 'runtime-1') => stream.send({ event: 'hello', data: { runtimeId, position } }),
        event: (event) => stream.send({ event: 'session-event', data: event }),
        breaks: () => {
          if (closed) return
          closed = true
          on.lost()
        },
        isClosed: () => closed,
      }
      streams.push(stream)
      return {
        close: () => {
          closed = true
        },
      }
    },
    now: () => now,
    later: (ms, run) => {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((known) => known !== timer)
      }
    },
    random: () => 0.5,
  })

  /** Lets time pass; timers run in their order. */
  const pass = async (ms: number): Promise<void> => {
    const until = now + ms
    await settled()
    for (;;) {
      const [next] = timers.filter((timer) => timer.at <= until).sort((a, b) => a.at - b.at)
      if (!next) break
      timers = timers.filter((timer) => timer !== next)
      now = Math.max(now, next.at)
      next.run()
      await settled()
    }
    now = until
  }

  let tickets = 0
  const tab = () => {
    const heard: ToTab[] = []
    const client: HubClient = hub.connect((message) => heard.push(message))
    return {
      client,
      heard,
      watch: async (...sessions: SessionId[]) => {
        tickets += 1
        client.receive({ type: 'watch', sessions, ticket: tickets })
        await settled()
        return tickets
      },
      frames: (): Frame[] => heard.flatMap((message) => (message.type === 'frames' ? message.frames : [])),
      covered: (): number[] => heard.flatMap((message) => (message.type === 'covers' ? [message.ticket] : [])),
      status: () => heard.findLast((message) => message.type === 'status')?.status,
    }
  }

  const newest = (): ScriptedStream => {
    const stream = streams.at(-1)
    if (!stream) throw new Error('no stream was opened')
    return stream
  }
  return { hub, streams, newest, pass, tab }
}

/** Lets queued microtasks run. */
export async function settled(): Promise<void> {
  for (let at = 0; at < 5; at += 1) await Promise.resolve()
}
