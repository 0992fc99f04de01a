/** Failures that are no HTTP answer: a connection that never came about or broke, and errors sent inside a stream. */
import { InvalidResponseDataError } from '@ai-sdk/provider'
import { cutFailure, type Failure, failure, failureOfAnswer, type ProviderFacts } from './failure'

/** What the exchange saw before the error came. */
export type Reached = 'nothing' | 'headers'

const timeouts: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** Maps whatever was thrown while nobody had asked to stop. Only its error codes are read; its words stay out (C7). */
export function failureOfThrown(facts: ProviderFacts, error: unknown, reached: Reached): Failure {
  const codes = codesOf(error)
  const { label, host } = facts
  if (codes.some((code) => timeouts.has(code))) {
    return failure('provider-timeout', `${label} (${host}) took too long to answer.`, { retryable: true })
  }
  if (reached === 'headers') return cutFailure(facts)
  if (codes.includes('ECONNREFUSED')) {
    return failure('provider-unreachable', `Nothing answers at ${host} (${label}).`, { retryable: true })
  }
  if (codes.some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')) {
    return failure('provider-unreachable', `The name ${host} (${label}) is not known to the network.`, {
      retryable: true,
    })
  }
  if (codes.some((code) => /CERT|TLS|SSL/.test(code))) {
    return failure('provider-unreachable', `The certificate of ${host} (${label}) was not accepted.`)
  }
  if (codes.length > 0) {
    return failure('provider-unreachable', `The connection to ${host} (${label}) failed.`, { retryable: true })
  }
  return failure('internal', `The request to ${label} could not be made.`)
}

/** Maps an error that the provider sent inside its stream, or a piece of the stream that could not be read. */
export function failureOfErrorPart(facts: ProviderFacts, error: unknown, now: Date): Failure {
  if (InvalidResponseDataError.isInstance(error)) return cutFailure(facts)
  const words = wordsOf(error)
  const status = statusOf(words)
  if (status !== undefined) return failureOfAnswer(facts, { status, headers: new Headers(), body: words }, now)
  return failure('provider-error', `${facts.label} (${facts.host}) reported an error in the middle of its answer.`, {
    retryable: true,
  })
}

/** The HTTP status that the error would have had, had it come before the stream began. */
function statusOf(words: string): number | undefined {
  if (/rate_limit|rate limit|RESOURCE_EXHAUSTED|too_many_requests/i.test(words)) return 429
  if (/overloaded|UNAVAILABLE|server_error|api_error|internal_error/i.test(words)) return 503
  if (/context_length|prompt is too long|maximum context/i.test(words)) return 413
  if (/authentication_error|permission_error|invalid_api_key/i.test(words)) return 401
  if (/insufficient_quota|billing/i.test(words)) return 402
  if (/invalid_request/i.test(words)) return 400
  return undefined
}

/** The machine words of an error value, for matching only. */
function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message
  try {
    return JSON.stringify(error) ?? ''
  } catch {
    return '' // a value that is not JSON says nothing that could be matched
  }
}

/** Every `code` along the chain of causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = []
  let current = error
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth += 1) {
    const { code, cause } = current as { code?: unknown; cause?: unknown }
    if (typeof code === 'string') codes.push(code)
    current = cause
  }
  return codes
}
