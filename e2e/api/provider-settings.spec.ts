/** Providers over HTTP: what is kept acts at once and after a restart, and no answer or page has a key (M1). */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { providersAnswer, testProviderAnswer } from '@/lib/contract/providers'
import { errorCodeOf } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { says } from '../support/scripted-models'
import { outcomesAtRest } from '../support/turns'

const given = givenBelay({ env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined } })
const key = 'sk-of-a-person-4711'

test('M1: a key that is entered works at once and after a restart, and is in no answer and no page', async () => {
  const { api, belay, models } = given
  const model = models.script(says('Hello.'), 'anthropic')
  expect(errorCodeOf(await api.ask('POST', '/api/sessions', { model: model.id }))).toBe('model-unavailable')

  const kept = await api.ask('PATCH', '/api/providers/anthropic', { apiKey: key, baseUrl: models.url })
  expect(kept.status).toBe(200)
  expect((statSync(path.join(belay.home, 'providers.json')).mode & 0o777).toString(8)).toBe('600')
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'hi')
  expect(await outcomesAtRest(api, id, 1)).toEqual(['completed'])

  await belay.stop()
  await belay.startAgain()
  await api.send(id, 'hi again')
  expect(await outcomesAtRest(api, id, 2)).toEqual(['completed', 'completed'])
  const tested = await api.ask('POST', '/api/providers/anthropic/test', {})
  expect(testProviderAnswer.parse(tested.body)).toMatchObject({ ok: true })

  const listed = await api.ask('GET', '/api/providers')
  const anthropic = providersAnswer.parse(listed.body).providers.find((provider) => provider.id === 'anthropic')
  expect(anthropic).toMatchObject({ configured: 'settings', key: { from: 'settings' } })
  const shown = [kept, tested, listed, await api.ask('GET', '/api/models'), await api.ask('GET', '/settings')]
  for (const answer of shown) {
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain('4711')
  }

  await api.ask('PATCH', '/api/providers/anthropic', { apiKey: null, baseUrl: null })
  expect(errorCodeOf(await api.ask('POST', '/api/sessions', { model: model.id }))).toBe('model-unavailable')
})

test('M1: a client that leaves ends the test that it asked for', async () => {
  const { belay } = given
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  try {
    const asked = once(silent, 'request')
    const leaving = new AbortController()
    const answer = fetch(`${belay.url}/api/providers/openai-compatible/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${belay.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` }),
      signal: leaving.signal,
    }).catch(() => undefined)
    const [request] = await asked
    const closed = once(request.socket, 'close', { signal: AbortSignal.timeout(10_000) })
    leaving.abort()
    await closed
    await answer
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
})

test('W1: an unknown provider is not found, an unknown key and a stray address are refused', async () => {
  const { api } = given
  expect(errorCodeOf(await api.ask('PATCH', '/api/providers/mistral', { apiKey: key }))).toBe('not-found')
  expect(errorCodeOf(await api.ask('PATCH', '/api/providers/openai', { models: [] }))).toBe('invalid-request')
  expect(errorCodeOf(await api.ask('PATCH', '/api/providers/openai', { baseUrl: 'file:///etc' }))).toBe(
    'invalid-request',
  )
  expect(errorCodeOf(await api.ask('PATCH', '/api/models', { default: 'mistral/large' }))).toBe('model-unavailable')
  expect(errorCodeOf(await api.ask('GET', '/api/providers/openai'))).toBe('method-not-allowed')
})
