/** Every route's answer against the contract, and what the fields of a session say at each moment (W2, W5). */
import { expect, test } from '@playwright/test'
import type { z } from 'zod'
import { type ApiRoute, apiRoutes } from '@/lib/contract/routes'
import type { Session } from '@/lib/contract/session'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, outcomesAtRest, textsIn } from '../support/turns'

const given = givenBelay()
const asked = new Set<string>()

/** Asks a route of the table and checks status, schema, and that the answer has no field beside the contract's. */
async function answer(
  method: ApiRoute['method'],
  path: string,
  values: Record<string, string>,
  body?: unknown,
  query = '',
) {
  const route = apiRoutes.find((each) => each.method === method && each.path === path)
  if (!route) throw new Error(`${method} ${path} is no route.`)
  asked.add(`${method} ${path}`)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const reply = await given.api.ask(method, address + query, body)
  expect(reply.status, `${method} ${address}: ${reply.text.slice(0, 300)}`).toBe(route.status)
  expect(reply.headers['cache-control']).toBe('no-store')
  if (!route.answer) {
    expect(reply.text).toBe('')
    return {}
  }
  const parsed = (route.answer as z.ZodType).parse(reply.body)
  expect(parsed, 'no field beside the contract’s').toEqual(reply.body)
  return reply.body as Record<string, unknown>
}

test('W2: each route answers with the status and the shape of the contract', async () => {
  const model = given.models.script((_request, n) => (n === 2 ? saysThenHangs('Two. ') : says('One.')))
  const created = await answer(
    'POST',
    '/api/sessions',
    {},
    {
      workspace: '.',
      model: model.id,
      title: 'Shapes',
      approvalMode: 'full-access',
      message: { text: 'first', clientId: 'shape-1' },
    },
  )
  const { id } = created.session as Session
  expect(created.messageId).toEqual(expect.any(String))
  await outcomesAtRest(given.api, id, 1)

  await answer(
    'GET',
    '/api/sessions',
    {},
    undefined,
    '?kind=root&activity=idle&outcome=completed&query=shapes&archived=false&limit=10',
  )
  await answer('GET', '/api/sessions/{id}', { id })
  await answer('PATCH', '/api/sessions/{id}', { id }, { title: 'Shapes again' })
  await answer('GET', '/api/sessions/{id}/tree', { id })
  const events = await answer('GET', '/api/sessions/{id}/events', { id }, undefined, '?after=2&limit=3')
  expect((events.events as { seq: number }[]).map((event) => event.seq)).toEqual([3, 4, 5])
  const backwards = await answer('GET', '/api/sessions/{id}/events', { id }, undefined, '?before=5&limit=2')
  expect((backwards.events as { seq: number }[]).map((event) => event.seq)).toEqual([3, 4])

  const reading = await given.reading(id)
  await answer('POST', '/api/sessions/{id}/messages', { id }, { text: 'second' })
  await reading.text(id, (text) => text.includes('Two'))
  const queued = await answer('POST', '/api/sessions/{id}/messages', { id }, { text: 'third', delivery: 'follow-up' })
  const messageId = String(queued.messageId)
  await answer(
    'PATCH',
    '/api/sessions/{id}/messages/{messageId}',
    { id, messageId },
    { text: 'third, edited', position: 0 },
  )
  await answer('POST', '/api/sessions/{id}/tools/{callId}/end', { id, callId: 'no-such-call' }, {})
  await answer('POST', '/api/sessions/{id}/stop-all', { id }, {})
  await atRest(given.api, id)
  await answer('DELETE', '/api/sessions/{id}/messages/{messageId}', { id, messageId })
  await answer('POST', '/api/sessions/{id}/wake', { id }, {})
  await answer('POST', '/api/sessions/{id}/cancel', { id }, { keepInbox: true })
  const [first] = ofType(await given.api.events(id), 'turn.start')
  const forked = await answer('POST', '/api/sessions/{id}/fork', { id }, { turnId: first?.data.turnId })
  expect(forked.session).toMatchObject({ kind: 'root', queue: [], lastOutcome: { kind: 'completed' } })
  await answer('GET', '/api/turns', {}, undefined, `?outcome=completed,aborted&session=${id}&query=sec&limit=5`)
  const models = await answer('GET', '/api/models', {})
  expect(models.models).toContainEqual(expect.objectContaining({ id: 'rehearsal/script', scripted: true }))
  await answer('POST', '/api/sessions/{id}/compact', { id }, {})
  await outcomesAtRest(given.api, id, 3)
  await answer('GET', '/api/providers', {})
  await answer('PATCH', '/api/providers/{providerId}', { providerId: 'ollama' }, { baseUrl: null })
  await answer('POST', '/api/providers/{providerId}/test', { providerId: 'ollama' }, {})
  await answer('PATCH', '/api/models', {}, { default: null })
  const health = await answer('GET', '/api/health', {})
  expect(health).toMatchObject({ status: 'ok', activeTurns: 0 })
  const document = await answer('GET', '/api/openapi.json', {})
  const paths = Object.entries(document.paths as Record<string, object>)
  expect(
    paths.flatMap(([path, at]) => Object.keys(at).map((method) => `${method.toUpperCase()} ${path}`)).sort(),
  ).toEqual(apiRoutes.map((route) => `${route.method} ${route.path}`).sort())
  await answer('DELETE', '/api/sessions/{id}', { id })

  asked.add('GET /api/stream') // Read frame by frame in stream-joining.spec.ts.
  expect([...asked].sort()).toEqual(apiRoutes.map((route) => `${route.method} ${route.path}`).sort())
})

test('W2: the same clientId gives the same answer for ever, and one message', async () => {
  const { api, belay } = given
  const model = given.models.script(says('Yes.'))
  const { id } = await api.create({ model: model.id })
  const answers = await Promise.all(Array.from({ length: 5 }, () => api.send(id, 'once', { clientId: 'same' })))
  await outcomesAtRest(api, id, 1)
  answers.push(await api.send(id, 'another text', { clientId: 'same' }))
  expect(new Set(answers).size).toBe(1)
  await atRest(api, id)
  expect(ofType(storedEvents(belay.home, id), 'inbox.queued')).toHaveLength(1)
  expect(model.requests()).toHaveLength(1)
})

test('W2: the queue can be edited, reordered and cleared of single messages while a turn runs', async () => {
  const { api } = given
  const model = given.models.script((_request, n) => (n === 1 ? saysThenHangs('Busy. ') : says('Done.')))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'first')
  await reading.text(id, (text) => text !== '')
  const [a, b, c] = [await api.send(id, 'A'), await api.send(id, 'B'), await api.send(id, 'C')]
  const path = (messageId: string | undefined) => `/api/sessions/${id}/messages/${messageId}`
  expect((await api.ask('PATCH', path(c), { position: 0 })).status).toBe(200)
  expect((await api.ask('PATCH', path(a), { text: 'A, edited' })).status).toBe(200)
  expect((await api.ask('DELETE', path(b))).status).toBe(204)
  expect((await api.session(id)).queue.map((message) => message.text)).toEqual(['C', 'A, edited'])
  await api.cancel(id)
  await reading.event('turn.end')
  await api.wake(id)
  await outcomesAtRest(api, id, 3)
  const texts = ofType(await api.events(id), 'user.message').map((event) => event.data.blocks.at(-1)?.text)
  expect(texts).toEqual(['first', 'C', 'A, edited'])
})

test('W2: a resend with replaces leaves the old turn out of the next request', async () => {
  const { api } = given
  const model = given.models.script(says('An answer.'))
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'a clumsy question')
  await outcomesAtRest(api, id, 1)
  const [first] = ofType(await api.events(id), 'turn.start')
  await api.send(id, 'a better question', { replaces: first?.data.turnId })
  await outcomesAtRest(api, id, 2)
  const sent = JSON.stringify(model.requests()[1]?.body)
  expect(sent).toContain('a better question')
  expect(sent).not.toContain('a clumsy question')
})

test('W2: DELETE hides at once, refuses everything, stops the work, and nothing is left in list, search and store', async () => {
  const { api, belay } = given
  const model = given.models.script([{ kind: 'stamps', count: 10_000, perSecond: 50 }])
  const { id } = await api.create({ model: model.id, title: 'Aardvark' })
  const reading = await given.reading(id)
  await api.send(id, 'aardvark')
  await reading.text(id, (text) => text !== '')
  await api.send(id, 'waiting')
  expect((await api.ask('DELETE', `/api/sessions/${id}`)).status).toBe(202)
  expect((await api.ask('GET', `/api/sessions/${id}`)).status).toBe(404)
  expect((await api.ask('POST', `/api/sessions/${id}/messages`, { text: 'more' })).status).toBe(404)
  expect((await api.ask('DELETE', `/api/sessions/${id}`)).status).toBe(404)
  await reading.until((frame) => frame.event === 'session-removed' && frame.data.sessionId === id)
  await expect.poll(() => model.requests()[0]?.state, { timeout: 2000 }).toBe('left')
  await expect.poll(() => storedEvents(belay.home, id).length, { timeout: 5000 }).toBe(0)
  expect((await api.sessions('?query=aardvark')).length).toBe(0)
  expect((await api.turns('?query=aardvark')).turns).toEqual([])
  await belay.restart()
  expect((await api.ask('GET', `/api/sessions/${id}`)).status).toBe(404)
  expect(storedEvents(belay.home, id)).toEqual([])
})

test('W2: lists are pages: every session once, newest activity first, whatever the size of a page', async () => {
  const { api } = given
  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.push((await api.create({ model: 'rehearsal/fast', title: `Paged ${n}` })).id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = `/api/sessions?query=paged&limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`
    const page = (await api.ask('GET', query)).body as { sessions: Session[]; nextCursor: string | null }
    expect(page.sessions.length).toBeLessThanOrEqual(3)
    seen.push(...page.sessions.map((session) => session.id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual([...ids].reverse())
})

test('W2: search finds words of messages, replies, partial text and tool output, also one or two characters in any language', async () => {
  const { api } = given
  const model = given.models.script((_request, n) => {
    if (n === 1) return [{ kind: 'call', name: 'run_command', input: { command: 'printf quokka-output' } }]
    return saysThenHangs('部分的文字 wombat-partial ')
  })
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, '请取消 numbat-prompt')
  await reading.text(id, (text) => text.includes('wombat'))
  await api.cancel(id)
  await atRest(api, id)
  for (const word of ['numbat-prompt', 'wombat-partial', 'quokka-output', '取消', '消', '部分', 'QUOKKA']) {
    const { turns } = await api.turns(`?query=${encodeURIComponent(word)}&outcome=aborted`)
    expect(
      turns.map((turn) => turn.sessionId),
      word,
    ).toEqual([id])
    expect(turns[0]?.snippet, word).toBeDefined()
  }
  expect((await api.turns('?query=no-such-word-anywhere')).turns).toEqual([])
  expect((await api.turns(`?session=${id}&requestedBy=user`)).turns).toHaveLength(1)
  expect((await api.turns(`?session=${id}&requestedBy=parent`)).turns).toEqual([])
})

test('W5: the fields of a session say at each moment what is so', async () => {
  const { api } = given
  const model = given.models.script((_request, n) =>
    n === 1
      ? [{ kind: 'call', name: 'run_command', input: { command: `trap '' TERM INT; echo on; sleep 30` } }]
      : says('End.'),
  )
  const fresh = await api.create({ model: model.id, title: 'Fields' })
  const { id } = fresh
  expect(fresh).toMatchObject({
    kind: 'root',
    parentId: null,
    rootId: id,
    depth: 0,
    title: 'Fields',
    label: null,
    workspace: given.belay.workspace,
    model: model.id,
    approvalMode: 'full-access',
    archived: false,
    lastSeq: 1,
    activity: 'idle',
    openTurnId: null,
    paused: false,
    queue: [],
    needs: 0,
    lastOutcome: null,
    usage: { inputTokens: 0, outputTokens: 0, estimated: false },
    waitingOn: [],
  })

  const reading = await given.reading(id)
  await api.send(id, 'go')
  const { callId, turnId } = (await reading.event('tool.start')).data
  await reading.until((frame) => frame.event === 'tool-output')
  await api.send(id, 'x'.repeat(700))
  const running = await api.session(id)
  expect(running).toMatchObject({ activity: 'running', openTurnId: turnId, paused: false, resident: true })
  expect(running.waitingOn).toMatchObject([{ kind: 'tool', name: 'run_command', callId, killable: true }])
  expect(running.queue[0]?.text.length).toBeLessThanOrEqual(501)
  expect(running.queue[0]?.delivery).toBe('follow-up')

  await api.cancel(id)
  const stopping = await api.session(id)
  expect(stopping).toMatchObject({ activity: 'stopping', openTurnId: turnId })
  expect(stopping.waitingOn.map((wait) => wait.name)).toContain('run_command')
  await api.endCall(id, callId, { force: true })
  const paused = await atRest(api, id)
  expect(paused).toMatchObject({ paused: true, openTurnId: null, lastOutcome: { kind: 'aborted' }, waitingOn: [] })
  expect(paused.usage).toEqual({ inputTokens: 11, outputTokens: 7, estimated: false })

  await api.wake(id)
  await outcomesAtRest(api, id, 2)
  expect(await api.session(id)).toMatchObject({
    paused: false,
    lastOutcome: { kind: 'completed' },
    usage: { inputTokens: 22, outputTokens: 14, estimated: false },
    lastSeq: (await api.events(id)).length,
  })
  expect(textsIn(await api.events(id)).at(-1)).toBe('End.')
})
