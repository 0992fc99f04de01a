/** Who may come in, from where, and with what (W9, W10, W11), against the production server itself. */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { ErrorCode } from '@/lib/contract/errors'
import { errorCodeOf } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { type Answered, ask } from '../support/http'
import { Belay } from '../support/server'
import { storedEvents } from '../support/stored'

const given = givenBelay()

const bearer = () => ({ authorization: `Bearer ${given.belay.token}` })
const cookie = (port = given.belay.port) => ({ cookie: `belay_${port}=${given.belay.token}` })
const json = { 'content-type': 'application/json' }
const own = () => ({ origin: given.belay.url })

function post(headers: Record<string, string>, body = '{"title":"x"}'): Promise<Answered> {
  return ask(`${given.belay.url}/api/sessions`, { method: 'POST', headers, body })
}

function codeOf(answer: Answered): ErrorCode | number {
  const isJson = answer.headers['content-type']?.includes('json') ?? false
  return errorCodeOf({ status: answer.status, body: isJson ? JSON.parse(answer.text) : undefined })
}

test('W9: without a token every page and route but health answers 401, and the page says how to get in', async () => {
  const { url } = given.belay
  for (const address of ['/', '/s/ses_1', '/history', '/settings', '/no-such-page', '/event-worker.js', '/icon.svg']) {
    const answer = await ask(url + address)
    expect(answer.status, address).toBe(401)
    expect(answer.text).toContain('To get in, open the address that Belay printed')
  }
  expect((await ask(`${url}/api/health`)).status).toBe(200)
  expect(codeOf(await ask(`${url}/api/sessions`))).toBe('unauthenticated')
})

test('W9: the token link sets the cookie of this port, HttpOnly and SameSite=Strict, and goes on to /', async () => {
  const { url, token, port } = given.belay
  const answer = await ask(`${url}/?token=${token}`)
  expect(answer.status).toBe(303)
  expect(new URL(String(answer.headers.location), url).href).toBe(`${url}/`)
  const set = String(answer.headers['set-cookie'])
  expect(set).toContain(`belay_${port}=`)
  expect(set).toMatch(/HttpOnly/i)
  expect(set).toMatch(/SameSite=Strict/i)
  const page = await ask(url, { headers: { cookie: set.split(';')[0] ?? '' } })
  expect(page.status).toBe(200)
  const wrong = await ask(`${url}/?token=wrong`)
  expect(wrong.status).toBe(401)
  expect(wrong.headers['set-cookie']).toBeUndefined()
  const elsewhere = await ask(`${url}//evil.example/?token=${token}`)
  expect(new URL(String(elsewhere.headers.location ?? url), url).origin).toBe(url)
})

test('W9: a cookie named for another port does not let in, and a wrong Bearer is not helped by a right cookie', async () => {
  const { url, port } = given.belay
  expect(codeOf(await ask(`${url}/api/sessions`, { headers: cookie(port + 1) }))).toBe('unauthenticated')
  expect((await ask(`${url}/api/sessions`, { headers: cookie() })).status).toBe(200)
  const both = { ...cookie(), authorization: 'Bearer wrong' }
  expect(codeOf(await ask(`${url}/api/sessions`, { headers: both }))).toBe('unauthenticated')
})

test('W9: a token of its own is kept in the data folder with mode 0600 and outlives a restart; the server listens on loopback', async () => {
  const belay = await Belay.start({ env: { BELAY_TOKEN: undefined } })
  try {
    const file = path.join(belay.home, 'token')
    const token = readFileSync(file, 'utf8').trim()
    expect(token.length).toBeGreaterThanOrEqual(24)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(belay.home, 'belay.db')).mode & 0o077).toBe(0)
    await belay.restart()
    expect(readFileSync(file, 'utf8').trim()).toBe(token)
    const headers = { authorization: `Bearer ${token}` }
    expect((await ask(`${belay.url}/api/sessions`, { headers })).status).toBe(200)
    const port = belay.port.toString(16).toUpperCase().padStart(4, '0')
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[1]?.endsWith(`:${port}`) && fields[3] === '0A')
      .map((fields) => fields[1])
    expect(listening).toEqual([`0100007F:${port}`])
  } finally {
    await belay.dispose()
  }
})

const refused: readonly { name: string; headers: () => Record<string, string>; code: ErrorCode; body?: string }[] = [
  { name: 'a cookie without an origin', headers: () => ({ ...cookie(), ...json }), code: 'forbidden-origin' },
  {
    name: 'a cookie with a foreign Origin',
    headers: () => ({ ...cookie(), ...json, origin: 'http://evil.example' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a cookie with Origin null',
    headers: () => ({ ...cookie(), ...json, origin: 'null' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a cookie from another port of this machine',
    headers: () => ({ ...cookie(), ...json, origin: `http://127.0.0.1:${given.belay.port + 1}` }),
    code: 'forbidden-origin',
  },
  {
    name: 'a cookie from localhost to 127.0.0.1',
    headers: () => ({ ...cookie(), ...json, origin: `http://localhost:${given.belay.port}` }),
    code: 'forbidden-origin',
  },
  {
    name: 'a cookie with Sec-Fetch-Site cross-site',
    headers: () => ({ ...cookie(), ...json, 'sec-fetch-site': 'cross-site' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a cookie with Sec-Fetch-Site same-site',
    headers: () => ({ ...cookie(), ...json, 'sec-fetch-site': 'same-site' }),
    code: 'forbidden-origin',
  },
  {
    name: 'our Origin but Sec-Fetch-Site cross-site',
    headers: () => ({ ...cookie(), ...json, ...own(), 'sec-fetch-site': 'cross-site' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a Bearer with a foreign Origin',
    headers: () => ({ ...bearer(), ...json, origin: 'http://evil.example' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a Bearer with Origin null',
    headers: () => ({ ...bearer(), ...json, origin: 'null' }),
    code: 'forbidden-origin',
  },
  {
    name: 'a Bearer with Sec-Fetch-Site cross-site',
    headers: () => ({ ...bearer(), ...json, 'sec-fetch-site': 'cross-site' }),
    code: 'forbidden-origin',
  },
  {
    name: 'text/plain from our own page',
    headers: () => ({ ...cookie(), ...own(), 'content-type': 'text/plain' }),
    code: 'unsupported-media-type',
  },
  {
    name: 'a form',
    headers: () => ({ ...cookie(), ...own(), 'content-type': 'application/x-www-form-urlencoded' }),
    code: 'unsupported-media-type',
    body: 'title=x',
  },
  {
    name: 'no token but all else right',
    headers: () => ({ ...json, ...own(), 'sec-fetch-site': 'same-origin' }),
    code: 'unauthenticated',
  },
  {
    name: 'a foreign Host',
    headers: () => ({ ...bearer(), ...json, host: `evil.example:${given.belay.port}` }),
    code: 'misdirected-host',
  },
  {
    name: 'a Host without our port',
    headers: () => ({ ...bearer(), ...json, host: '127.0.0.1' }),
    code: 'misdirected-host',
  },
]

for (const { name, headers, code, body } of refused) {
  test(`W10: a change with ${name} is refused as ${code} and has no effect`, async () => {
    const before = storedEvents(given.belay.home).length
    expect(codeOf(await post(headers(), body))).toBe(code)
    expect(storedEvents(given.belay.home).length).toBe(before)
  })
}

test('W10: our own page, with the cookie and a same origin, and a program with a Bearer, get through', async () => {
  for (const headers of [
    { ...cookie(), ...json, ...own() },
    { ...cookie(), ...json, 'sec-fetch-site': 'same-origin' },
    { ...cookie(), ...json, ...own(), 'sec-fetch-site': 'same-origin' },
    { ...bearer(), ...json },
    { ...bearer(), ...json, ...own() },
    { ...bearer(), ...json, host: `localhost:${given.belay.port}` },
    { ...bearer(), 'content-type': 'application/json; charset=utf-8' },
  ]) {
    expect((await post(headers)).status, JSON.stringify(Object.keys(headers))).toBe(201)
  }
})

test('W10: the headers by which a proxy of Next could be skipped change nothing', async () => {
  const { url } = given.belay
  const skip = Array(5).fill('middleware').join(':')
  for (const value of [
    skip,
    Array(5).fill('src/middleware').join(':'),
    Array(5).fill('proxy').join(':'),
    'proxy',
    'middleware',
  ]) {
    const headers = { 'x-middleware-subrequest': value }
    expect((await ask(url, { headers })).status).toBe(401)
    expect((await ask(`${url}/s/ses_1`, { headers })).status).toBe(401)
    expect(codeOf(await ask(`${url}/api/sessions`, { headers }))).toBe('unauthenticated')
    expect(
      codeOf(await ask(`${url}/api/sessions`, { headers: { ...headers, ...bearer(), host: 'evil.example' } })),
    ).toBe('misdirected-host')
    expect(codeOf(await post({ ...headers, ...cookie(), ...json, origin: 'http://evil.example' }))).toBe(
      'forbidden-origin',
    )
  }
})

test('W10: an address spelled to slip past the guard is guarded all the same', async () => {
  const { url } = given.belay
  for (const address of [
    '/api//sessions',
    '/API/sessions',
    '/api/sessions/',
    '/./api/sessions',
    '/%61pi/sessions',
    '/_next/../api/sessions',
    '/_next/static/../../api/sessions',
    '/_next/static/..%2f..%2fapi/sessions',
    '/_next/data/x/api/sessions.json',
    '/_next/image?url=%2Fapi%2Fsessions&w=64&q=75',
  ]) {
    const answer = await ask(url, { path: address })
    expect(answer.text, address).not.toContain('"sessions"')
    expect([301, 307, 308, 400, 401, 404], `${address}: ${answer.status}`).toContain(answer.status)
  }
})

test('W10: a GET, a HEAD and an OPTIONS change nothing', async () => {
  const { api, belay } = given
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const before = storedEvents(belay.home).length
  for (const address of [
    '/api/sessions',
    `/api/sessions/${id}`,
    `/api/sessions/${id}/events`,
    '/api/turns',
    '/api/models',
    '/',
  ]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const answer = await ask(belay.url + address, { method, headers: bearer() })
      expect(answer.status, `${method} ${address}`).toBeLessThan(500)
    }
  }
  expect(storedEvents(belay.home).length).toBe(before)
})

test('W11: a page has a strict policy with a fresh nonce that its own scripts carry; the API and refusals have one too', async () => {
  const { url } = given.belay
  const nonces = new Set<string>()
  for (let n = 0; n < 2; n += 1) {
    const page = await ask(url, { headers: cookie() })
    expect(page.status).toBe(200)
    const policy = String(page.headers['content-security-policy'])
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    expect(nonce.length).toBeGreaterThanOrEqual(20)
    nonces.add(nonce)
    const scripts = policy.split(';').find((part) => part.trim().startsWith('script-src ')) ?? ''
    expect(scripts).not.toContain('unsafe')
    expect(policy).toMatch(/default-src 'self'/)
    expect(policy).toMatch(/object-src 'none'/)
    expect(policy).toMatch(/base-uri 'none'/)
    expect(policy).toMatch(/frame-ancestors 'none'/)
    expect(policy).toMatch(/img-src 'self' data: blob:(;|$)/)
    const tags = page.text.match(/<script\b[^>]*>/g) ?? []
    expect(tags.length).toBeGreaterThan(0)
    for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`)
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.headers['x-powered-by']).toBeUndefined()
  }
  expect(nonces.size).toBe(2)
  for (const answer of [await ask(`${url}/api/health`), await ask(url), await ask(`${url}/api/sessions`)]) {
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
  }
})
