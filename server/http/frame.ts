/** Server-sent event frames as bytes (W6, W8). */
import type { SessionEvent } from '@/lib/contract/events'
import type { Frame, FrameName } from '@/lib/contract/stream'

type FrameData<N extends FrameName> = Extract<Frame, { event: N }>['data']

/** One frame. JSON keeps it on one line and escapes a lone surrogate, so that the bytes are always whole code points. Only a durable event has an id. */
export function encodeFrame(frame: Frame): Buffer {
  const id = frame.event === 'session-event' ? `id: ${frame.data.position}\n` : ''
  return Buffer.from(`${id}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`)
}

export function eventFrame(event: SessionEvent): Frame {
  return { event: 'session-event', data: event }
}

export const keepAliveFrame = Buffer.from(': keep-alive\n\n')

/** The first frame. It also tells the browser to come back soon, in milliseconds, after a lost connection. */
export function encodeHello(hello: FrameData<'hello'>): Buffer {
  return Buffer.from(`event: hello\ndata: ${JSON.stringify(hello)}\nretry: 500\n\n`)
}

/** The headers of the stream: not stored, not compressed, not buffered by a proxy (W8). */
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const
