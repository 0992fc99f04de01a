/** Every route of the API in one table (W2): what the guard, the OpenAPI document and a test of the folders read. */
import { z } from 'zod'
import {
  cancelAnswer,
  cancelBody,
  changeSessionBody,
  controlAnswer,
  createSessionAnswer,
  createSessionBody,
  deleteSessionAnswer,
  editMessageAnswer,
  editMessageBody,
  emptyBody,
  endCallBody,
  forkBody,
  healthAnswer,
  listEventsAnswer,
  listEventsQuery,
  listSessionsAnswer,
  listSessionsQuery,
  listTurnsAnswer,
  listTurnsQuery,
  modelsAnswer,
  sendMessageAnswer,
  sendMessageBody,
  sessionAnswer,
  stopAllAnswer,
  streamQuery,
  treeAnswer,
  wakeAnswer,
} from './commands'
import {
  changeDefaultModelBody,
  changeProviderBody,
  providerAnswer,
  providersAnswer,
  testProviderAnswer,
} from './providers'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface ApiRoute {
  readonly method: Method
  /** With `{name}` for a segment that varies. */
  readonly path: string
  readonly summary: string
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** The status of success and its JSON body; none for an empty answer or a stream. */
  readonly status: 200 | 201 | 202 | 204
  readonly answer?: z.ZodType
  /** `open` needs no token. */
  readonly entry?: 'open'
  /** The media type of an answer that is not JSON. */
  readonly media?: string
}

export const apiRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Make a root session, with a first message if there is one',
    body: createSessionBody,
    status: 201,
    answer: createSessionAnswer,
  },
  {
    method: 'GET',
    path: '/api/sessions',
    summary: 'List sessions, newest activity first; filters are comma lists',
    query: listSessionsQuery,
    status: 200,
    answer: listSessionsAnswer,
  },
  { method: 'GET', path: '/api/sessions/{id}', summary: 'One session', status: 200, answer: sessionAnswer },
  {
    method: 'PATCH',
    path: '/api/sessions/{id}',
    summary: 'Change title, model, approval mode or archived',
    body: changeSessionBody,
    status: 200,
    answer: sessionAnswer,
  },
  {
    method: 'DELETE',
    path: '/api/sessions/{id}',
    summary: 'Hide at once, cancel the tree, remove it when it is at rest',
    body: emptyBody,
    status: 202,
    answer: deleteSessionAnswer,
  },
  {
    method: 'GET',
    path: '/api/sessions/{id}/tree',
    summary: 'The whole tree of the session’s root, pre-order',
    status: 200,
    answer: treeAnswer,
  },
  {
    method: 'GET',
    path: '/api/sessions/{id}/events',
    summary: 'The log, in order; `before` pages backwards',
    query: listEventsQuery,
    status: 200,
    answer: listEventsAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/messages',
    summary: 'Send a message; the same clientId gives the same answer for ever',
    body: sendMessageBody,
    status: 202,
    answer: sendMessageAnswer,
  },
  {
    method: 'PATCH',
    path: '/api/sessions/{id}/messages/{messageId}',
    summary: 'Edit or move a message that is still queued',
    body: editMessageBody,
    status: 200,
    answer: editMessageAnswer,
  },
  {
    method: 'DELETE',
    path: '/api/sessions/{id}/messages/{messageId}',
    summary: 'Remove a message that is still queued',
    body: emptyBody,
    status: 204,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/wake',
    summary: 'Resume a parked queue',
    body: emptyBody,
    status: 202,
    answer: wakeAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/compact',
    summary: 'Sum the conversation up in a turn of its own; the summary takes its place in the prompt',
    body: emptyBody,
    status: 202,
    answer: wakeAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/cancel',
    summary: 'Ask the running turn to end; accepted means asked, turn.end means stopped',
    body: cancelBody,
    status: 202,
    answer: cancelAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/stop-all',
    summary: 'Stop the session’s turn and every running descendant; queues are kept',
    body: emptyBody,
    status: 202,
    answer: stopAllAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/tools/{callId}/end',
    summary: 'End one running tool call; the turn goes on',
    body: endCallBody,
    status: 202,
    answer: controlAnswer,
  },
  {
    method: 'POST',
    path: '/api/sessions/{id}/fork',
    summary: 'A new root with the events up to and including a settled turn',
    body: forkBody,
    status: 201,
    answer: sessionAnswer,
  },
  {
    method: 'GET',
    path: '/api/turns',
    summary: 'Turns of every session, newest first',
    query: listTurnsQuery,
    status: 200,
    answer: listTurnsAnswer,
  },
  { method: 'GET', path: '/api/models', summary: 'Models and the default', status: 200, answer: modelsAnswer },
  {
    method: 'PATCH',
    path: '/api/models',
    summary: 'Choose the default model; null goes back to the usual order',
    body: changeDefaultModelBody,
    status: 200,
    answer: modelsAnswer,
  },
  {
    method: 'GET',
    path: '/api/providers',
    summary: 'What is set up, and from where; never a key',
    status: 200,
    answer: providersAnswer,
  },
  {
    method: 'PATCH',
    path: '/api/providers/{providerId}',
    summary: 'Keep a key or a base URL in Settings; null removes it',
    body: changeProviderBody,
    status: 200,
    answer: providerAnswer,
  },
  {
    method: 'POST',
    path: '/api/providers/{providerId}/test',
    summary: 'Ask the provider for its models, with the body in place of what is kept',
    body: changeProviderBody,
    status: 200,
    answer: testProviderAnswer,
  },
  {
    method: 'GET',
    path: '/api/health',
    summary: 'Whether the server is up',
    status: 200,
    answer: healthAnswer,
    entry: 'open',
  },
  {
    method: 'GET',
    path: '/api/stream',
    summary: 'The event stream (server-sent events)',
    query: streamQuery,
    status: 200,
    media: 'text/event-stream',
  },
  {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    status: 200,
    answer: z.record(z.string(), z.unknown()),
  },
]

const matchers = apiRoutes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** The routes at a path, whatever their method; none for an unknown address. */
export function routesAt(pathname: string): readonly ApiRoute[] {
  return matchers.flatMap(({ route, pattern }) => (pattern.test(pathname) ? [route] : []))
}
