/** What a model server is told to do with one request: a list of steps, played in order. */

interface Paced {
  /** Milliseconds before each piece. Default 0. */
  readonly delayMs?: number
}

export type ServerStep =
  /** Text in pieces. A string is one piece. */
  | ({ readonly kind: 'text'; readonly pieces: string | readonly string[] } & Paced)
  /** `count` pieces at `perSecond`, each holding the time at which it was sent (epoch milliseconds with a fraction, then a space). */
  | { readonly kind: 'stamps'; readonly count: number; readonly perSecond: number }
  /** Reasoning. With `open` its end is never sent (nor a signature). */
  | ({
      readonly kind: 'reasoning'
      readonly pieces: string | readonly string[]
      readonly signature?: string
      readonly open?: true
    } & Paced)
  /** A tool call. `input` is sent as JSON in `pieces` parts; with `half` only the first half of it, and no end. */
  | ({
      readonly kind: 'call'
      readonly name: string
      readonly input: unknown
      readonly id?: string
      readonly pieces?: number
      readonly half?: true
    } & Paced)
  | { readonly kind: 'wait'; readonly ms: number }
  /** Waits for `server.release(name)` or for the client to go. */
  | { readonly kind: 'gate'; readonly name: string }
  /** Sends nothing more and waits for the client to go. */
  | { readonly kind: 'hang' }
  /** Destroys the socket. */
  | { readonly kind: 'cut' }
  /** Ends the HTTP answer properly, but without the wire's finish. */
  | { readonly kind: 'end-without-finish' }
  /** An error inside the stream. */
  | { readonly kind: 'error'; readonly type: string; readonly message: string }
  /** Raw bytes. */
  | { readonly kind: 'raw'; readonly text: string }
  /** Instead of a stream. Only as the first step. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** With `keepOpen` the finish is sent, and the connection stays until the client goes. */
  | { readonly kind: 'finish'; readonly reason: WireFinish; readonly keepOpen?: true }

export type WireFinish = 'stop' | 'tool-calls' | 'length' | 'content-filter'
export interface WireUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** One wire's way of writing a stream. Each method returns the bytes to send; the writer closes blocks that the next one ends. */
export interface WireWriter {
  open(): string
  text(piece: string): string
  reasoning(piece: string): string
  endReasoning(signature: string | undefined): string
  call(id: string, name: string): string
  callInput(piece: string): string
  endCall(): string
  finish(reason: WireFinish, usage: WireUsage): string
  error(type: string, message: string): string
}

export interface Wire {
  readonly name: 'openai-responses' | 'chat-completions' | 'anthropic-messages' | 'google-generate'
  /** True when a POST to this path speaks this wire. */
  speaks(path: string): boolean
  modelOf(path: string, body: JsonObject): string
  writer(model: string): WireWriter
  /** What a strict provider would say against the request; undefined when it is valid. */
  check(body: JsonObject, signed: SignedTexts): string | undefined
  errorBody(status: number, message: string): JsonObject
}

export type JsonObject = { readonly [key: string]: unknown }

/** Signature -> the reasoning that it signs, as this server sent it. */
export type SignedTexts = ReadonlyMap<string, string>

export function sse(data: unknown, event?: string): string {
  return `${event ? `event: ${event}\n` : ''}data: ${JSON.stringify(data)}\n\n`
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === ''
}

export function isJsonObject(text: unknown): boolean {
  try {
    return typeof text === 'string' && isObject(JSON.parse(text))
  } catch {
    return false // not JSON at all
  }
}
