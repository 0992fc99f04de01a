/** Turns what went wrong on the way to a provider into a `failure` part in our own words (C7, M4). */
import type { FailureCode } from '@/lib/contract/outcome'
import type { ModelPart } from '@/server/runtime/ports'

export type Failure = Extract<ModelPart, { type: 'failure' }>

/** What a message may say about the provider. Never a key, never more of a URL than host and port. */
export interface ProviderFacts {
  /** The provider as a person knows it: `OpenAI`. */
  readonly label: string
  /** The model without its provider; empty when no model was asked for. */
  readonly model: string
  /** Host and port of the base URL. */
  readonly host: string
  /** The variable that holds the key. */
  readonly keyVariable?: string
  readonly baseUrlVariable: string
}

/** An answer that is no stream: status, headers and the first part of its body, which is read and never repeated. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export function failure(code: FailureCode, message: string, more: Partial<Failure> = {}): Failure {
  return { type: 'failure', code, message, retryable: false, ...more }
}

const contextTooLong =
  /context[ _-]?(length|window|size)|maximum context|prompt is too long|too many tokens|input token count|exceeds? the (maximum|model|available)/i
const quotaUsedUp = /insufficient_quota|exceeded your current quota|credit balance is too low|billing/i
const badKey = /API_KEY_INVALID|API key not valid|invalid[ _]api[ _]key|invalid x-api-key/i

/** Maps an HTTP answer that is no stream. `now` dates a `Retry-After` that is given as a date. */
export function failureOfAnswer(facts: ProviderFacts, answer: HttpAnswer, now: Date): Failure {
  const { status, headers, body } = answer
  const { label, host } = facts
  const retryAfterMs = retryAfterOf(headers, body, now)
  const wish = retryAfterMs === undefined ? {} : { retryAfterMs }
  const html = isHtml(headers.get('content-type'), body)

  if (status >= 500) {
    const page = html ? ' with a web page' : ''
    return failure('provider-error', `${label} (${host}) answered HTTP ${status}${page}.`, { retryable: true, ...wish })
  }
  if (html) return htmlFailure(facts, status)
  if (status < 300) {
    return failure(
      'provider-rejected',
      `${label} (${host}) answered with a document where a stream was due. ${checkBaseUrl(facts)}`,
    )
  }
  if (status < 400) {
    return failure(
      'provider-rejected',
      `${label} (${host}) sent us to another address (HTTP ${status}). ${checkBaseUrl(facts)}`,
    )
  }
  if (status === 401 || status === 403 || badKey.test(body)) return keyFailure(facts, status)
  if (status === 402 || quotaUsedUp.test(body)) {
    return failure('provider-rejected', `${label} says that the account has no credit or quota left (HTTP ${status}).`)
  }
  if (status === 429) {
    return failure('rate-limited', `${label} asks us to slow down (HTTP 429).`, { retryable: true, ...wish })
  }
  if (status === 408) {
    return failure('provider-timeout', `${label} (${host}) gave up waiting (HTTP 408).`, { retryable: true, ...wish })
  }
  if (status === 413 || contextTooLong.test(body)) {
    return failure('context-too-long', `The conversation is longer than ${facts.model} can read.`)
  }
  if (status === 404) {
    return failure(
      'model-unavailable',
      `${label} (${host}) does not know the model "${facts.model}" (HTTP 404). Choose another one. ${checkBaseUrl(facts)}`,
    )
  }
  if (status === 409 || status === 425) {
    return failure('provider-error', `${label} (${host}) was busy (HTTP ${status}).`, { retryable: true, ...wish })
  }
  return failure('provider-rejected', `${label} (${host}) refused the request (HTTP ${status}).`)
}

/** A web page where a model's answer was due: a proxy, a login page or a wrong base URL. */
export function htmlFailure(facts: ProviderFacts, status: number): Failure {
  return failure(
    'provider-rejected',
    `${facts.label} (${facts.host}) answered with a web page and not as a model server (HTTP ${status}). ${checkBaseUrl(facts)}`,
  )
}

export function keyFailure(facts: ProviderFacts, status: number): Failure {
  const place = facts.keyVariable ? `${facts.keyVariable}, or the key in Settings` : 'the key in Settings'
  const what = status === 403 && facts.model !== '' ? 'the key for this model' : 'the key'
  return failure('authentication', `${facts.label} did not accept ${what} (HTTP ${status}). Check ${place}.`)
}

export function timeoutFailure(facts: ProviderFacts, idleMs: number): Failure {
  const seconds = Math.max(1, Math.round(idleMs / 1000))
  return failure('provider-timeout', `${facts.label} (${facts.host}) sent nothing for ${seconds} s.`, {
    retryable: true,
  })
}

export function cutFailure(facts: ProviderFacts): Failure {
  return failure('stream-cut', `The answer of ${facts.label} (${facts.host}) broke off before its end.`, {
    retryable: true,
  })
}

/** True for a body or a content type that is a web page. An event stream never begins with `<`. */
export function isHtml(contentType: string | null, body: string): boolean {
  return /text\/html|application\/xhtml/i.test(contentType ?? '') || /^\s*</.test(body)
}

function checkBaseUrl(facts: ProviderFacts): string {
  return `Is the base URL right (${facts.baseUrlVariable}, or Settings)?`
}

/** The provider's wish in milliseconds: `retry-after-ms`, `Retry-After` in seconds or as a date, or Google's `retryDelay`. */
function retryAfterOf(headers: Headers, body: string, now: Date): number | undefined {
  const ms = positive(headers.get('retry-after-ms'))
  if (ms !== undefined) return ms
  const after = headers.get('retry-after')
  const seconds = positive(after)
  if (seconds !== undefined) return Math.ceil(seconds * 1000)
  const date = after ? Date.parse(after) : Number.NaN
  if (!Number.isNaN(date)) return Math.max(0, date - now.getTime())
  const delay = positive(/"retryDelay":\s*"([\d.]+)s"/.exec(body)?.[1] ?? null)
  return delay === undefined ? undefined : Math.ceil(delay * 1000)
}

function positive(text: string | null): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined
  return Number(text)
}
