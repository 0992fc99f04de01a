/** A reverse proxy with the usual defaults: it buffers answers and compresses them, unless the answer says that it must not. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'

/** nginx buffers eight pages of 4 KiB before it passes on what an upstream sends. */
const bufferBytes = 32 * 1024

export interface BufferingProxy {
  readonly url: string
  close(): Promise<void>
}

/**
 * `X-Accel-Buffering: no` switches buffering off and `no-transform` compression, as nginx and others read them. What it
 * sends upstream has the upstream's own Host, as nginx does by default.
 */
export async function startBufferingProxy(upstream: string): Promise<BufferingProxy> {
  const server = createServer((incoming, outgoing) => {
    const target = new URL(incoming.url ?? '/', upstream)
    const asked = request(target, { method: incoming.method, headers: { ...incoming.headers, host: target.host } })
    asked.once('response', (answer) => pass(answer, incoming, outgoing))
    asked.once('error', () => outgoing.destroy())
    outgoing.once('close', () => asked.destroy())
    incoming.pipe(asked)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function pass(answer: IncomingMessage, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const mayBuffer = answer.headers['x-accel-buffering'] !== 'no'
  const mayCompress =
    !answer.headers['cache-control']?.includes('no-transform') &&
    answer.headers['content-encoding'] === undefined &&
    (incoming.headers['accept-encoding']?.toString().includes('gzip') ?? false)
  const { 'x-accel-buffering': _own, 'content-length': _length, ...headers } = answer.headers
  outgoing.writeHead(answer.statusCode ?? 502, {
    ...headers,
    ...(mayCompress && { 'content-encoding': 'gzip' }),
  })
  if (!mayBuffer) outgoing.flushHeaders()
  const target = mayCompress ? createGzip() : outgoing
  if (mayCompress) target.pipe(outgoing)
  let held: Buffer[] = []
  let size = 0
  answer.on('data', (chunk: Buffer) => {
    held.push(chunk)
    size += chunk.byteLength
    if (mayBuffer && size < bufferBytes) return
    target.write(Buffer.concat(held))
    held = []
    size = 0
  })
  answer.on('end', () => target.end(Buffer.concat(held)))
  answer.on('error', () => outgoing.destroy())
}
