/** The closed list of error codes (W1) and the one error class that carries them. */
import { z } from 'zod'

/** Code -> HTTP status. */
export const errorStatus = {
  'invalid-request': 400,
  unauthenticated: 401,
  'forbidden-origin': 403,
  'subagent-unauthorized': 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'subagent-session': 409,
  'wrong-kind': 409,
  'message-claimed': 409,
  'not-pending': 409,
  'turn-open': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'misdirected-host': 421,
  'workspace-not-found': 422,
  'model-unavailable': 422,
  'limit-reached': 429,
  internal: 500,
  'shutting-down': 503,
} as const

export type ErrorCode = keyof typeof errorStatus
const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]

export const errorBodySchema = z.object({
  error: z.object({ code: z.enum(codes), message: z.string(), details: z.unknown().optional() }),
})
export type ErrorBody = z.infer<typeof errorBodySchema>

const appErrorMark = Symbol.for('belay.app-error')

/** An expected refusal. Its message is written for a person and may go on the wire; anything else that is thrown becomes `internal` without text. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly [appErrorMark] = true

  /** Every bundle of the server has its own copy of this class; an error of one is an error of all. */
  static override [Symbol.hasInstance](value: unknown): value is AppError {
    return typeof value === 'object' && value !== null && appErrorMark in value
  }

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: unknown,
  ) {
    super(message)
  }
}
