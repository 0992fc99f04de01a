/** One HTTP request, exactly as written: every header is the caller's, and each request has a connection of its own. */
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** The path exactly as it is spelled here: a URL would tidy it. */
  readonly path?: string
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Milliseconds from the first byte sent to the last one received. */
  readonly tookMs: number
}

/** Asks and reads the whole answer. Does not follow redirects. Rejects when there is no answer. */
export async function ask(url: string, asked: Asked = {}): Promise<Answered> {
  const startedAt = performance.now()
  const response = await connect(url, asked)
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(chunks).toString('utf8'),
    tookMs: performance.now() - startedAt,
  }
}

/** Resolves with the head of the answer; its body is the caller's to read or to leave. */
export function connect(
  url: string,
  { method = 'GET', headers = {}, body, path }: Asked = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isChunked = 'transfer-encoding' in headers
    const length = body === undefined || isChunked ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const exactly = path === undefined ? {} : { path }
    const sent = request(url, {
      method,
      headers: { connection: 'close', ...length, ...headers },
      agent: false,
      ...exactly,
    })
    let answered = false
    sent.once('response', (response) => {
      answered = true
      resolve(response)
    })
    // A server that refuses a large body answers and closes while it is still being sent: the answer counts then.
    sent.on('error', (error) => {
      if (!answered) reject(error)
    })
    sent.end(body)
  })
}
