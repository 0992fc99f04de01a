/** A small client of the API for tests: Bearer, JSON, and answers checked against the contract. */
import type { z } from 'zod'
import {
  cancelAnswer,
  controlAnswer,
  createSessionAnswer,
  healthAnswer,
  listEventsAnswer,
  listSessionsAnswer,
  listTurnsAnswer,
  modelsAnswer,
  sendMessageAnswer,
  sessionAnswer,
  wakeAnswer,
} from '@/lib/contract/commands'
import { type ErrorCode, errorBodySchema } from '@/lib/contract/errors'
import type { EventOf, EventType, SessionEvent } from '@/lib/contract/events'
import type { Session } from '@/lib/contract/session'
import { type Answered, ask } from './http'

/** Where a server is and what lets a program in. */
export interface Door {
  readonly url: string
  readonly token: string
}

export interface Reply extends Answered {
  /** The parsed body; undefined when there is none. */
  readonly body: unknown
}

export class Api {
  constructor(private readonly door: Door) {}

  /** One request with the token and whatever answer comes. */
  async ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const answer = await ask(this.door.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.door.token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false
    return { ...answer, body: isJson ? (JSON.parse(answer.text) as unknown) : undefined }
  }

  /** A session in `full-access`, unless it says otherwise. */
  async create(body: Record<string, unknown> = {}): Promise<Session> {
    return (await this.#call(createSessionAnswer, 'POST', '/api/sessions', { approvalMode: 'full-access', ...body }))
      .session
  }

  async send(id: string, text: string, more: Record<string, unknown> = {}): Promise<string> {
    return (await this.#call(sendMessageAnswer, 'POST', `/api/sessions/${id}/messages`, { text, ...more })).messageId
  }

  cancel(id: string, body: Record<string, unknown> = {}) {
    return this.#call(cancelAnswer, 'POST', `/api/sessions/${id}/cancel`, body)
  }

  wake(id: string) {
    return this.#call(wakeAnswer, 'POST', `/api/sessions/${id}/wake`, {})
  }

  endCall(id: string, callId: string, body: Record<string, unknown> = {}) {
    return this.#call(controlAnswer, 'POST', `/api/sessions/${id}/tools/${callId}/end`, body)
  }

  async session(id: string): Promise<Session> {
    return (await this.#call(sessionAnswer, 'GET', `/api/sessions/${id}`)).session
  }

  async sessions(query = ''): Promise<Session[]> {
    return (await this.#call(listSessionsAnswer, 'GET', `/api/sessions${query}`)).sessions
  }

  turns(query = '') {
    return this.#call(listTurnsAnswer, 'GET', `/api/turns${query}`)
  }

  health() {
    return this.#call(healthAnswer, 'GET', '/api/health')
  }

  models() {
    return this.#call(modelsAnswer, 'GET', '/api/models')
  }

  /** The whole log of a session. */
  async events(id: string): Promise<SessionEvent[]> {
    const all: SessionEvent[] = []
    for (;;) {
      const path = `/api/sessions/${id}/events?limit=5000&after=${all.at(-1)?.seq ?? 0}`
      const { events, lastSeq } = await this.#call(listEventsAnswer, 'GET', path)
      all.push(...events)
      if (events.length === 0 || (all.at(-1)?.seq ?? 0) >= lastSeq) return all
    }
  }

  async eventsOf<T extends EventType>(id: string, type: T): Promise<EventOf<T>[]> {
    return ofType(await this.events(id), type)
  }

  async #call<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.ask(method, path, body)
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return schema.parse(reply.body)
  }
}

export function ofType<T extends EventType>(events: readonly SessionEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type)
}

/** The code of a refusal, or the status when the body is no error of the contract. */
export function errorCodeOf(reply: Pick<Reply, 'status' | 'body'>): ErrorCode | number {
  const parsed = errorBodySchema.safeParse(reply.body)
  return parsed.success ? parsed.data.error.code : reply.status
}

export function errorTextOf(reply: Pick<Reply, 'body'>): string {
  return errorBodySchema.parse(reply.body).error.message
}
