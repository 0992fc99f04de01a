import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ErrorBody, errorStatus } from '@/lib/contract/errors'
import {
  changeDefaultModelBody,
  changeProviderBody,
  providerAnswer,
  providerParams,
  providersAnswer,
  testProviderAnswer,
} from '@/lib/contract/providers'
import { Providers } from '@/server/container/providers'
import { handle } from '@/server/http/handle'
import { readProviderSettings } from '@/server/models/provider-settings'
import { ModelRegistry } from '@/server/models/registry'
import { systemClock } from '@/server/runtime/system-clock'
import { type ModelServerOptions, startModelServer } from '../support/model-server/model-server'
import { tempFolder } from './given-server'

const never = new AbortController().signal
const secret = 'sk-from-a-person-4711'

function given(env: Record<string, string> = {}, more: { testLimitMs?: number } = {}) {
  const home = tempFolder('providers')
  const file = path.join(home, 'providers.json')
  const models = new ModelRegistry({ env, clock: systemClock, localServers: [], settings: readProviderSettings(home) })
  const providers = new Providers({ home, models, ...more })
  const statusOf = (id: string) => providers.list().providers.find((provider) => provider.id === id)
  return { home, file, models, providers, statusOf }
}

/** The routes as the app makes them, on this test's providers. */
function routesOf({ providers }: ReturnType<typeof given>) {
  const reported: unknown[] = []
  const door = {
    access: () => ({ port: 4310, token: 'right', allowedHosts: [] }),
    accepting: () => true,
    report: (error: unknown) => void reported.push(error),
  }
  const shape = { params: providerParams, body: changeProviderBody }
  const patch = handle(door, shape, async ({ params, body, request }) => ({
    status: 200,
    body: { provider: await providers.change(params.providerId, body, request.signal) },
  }))
  const test = handle(door, shape, async ({ params, body, request }) => ({
    status: 200,
    body: await providers.test(params.providerId, body, request.signal),
  }))
  const ask = async (route: typeof patch, providerId: string, body: unknown, signal: AbortSignal = never) => {
    const request = new Request('http://127.0.0.1:4310/api/providers/x', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { host: '127.0.0.1:4310', authorization: 'Bearer right', 'content-type': 'application/json' },
      signal,
    })
    const response = await route(request, { params: Promise.resolve({ providerId }) })
    const text = await response.text()
    return { status: response.status, text, error: (JSON.parse(text) as Partial<ErrorBody>).error }
  }
  return {
    reported,
    patch: (id: string, body: unknown) => ask(patch, id, body),
    test: (id: string, body: unknown, signal?: AbortSignal) => ask(test, id, body, signal),
  }
}

async function modelServer(options: Partial<ModelServerOptions>) {
  const server = await startModelServer({ script: [], ...options })
  onTestFinished(() => server.close())
  return server
}

/** A server that takes requests and never answers; it counts the connections that its clients closed. */
async function silentServer() {
  const server = createServer()
  const seen = once(server, 'request')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const closed = seen.then(([request]) => once(request.socket, 'close'))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, closed }
}

describe('what is kept', () => {
  it('M1: keeps a key in the data folder, for its owner alone, and it is there after a restart', async () => {
    const { home, file, providers } = given()
    await providers.change('anthropic', { apiKey: secret }, never)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(readProviderSettings(home)).toEqual({ providers: { anthropic: { apiKey: secret } } })
  })

  it('M1: changes one field and leaves the others, and forgets a provider of which nothing is left', async () => {
    const { home, file, providers } = given()
    writeFileSync(file, JSON.stringify({ providers: { openai: { models: ['mine'] }, google: { apiKey: 'g' } } }))
    await providers.change('openai', { apiKey: secret }, never)
    await providers.change('openai', { baseUrl: 'https://gateway.example/v1' }, never)
    expect(readProviderSettings(home).providers.openai).toEqual({
      apiKey: secret,
      baseUrl: 'https://gateway.example/v1',
      models: ['mine'],
    })
    await providers.change('openai', { apiKey: null }, never)
    expect(readProviderSettings(home).providers.openai).toEqual({
      baseUrl: 'https://gateway.example/v1',
      models: ['mine'],
    })
    await providers.change('google', { apiKey: null }, never)
    expect(readProviderSettings(home).providers).not.toHaveProperty('google')
  })

  it('M1: what could not be kept is not used either', async () => {
    const { file, models, providers } = given()
    writeFileSync(file, '{broken')
    await expect(providers.change('openai', { apiKey: secret }, never)).rejects.toThrow(/not valid/)
    expect(() => models.check('openai/gpt-5.5')).toThrow(/OPENAI_API_KEY/)
    expect(readFileSync(file, 'utf8')).toBe('{broken')
  })
})

describe('what is shown', () => {
  it('M1: says for every provider where its key and address come from, and what is missing', async () => {
    const { providers, statusOf } = given({
      OPENAI_API_KEY: 'from-environment',
      OPENAI_BASE_URL: 'https://user:pass@gateway.example/v1?token=t',
    })
    await providers.change('anthropic', { apiKey: secret }, never)
    expect(providersAnswer.parse(providers.list())).toEqual(providers.list())
    expect(statusOf('openai')).toMatchObject({
      configured: 'environment',
      missing: null,
      key: { needed: true, from: 'environment', variable: 'OPENAI_API_KEY' },
      baseUrl: { url: 'https://gateway.example/v1', from: 'environment', variable: 'OPENAI_BASE_URL' },
    })
    expect(statusOf('anthropic')).toMatchObject({
      configured: 'settings',
      key: { from: 'settings' },
      baseUrl: { from: 'usual' },
    })
    expect(statusOf('google')).toMatchObject({ configured: 'none', missing: expect.stringContaining('GOOGLE_') })
    expect(statusOf('openai-compatible')).toMatchObject({
      configured: 'none',
      missing: expect.stringContaining('OPENAI_COMPATIBLE_BASE_URL'),
      baseUrl: { url: null, from: 'none' },
    })
    expect(statusOf('ollama')).toMatchObject({ configured: 'none', missing: null })
  })

  it('M1: has a key in no answer, neither kept, nor tried, nor refused', async () => {
    const server = await modelServer({ key: secret, models: ['gpt'] })
    const all = given({ OPENAI_API_KEY: 'key-of-environment' })
    const { patch, test } = routesOf(all)
    const answers = [
      await patch('openai', { apiKey: secret, baseUrl: server.url }),
      await test('openai', {}),
      await test('openai', { apiKey: 'sk-wrong-4712' }),
      await patch('openai', { apiKey: `${secret} with a space` }),
      await patch('openai', { baseUrl: `https://${secret}@host.example` }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400, 400])
    const shown = JSON.stringify([answers, all.providers.list(), all.models.list()])
    expect(shown).not.toMatch(/4711|4712|key-of-environment/)
  })
})

describe('what it changes', () => {
  it('M1: a stored key makes models available without a restart, and its removal takes them away', async () => {
    const { models, providers } = given()
    const offered = () => new Set(models.list().map((model) => model.provider))
    expect(models.default()).toBe('rehearsal/script')
    await providers.change('anthropic', { apiKey: secret }, never)
    models.check('anthropic/claude-sonnet-5')
    expect(offered()).toContain('anthropic')
    expect(models.default()).toMatch(/^anthropic\//)
    await providers.change('anthropic', { apiKey: null }, never)
    expect(() => models.check('anthropic/claude-sonnet-5')).toThrow(/ANTHROPIC_API_KEY/)
    expect(offered()).not.toContain('anthropic')
  })

  it('M1: a stored address of a server is asked for its models before the answer', async () => {
    const server = await modelServer({ models: ['one', 'two'] })
    const { models, providers } = given()
    const status = await providers.change('openai-compatible', { baseUrl: server.url }, never)
    expect(status).toMatchObject({ configured: 'settings', baseUrl: { url: server.url, from: 'settings' } })
    expect(models.list().map((model) => model.id)).toContain('openai-compatible/two')
    await providers.change('anthropic', { apiKey: secret }, never)
    expect(models.list().map((model) => model.id)).toContain('openai-compatible/two')
  })

  it('M1: a default is chosen among what can be called, and forgotten when that can no longer be', async () => {
    const { models, providers } = given()
    expect(() => providers.chooseDefault('openai/gpt-5.5')).toThrow(/OPENAI_API_KEY/)
    await providers.change('openai', { apiKey: secret }, never)
    providers.chooseDefault('openai/gpt-5.4-mini')
    expect(providers.list().defaultModel).toEqual({ model: 'openai/gpt-5.4-mini', from: 'settings' })
    await providers.change('openai', { apiKey: null }, never)
    expect(providers.list().defaultModel).toEqual({ model: 'rehearsal/script', from: 'usual' })
    providers.chooseDefault('rehearsal/fast')
    expect(models.default()).toBe('rehearsal/fast')
    providers.chooseDefault(null)
    expect(models.default()).toBe('rehearsal/script')
    expect(changeDefaultModelBody.safeParse({}).success).toBe(false)
  })

  it('M1: BELAY_MODEL beats the default of Settings, and the answer says so', () => {
    const { providers } = given({ BELAY_MODEL: 'rehearsal/fast' })
    providers.chooseDefault('rehearsal/script')
    expect(providers.list().defaultModel).toEqual({ model: 'rehearsal/fast', from: 'environment' })
  })
})

describe('the test button', () => {
  it('M1: lists the models with the right key and says what is wrong with another, keeping nothing', async () => {
    const server = await modelServer({ key: secret, models: ['gpt'] })
    const { home, providers } = given({ OPENAI_BASE_URL: server.url })
    const right = await providers.test('openai', { apiKey: secret }, never)
    expect(testProviderAnswer.parse(right)).toEqual({ ok: true, models: ['gpt'] })
    expect(await providers.test('openai', { apiKey: 'sk-other' }, never)).toEqual({
      ok: false,
      message: expect.stringMatching(/did not accept the key/),
    })
    expect(await providers.test('openai', {}, never)).toMatchObject({
      ok: false,
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    expect(readProviderSettings(home)).toEqual({ providers: {} })
  })

  it('M1: tries a new address with the key that is kept', async () => {
    const server = await modelServer({ key: secret, models: ['gpt'] })
    const { providers } = given()
    await providers.change('openai', { apiKey: secret, baseUrl: 'http://127.0.0.1:9' }, never)
    expect(await providers.test('openai', { baseUrl: server.url }, never)).toEqual({ ok: true, models: ['gpt'] })
    expect(await providers.test('openai', { baseUrl: server.url, apiKey: null }, never)).toMatchObject({ ok: false })
  })

  it('M1: says so when a server has no list of models at that address', async () => {
    const elsewhere = createServer((_request, response) => response.writeHead(404).end('{}'))
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    onTestFinished(() => void elsewhere.close())
    const baseUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    const answer = await given().providers.test('openai-compatible', { baseUrl }, never)
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/no list of models.*base URL/) })
  })

  it('C12: ends with its request, closes the connection, and is no error', async () => {
    const server = await silentServer()
    const { test, reported } = routesOf(given())
    const leaving = new AbortController()
    const answer = test('openai-compatible', { baseUrl: server.url }, leaving.signal)
    await server.seen
    leaving.abort()
    expect((await answer).text).toContain('The test was ended.')
    await server.closed
    expect(reported).toEqual([])
  })

  it('M1: does not wait for ever for a server that says nothing', async () => {
    const server = await silentServer()
    const { providers } = given({}, { testLimitMs: 50 })
    expect(await providers.test('openai-compatible', { baseUrl: server.url }, never)).toEqual({
      ok: false,
      message: 'OpenAI-compatible server did not answer within 1 s.',
    })
  })
})

describe('what is refused', () => {
  it('W1: an unknown provider is not found, whatever is asked of it', async () => {
    const { patch, test } = routesOf(given())
    for (const id of ['mistral', 'rehearsal', '__proto__', 'OpenAI']) {
      for (const answer of [await patch(id, { apiKey: secret }), await test(id, {})]) {
        expect([answer.status, answer.error?.code]).toEqual([errorStatus['not-found'], 'not-found'])
      }
    }
  })

  it.each([
    [{ models: ['x'] }, /unknown key: models/],
    [{ apiKey: '' }, /apiKey: the key is empty/],
    [{ apiKey: 'two words' }, /apiKey: a key has no spaces/],
    [{ apiKey: 'line\nbreak' }, /apiKey: a key has no spaces/],
    [{ apiKey: 7 }, /apiKey: /],
    [{ baseUrl: 'ftp://host.example' }, /baseUrl: a base URL begins with http/],
    [{ baseUrl: 'javascript:alert(1)' }, /baseUrl: a base URL begins with http/],
    [{ baseUrl: 'localhost:11434' }, /baseUrl: a base URL begins with http/],
    [{ baseUrl: 'https://host.example/v1?key=1' }, /baseUrl: a base URL has no user, query or fragment/],
  ])('W1: the body %j is refused with words for it, and nothing is kept', async (body, message) => {
    const all = given()
    const answer = await routesOf(all).patch('openai', body)
    expect([answer.status, answer.error?.code]).toEqual([400, 'invalid-request'])
    expect(answer.error?.message).toMatch(message)
    expect(all.statusOf('openai')?.configured).toBe('none')
  })

  it('W1: an empty change changes nothing', async () => {
    const all = given()
    const answer = await routesOf(all).patch('openai', {})
    expect(providerAnswer.parse(JSON.parse(answer.text)).provider.configured).toBe('none')
  })
})
