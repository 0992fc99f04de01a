/** Every route of the server as a typed function (W2). A refusal is thrown as the `AppError` that its body carries. */
import type {
  CancelAnswer,
  CancelBody,
  ChangeSessionBody,
  ControlEffect,
  CreateSessionBody,
  EditMessageBody,
  ModelInfo,
  SendMessageBody,
} from '@/lib/contract/commands'
import { AppError, type ErrorCode, errorStatus } from '@/lib/contract/errors'
import type { SessionEvent } from '@/lib/contract/events'
import type { CallId, MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import type {
  ChangeProviderBody,
  ProviderId,
  ProviderStatus,
  ProvidersAnswer,
  TestProviderAnswer,
} from '@/lib/contract/providers'
import type { Session, TurnRow } from '@/lib/contract/session'

/** A question that the server never answered: it is gone, or the way to it. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

export interface EventsPage {
  readonly events: readonly SessionEvent[]
  readonly lastSeq: number
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Where a session's own routes live: a child's queue and wake are under its parent's address (W2, W4). */
export type SessionAddress = Pick<Session, 'id' | 'kind' | 'parentId'>

export const api = {
  createSession: (body: CreateSessionBody, signal?: AbortSignal) =>
    call<{ session: Session; messageId?: MessageId }>('POST', '/api/sessions', { body, signal }),
  listSessions: (query: Query, signal?: AbortSignal) =>
    call<{ sessions: Session[]; nextCursor: string | null }>('GET', '/api/sessions', { query, signal }),
  getSession: (id: SessionId, signal?: AbortSignal) =>
    call<{ session: Session }>('GET', `/api/sessions/${part(id)}`, { signal }),
  changeSession: (id: SessionId, body: ChangeSessionBody, signal?: AbortSignal) =>
    call<{ session: Session }>('PATCH', `/api/sessions/${part(id)}`, { body, signal }),
  deleteSession: (id: SessionId, signal?: AbortSignal) =>
    call<unknown>('DELETE', `/api/sessions/${part(id)}`, { signal }),
  tree: (id: SessionId, signal?: AbortSignal) =>
    call<{ nodes: Session[] }>('GET', `/api/sessions/${part(id)}/tree`, { signal }),
  events: (
    id: SessionId,
    query: { after?: number; before?: number; turnId?: TurnId; limit?: number },
    signal?: AbortSignal,
  ) => call<EventsPage>('GET', `/api/sessions/${part(id)}/events`, { query, signal }),
  sendMessage: (session: SessionAddress, body: SendMessageBody, signal?: AbortSignal) =>
    call<{ messageId: MessageId }>('POST', `${inputBase(session)}/messages`, { body, signal }),
  editMessage: (session: SessionAddress, messageId: MessageId, body: EditMessageBody, signal?: AbortSignal) =>
    call<{ messageId: MessageId }>('PATCH', `${inputBase(session)}/messages/${part(messageId)}`, { body, signal }),
  removeMessage: (session: SessionAddress, messageId: MessageId, signal?: AbortSignal) =>
    call<unknown>('DELETE', `${inputBase(session)}/messages/${part(messageId)}`, { signal }),
  compact: (id: SessionId, signal?: AbortSignal) =>
    call<{ accepted: true; effect: 'woken' | 'none' }>('POST', `/api/sessions/${id}/compact`, { body: {}, signal }),
  wake: (session: SessionAddress, signal?: AbortSignal) =>
    call<{ accepted: true; effect: 'woken' | 'none' }>('POST', `${inputBase(session)}/wake`, { body: {}, signal }),
  cancel: (id: SessionId, body: CancelBody, signal?: AbortSignal) =>
    call<CancelAnswer>('POST', `/api/sessions/${part(id)}/cancel`, { body, signal }),
  interrupt: (parentId: SessionId, childId: SessionId, body: { turnId?: TurnId }, signal?: AbortSignal) =>
    call<{ accepted: true; effect: ControlEffect }>(
      'POST',
      `/api/sessions/${part(parentId)}/subagents/${part(childId)}/interrupt`,
      { body, signal },
    ),
  kill: (parentId: SessionId, childId: SessionId, signal?: AbortSignal) =>
    call<{ accepted: true; effect: ControlEffect }>(
      'POST',
      `/api/sessions/${part(parentId)}/subagents/${part(childId)}/kill`,
      { body: {}, signal },
    ),
  stopAll: (id: SessionId, signal?: AbortSignal) =>
    call<{ accepted: true; signalled: SessionId[]; over: SessionId[]; failed: SessionId[] }>(
      'POST',
      `/api/sessions/${part(id)}/stop-all`,
      { body: {}, signal },
    ),
  endCall: (id: SessionId, callId: CallId, body: { force?: boolean }, signal?: AbortSignal) =>
    call<{ accepted: true; effect: ControlEffect }>('POST', `/api/sessions/${part(id)}/tools/${part(callId)}/end`, {
      body,
      signal,
    }),
  fork: (id: SessionId, turnId: TurnId, signal?: AbortSignal) =>
    call<{ session: Session }>('POST', `/api/sessions/${part(id)}/fork`, { body: { turnId }, signal }),
  turns: (query: Query, signal?: AbortSignal) =>
    call<{ turns: TurnRow[]; nextCursor: string | null }>('GET', '/api/turns', { query, signal }),
  models: (signal?: AbortSignal) => call<{ models: ModelInfo[]; default: string }>('GET', '/api/models', { signal }),
  chooseDefaultModel: (model: string | null, signal?: AbortSignal) =>
    call<{ models: ModelInfo[]; default: string }>('PATCH', '/api/models', { body: { default: model }, signal }),
  providers: (signal?: AbortSignal) => call<ProvidersAnswer>('GET', '/api/providers', { signal }),
  changeProvider: (id: ProviderId, body: ChangeProviderBody, signal?: AbortSignal) =>
    call<{ provider: ProviderStatus }>('PATCH', `/api/providers/${part(id)}`, { body, signal }),
  testProvider: (id: ProviderId, draft: ChangeProviderBody, signal?: AbortSignal) =>
    call<TestProviderAnswer>('POST', `/api/providers/${part(id)}/test`, { body: draft, signal }),
  health: (signal?: AbortSignal) =>
    call<{ status: 'ok' | 'shutting-down'; version: string; runtimeId: string; activeTurns: number }>(
      'GET',
      '/api/health',
      { signal },
    ),
}

export type Api = typeof api

/** Milliseconds after which a Stop that was not answered counts as one that did not arrive (S-D5). */
const stopWithin = 8_000

/**
 * The one Stop of a session view: cancel for a root, interrupt for a continuable child, kill for a one-shot child (U1).
 * `queue` matters for a root alone: the others never lose theirs. @throws UnreachableError also when no answer comes in time.
 */
export async function stopTurn(
  session: SessionAddress,
  turnId: TurnId | undefined,
  queue: 'keep' | 'clear',
): Promise<ControlEffect> {
  const turn = turnId === undefined ? {} : { turnId }
  const signal = AbortSignal.timeout(stopWithin)
  if (session.kind === 'root' || session.parentId === null) {
    const { effect } = await api.cancel(session.id, { keepInbox: queue === 'keep', via: 'button', ...turn }, signal)
    return effect
  }
  if (session.kind === 'continuable') return (await api.interrupt(session.parentId, session.id, turn, signal)).effect
  return (await api.kill(session.parentId, session.id, signal)).effect
}

/** What to tell a person about a request that failed: our server's own words, or that it did not answer. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError || error instanceof UnreachableError) return error.message
  return 'Something went wrong in this page.'
}

function inputBase(session: SessionAddress): string {
  if (session.parentId === null) return `/api/sessions/${part(session.id)}`
  return `/api/sessions/${part(session.parentId)}/subagents/${part(session.id)}`
}

function part(id: string): string {
  return encodeURIComponent(id)
}

async function call<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  options: { body?: unknown; query?: Query; signal?: AbortSignal | undefined },
): Promise<T> {
  const response = await fetch(path + search(options.query), {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    ...(options.body !== undefined && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(options.body),
    }),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted && !isTimeout(options.signal.reason)) throw error
    throw new UnreachableError('The server does not answer.')
  })
  const text = await response.text().catch(() => '')
  const answer = parsed(text)
  if (!response.ok) throw refusal(response.status, answer)
  return answer as T
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

function search(query: Query | undefined): string {
  const pairs = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map(([key, value]) => [key, String(value)]))}`
}

function parsed(text: string): unknown {
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    // Not JSON: a proxy or a crash page. The status decides what is said.
    return undefined
  }
}

function refusal(status: number, answer: unknown): AppError {
  const error = (answer as { error?: { code?: unknown; message?: unknown; details?: unknown } } | undefined)?.error
  if (typeof error?.code === 'string' && error.code in errorStatus && typeof error.message === 'string') {
    return new AppError(error.code as ErrorCode, error.message, error.details)
  }
  return new AppError('internal', `The server answered ${status} and gave no reason.`)
}
