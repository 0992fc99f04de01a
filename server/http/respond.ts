/** The one place that turns an answer or an error into a response (W1). */
import { AppError, type ErrorBody, errorStatus } from '@/lib/contract/errors'

/** Headers of every API answer. The page headers are added by the proxy. */
const apiHeaders = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const

export function respondJson(status: number, body: unknown): Response {
  return Response.json(body, { status, headers: apiHeaders })
}

export function respondEmpty(status: number): Response {
  return new Response(null, { status, headers: apiHeaders })
}

/** Anything but an `AppError` becomes `internal` without text; the caller logs it. */
export function respondError(error: unknown, extraHeaders: Record<string, string> = {}): Response {
  const known = error instanceof AppError ? error : new AppError('internal', 'Something went wrong inside the server.')
  const body: ErrorBody = {
    error: {
      code: known.code,
      message: known.message,
      ...(known.details !== undefined && { details: known.details }),
    },
  }
  return Response.json(body, { status: errorStatus[known.code], headers: { ...apiHeaders, ...extraHeaders } })
}
