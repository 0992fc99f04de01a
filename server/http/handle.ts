/** The one function that every route handler is made with: guard, parse, call once, answer (W1, W9, W10). */
import type { z } from 'zod'
import { AppError } from '@/lib/contract/errors'
import { type Access, admit, refuseHost } from './guard'
import { readJsonBody } from './read-body'
import { respondEmpty, respondError, respondJson } from './respond'

/** What the routes need from the process around them. */
export interface Door {
  access(): Access
  /** False once the server is going down: everything but health is refused then (R3). */
  accepting(): boolean
  /** An error that nobody expected, for the operator. */
  report(error: unknown, where: string): void
}

export interface RouteShape<P, Q, B> {
  readonly params?: z.ZodType<P>
  readonly query?: z.ZodType<Q>
  readonly body?: z.ZodType<B>
  /** `open` needs no token and answers during shutdown; the Host is checked all the same. */
  readonly entry?: 'open'
}

export interface RouteInput<P, Q, B> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly request: Request
}

/** A status with its JSON body, a status alone, or a finished response (a stream). */
export type Answer = { readonly status: number; readonly body?: unknown } | Response

export type RouteHandler = (request: Request, context: { params: Promise<object> }) => Promise<Response>

/** Makes a Next route handler. Whatever `call` throws becomes an error answer. */
export function handle<P, Q, B>(
  door: Door,
  shape: RouteShape<P, Q, B>,
  call: (input: RouteInput<P, Q, B>) => Answer | Promise<Answer>,
): RouteHandler {
  return async (request, context) => {
    try {
      enter(door, shape.entry, request)
      const input = {
        request,
        params: parse(shape.params, await context.params, unknownId),
        query: parse(shape.query, queryOf(request), invalid),
        body: shape.body ? parse(shape.body, await readJsonBody(request), invalid) : (undefined as B),
      }
      return toResponse(await call(input))
    } catch (error) {
      if (!(error instanceof AppError)) door.report(error, `${request.method} ${new URL(request.url).pathname}`)
      return respondError(error)
    }
  }
}

function enter(door: Door, entry: 'open' | undefined, request: Request): void {
  const access = door.access()
  const refused = entry === 'open' ? refuseHost(request, access) : admit(request, access)
  if (refused instanceof AppError) throw refused
  if (entry !== 'open' && !door.accepting()) throw new AppError('shutting-down', 'The server is going down.')
}

function parse<T>(schema: z.ZodType<T> | undefined, value: unknown, refusal: (error: z.ZodError) => AppError): T {
  if (!schema) return undefined as T
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw refusal(parsed.error)
  return parsed.data
}

/** An id that cannot be one of ours is an unknown id. */
function unknownId(): AppError {
  return new AppError('not-found', 'There is nothing with that id.')
}

function invalid(error: z.ZodError): AppError {
  const problems = error.issues.slice(0, 10).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.code === 'unrecognized_keys' ? `unknown key: ${issue.keys.join(', ').slice(0, 200)}` : issue.message,
  }))
  const text = problems.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join('; ')
  return new AppError('invalid-request', text.slice(0, 1000), { problems })
}

function queryOf(request: Request): Record<string, string> {
  const query: Record<string, string> = Object.create(null) as Record<string, string>
  for (const [key, value] of new URL(request.url).searchParams) {
    if (key in query) throw new AppError('invalid-request', `${key.slice(0, 100)}: given more than once`)
    query[key] = value
  }
  return { ...query }
}

function toResponse(answer: Answer): Response {
  if (answer instanceof Response) return answer
  return answer.body === undefined ? respondEmpty(answer.status) : respondJson(answer.status, answer.body)
}
