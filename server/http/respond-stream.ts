/** The response that carries the event stream (W8). */
import { streamHeaders } from './frame'

/** Where the reader wants to go on: `Last-Event-ID`, which the browser sends by itself, beats the query (W7). */
export function lastPosition(request: Request, after: number | undefined): number | undefined {
  const header = request.headers.get('last-event-id')?.trim()
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : after
}

/** HEAD gets the headers alone: nobody would ever read its stream. */
export function respondStream(request: Request, open: () => ReadableStream<Uint8Array>): Response {
  return new Response(request.method === 'HEAD' ? null : open(), { headers: streamHeaders })
}
