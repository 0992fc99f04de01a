/** Every refusal of the API: its code, its status, a message for a person, and no effect (W1). */
import { expect, test } from '@playwright/test'
import { type ErrorCode, errorBodySchema, errorStatus } from '@/lib/contract/errors'
import { errorCodeOf, errorTextOf, type Reply } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { ask } from '../support/http'
import { saysThenHangs } from '../support/scripted-models'
import { seedChild } from '../support/seeded-child'
import { storedEvents } from '../support/stored'

const given = givenBelay({ env: { OPENAI_API_KEY: undefined } })

function expectRefused(reply: Reply, code: ErrorCode): void {
  expect(errorCodeOf(reply), reply.text.slice(0, 300)).toBe(code)
  expect(reply.status).toBe(errorStatus[code])
  expect(errorBodySchema.strict().parse(reply.body).error.message).toMatch(/^.{8,}$/s)
  expect(reply.text, 'no internal text on the wire').not.toMatch(/\bat .+:\d+:\d+|node_modules|SQLITE/)
}

/** Sends a raw body as JSON. */
async function raw(method: string, path: string, body: string | Buffer, type = 'application/json'): Promise<Reply> {
  const { url, token } = given.belay
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  const answer = await ask(url + path, { method, headers, body })
  return { ...answer, body: answer.headers['content-type']?.includes('json') ? JSON.parse(answer.text) : undefined }
}

const badBodies: readonly { name: string; path: string; method?: string; body: unknown; says: RegExp }[] = [
  { name: 'an unknown key', path: '/api/sessions', body: { workspace: '.', colour: 'red' }, says: /colour/ },
  { name: 'an unknown key inside', path: '/api/sessions', body: { message: { text: 'hi', x: 1 } }, says: /x/ },
  { name: 'a wrong type', path: '/api/sessions', body: { title: 7 }, says: /title/ },
  { name: 'an unknown mode', path: '/api/sessions', body: { approvalMode: 'yolo' }, says: /approvalMode/ },
  { name: 'an array', path: '/api/sessions', body: [], says: /./ },
  { name: 'null', path: '/api/sessions', body: null, says: /./ },
  { name: 'no text', path: '/api/sessions/ID/messages', body: {}, says: /text/ },
  { name: 'an empty text', path: '/api/sessions/ID/messages', body: { text: ' \n ' }, says: /text/ },
  {
    name: 'an inject from outside',
    path: '/api/sessions/ID/messages',
    body: { text: 'a', delivery: 'inject' },
    says: /delivery/,
  },
  { name: 'a cause in a cancel', path: '/api/sessions/ID/cancel', body: { cause: { kind: 'parent' } }, says: /cause/ },
  { name: 'an unknown way of asking', path: '/api/sessions/ID/cancel', body: { via: 'magic' }, says: /via/ },
  { name: 'something in a wake', path: '/api/sessions/ID/wake', body: { now: true }, says: /now/ },
  {
    name: 'an edit that changes nothing',
    method: 'PATCH',
    path: '/api/sessions/ID/messages/msg_1',
    body: {},
    says: /text or position/,
  },
  { name: 'an empty title', method: 'PATCH', path: '/api/sessions/ID', body: { title: '  ' }, says: /title/ },
  {
    name: 'a force that is no boolean',
    path: '/api/sessions/ID/tools/call_1/end',
    body: { force: 'yes' },
    says: /force/,
  },
  { name: 'a fork without a turn', path: '/api/sessions/ID/fork', body: {}, says: /turnId/ },
]

test('W1: invalid-request says which part of a body is wrong, and nothing is stored', async () => {
  const { id } = await given.api.create({ model: 'rehearsal/fast' })
  const before = storedEvents(given.belay.home)
  for (const { name, path, method = 'POST', body, says } of badBodies) {
    const reply = await raw(method, path.replace('ID', id), JSON.stringify(body))
    await test.step(name, () => {
      expectRefused(reply, 'invalid-request')
      expect(errorTextOf(reply)).toMatch(says)
    })
  }
  expect(storedEvents(given.belay.home)).toEqual(before)
})

test('W1: malformed JSON, bytes that are no UTF-8, and keys that reach for a prototype are refused', async () => {
  const bodies = ['{"title": "a"', 'title=a', '{"title": "a"} {}', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])]
  for (const body of bodies) expectRefused(await raw('POST', '/api/sessions', body), 'invalid-request')
  expectRefused(await raw('POST', '/api/sessions', '{"__proto__": {"workspace": "/"}}'), 'invalid-request')
  expectRefused(await raw('POST', '/api/sessions', '{"constructor": 1}'), 'invalid-request')
})

test('W1: an empty body counts as {}', async () => {
  const { url, token } = given.belay
  const answer = await ask(`${url}/api/sessions`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  expect(answer.status).toBe(201)
})

test('W1: a bad query is refused: unknown keys, wrong values, a key given twice', async () => {
  const queries = [
    '/api/sessions?limit=0',
    '/api/sessions?limit=201',
    '/api/sessions?limit=ten',
    '/api/sessions?colour=red',
    '/api/sessions?activity=busy',
    '/api/sessions?limit=5&limit=6',
    '/api/sessions?cursor=%00nonsense',
    '/api/turns?outcome=sad',
    '/api/turns?from=yesterday',
    '/api/stream?after=-1',
    '/api/stream?sessions=a%20b',
  ]
  for (const path of queries) {
    const reply = await given.api.ask('GET', path)
    await test.step(path, () => expectRefused(reply, 'invalid-request'))
  }
})

test('W1: unauthenticated without a token or with a wrong one, whatever the address', async () => {
  for (const path of ['/api/sessions', '/api/models', '/api/stream', '/api/nothing-here', '/api/openapi.json']) {
    const tries: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic YTpi' }]
    for (const headers of tries) {
      const answer = await ask(given.belay.url + path, { headers })
      expectRefused({ ...answer, body: JSON.parse(answer.text) }, 'unauthenticated')
    }
  }
})

test('W1: not-found for an unknown id on every route, and for an unknown address', async () => {
  const { api } = given
  const wanted: readonly [string, string, unknown?][] = [
    ['GET', '/api/sessions/ses_unknown'],
    ['PATCH', '/api/sessions/ses_unknown', { title: 'a' }],
    ['DELETE', '/api/sessions/ses_unknown', {}],
    ['GET', '/api/sessions/ses_unknown/tree'],
    ['GET', '/api/sessions/ses_unknown/events'],
    ['POST', '/api/sessions/ses_unknown/messages', { text: 'hi' }],
    ['PATCH', '/api/sessions/ses_unknown/messages/msg_1', { text: 'hi' }],
    ['DELETE', '/api/sessions/ses_unknown/messages/msg_1'],
    ['POST', '/api/sessions/ses_unknown/wake', {}],
    ['POST', '/api/sessions/ses_unknown/cancel', {}],
    ['POST', '/api/sessions/ses_unknown/stop-all', {}],
    ['POST', '/api/sessions/ses_unknown/tools/call_1/end', {}],
    ['POST', '/api/sessions/ses_unknown/fork', { turnId: 'turn_1' }],
    ['GET', '/api/sessions/%2e%2e%2fhealth'],
    ['GET', `/api/sessions/${'x'.repeat(300)}`],
    ['GET', '/api/nothing-here'],
    ['GET', '/api'],
  ]
  for (const [method, path, body] of wanted) {
    const reply = await api.ask(method, path, body)
    await test.step(`${method} ${path.slice(0, 80)}`, () => expectRefused(reply, 'not-found'))
  }
  const { id } = await api.create({ model: 'rehearsal/fast' })
  for (const [method, path, body] of [
    ['PATCH', 'messages/msg_unknown', { text: 'hi' }],
    ['DELETE', 'messages/msg_unknown', undefined],
    ['POST', 'fork', { turnId: 'turn_unknown' }],
    ['POST', 'messages', { text: 'hi', replaces: 'turn_unknown' }],
  ] as const) {
    const reply = await api.ask(method, `/api/sessions/${id}/${path}`, body)
    await test.step(`${method} ${path}`, () => expectRefused(reply, 'not-found'))
  }
})

test('W1: method-not-allowed names what the address takes', async () => {
  for (const [method, path, allow] of [
    ['PUT', '/api/sessions', 'POST, GET'],
    ['DELETE', '/api/sessions', 'POST, GET'],
    ['GET', '/api/sessions/ses_1/cancel', 'POST'],
    ['POST', '/api/health', 'GET'],
    ['POST', '/api/stream', 'GET'],
  ] as const) {
    const reply = await given.api.ask(method, path)
    expectRefused(reply, 'method-not-allowed')
    expect(String(reply.headers.allow).split(', ').sort()).toEqual(allow.split(', ').sort())
  }
})

test('W1: message-claimed for an edit or a removal that comes too late; turn-open for a turn that has not ended', async () => {
  const { api } = given
  const model = given.models.script(saysThenHangs('Working. '))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  const messageId = await api.send(id, 'go')
  const { turnId } = (await reading.event('turn.start')).data
  expectRefused(await api.ask('PATCH', `/api/sessions/${id}/messages/${messageId}`, { text: 'b' }), 'message-claimed')
  expectRefused(await api.ask('DELETE', `/api/sessions/${id}/messages/${messageId}`), 'message-claimed')
  expectRefused(await api.ask('POST', `/api/sessions/${id}/fork`, { turnId }), 'turn-open')
  expectRefused(await api.ask('POST', `/api/sessions/${id}/messages`, { text: 'b', replaces: turnId }), 'turn-open')
  await api.cancel(id)
})

test('W1: too-large for a body over 1 MiB, also one of 5 MB and one of unknown length', async () => {
  const { url, token } = given.belay
  const { id } = await given.api.create({ model: 'rehearsal/fast' })
  const path = `/api/sessions/${id}/messages`
  for (const size of [1024 * 1024 + 1, 5_000_000]) {
    const reply = await raw('POST', path, JSON.stringify({ text: 'x'.repeat(size) }))
    expectRefused(reply, 'too-large')
  }
  const chunked = await ask(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
    body: JSON.stringify({ text: 'x'.repeat(1_100_000) }),
  })
  expectRefused({ ...chunked, body: JSON.parse(chunked.text) }, 'too-large')
  expect((await given.api.events(id)).map((event) => event.type)).toEqual(['session.created'])
})

test('W1: unsupported-media-type for anything but JSON', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    '',
  ]
  for (const type of types) {
    expectRefused(await raw('POST', '/api/sessions', '{"title":"a"}', type), 'unsupported-media-type')
  }
})

test('W1: misdirected-host for a name that is not ours', async () => {
  const { url, token, port } = given.belay
  for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', `localhost.evil.example:${port}`]) {
    const answer = await ask(`${url}/api/sessions`, { headers: { authorization: `Bearer ${token}`, host } })
    expectRefused({ ...answer, body: JSON.parse(answer.text) }, 'misdirected-host')
  }
})

test('W1: workspace-not-found names the folder, and no session is made', async () => {
  const before = storedEvents(given.belay.home).length
  for (const workspace of ['/no/such/folder', '/etc/passwd', 'a\u0000b']) {
    const reply = await given.api.ask('POST', '/api/sessions', { workspace })
    expectRefused(reply, 'workspace-not-found')
  }
  const reply = await given.api.ask('POST', '/api/sessions', { workspace: '/no/such/folder' })
  expect(errorTextOf(reply)).toContain('/no/such/folder')
  expect(storedEvents(given.belay.home).length).toBe(before)
})

test('W1: model-unavailable names the variable or setting that is missing', async () => {
  const { api } = given
  const { id } = await api.create({ model: 'rehearsal/fast' })
  for (const [method, path] of [
    ['POST', '/api/sessions'],
    ['PATCH', `/api/sessions/${id}`],
  ] as const) {
    const keyless = await api.ask(method, path, { model: 'openai/gpt-5.5' })
    expectRefused(keyless, 'model-unavailable')
    expect(errorTextOf(keyless)).toContain('OPENAI_API_KEY')
    expect(errorTextOf(keyless)).toContain('Settings')
    for (const model of ['nobody/knows', 'no-slash', 'rehearsal/no-such']) {
      expectRefused(await api.ask(method, path, { model }), 'model-unavailable')
    }
  }
  expect((await api.session(id)).model).toBe('rehearsal/fast')
})

test('W1: limit-reached at the 101st waiting message, and the hundred stay', async () => {
  const { api } = given
  const model = given.models.script(saysThenHangs('Working. '))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  await api.send(id, 'go')
  await reading.event('turn.start')
  for (let n = 1; n <= 100; n += 1) await api.send(id, `waiting ${n}`, { clientId: `client-${n}` })
  expectRefused(await api.ask('POST', `/api/sessions/${id}/messages`, { text: 'one too many' }), 'limit-reached')
  expect((await api.session(id)).queue).toHaveLength(100)
  const again = await api.ask('POST', `/api/sessions/${id}/messages`, { text: 'again', clientId: 'client-100' })
  expect(again.status, 'a repeated send is an answer, not a new message').toBe(202)
  await api.cancel(id, { keepInbox: false })
})

test('W4: a subagent’s session refuses the commands for roots as subagent-session and can be read', async () => {
  const { api, belay } = given
  const root = await api.create({ model: 'rehearsal/fast' })
  await belay.stop()
  const child = seedChild(belay.home, root.id, 'continuable')
  await belay.startAgain()
  const path = `/api/sessions/${child}`
  for (const [method, address, body] of [
    ['POST', `${path}/cancel`, {}],
    ['POST', `${path}/messages`, { text: 'hi' }],
    ['PATCH', `${path}/messages/msg_1`, { text: 'hi' }],
    ['DELETE', `${path}/messages/msg_1`, undefined],
    ['POST', `${path}/wake`, {}],
    ['POST', `${path}/stop-all`, {}],
    ['DELETE', path, undefined],
    ['PATCH', path, { model: 'rehearsal/fast' }],
  ] as const) {
    const reply = await api.ask(method, address, body)
    await test.step(`${method} ${address}`, () => expectRefused(reply, 'subagent-session'))
  }
  expect((await api.ask('PATCH', path, { title: 'A title' })).status).toBe(200)
  expect((await api.ask('GET', `${path}/events`)).status).toBe(200)
  const tree = await api.ask('GET', `${path}/tree`)
  expect(tree.body).toMatchObject({ nodes: [{ id: root.id }, { id: child, parentId: root.id, depth: 1 }] })
  expect((await api.sessions()).map((session) => session.id)).not.toContain(child)
  expect((await api.sessions('?kind=continuable')).map((session) => session.id)).toEqual([child])
})
