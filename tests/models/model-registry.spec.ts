import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '@/lib/contract/errors'
import { ModelRegistry, type ModelRegistryOptions } from '@/server/models/registry'
import { systemClock } from '@/server/runtime/system-clock'
import { closeServers, collect, givenServer, requestOf } from './given-provider'

const never = new AbortController().signal
afterEach(closeServers)

function given(env: Record<string, string> = {}, more: Partial<ModelRegistryOptions> = {}): ModelRegistry {
  return new ModelRegistry({ env, clock: systemClock, localServers: [], probeTimeoutMs: 10_000, ...more })
}

function refusal(model: string, env: Record<string, string> = {}): string {
  try {
    given(env).check(model)
  } catch (error) {
    if (error instanceof AppError && error.code === 'model-unavailable') return error.message
    throw error
  }
  throw new Error(`${model} was accepted`)
}

describe('check', () => {
  it.each([
    ['openai/gpt-5.5', 'OPENAI_API_KEY'],
    ['anthropic/claude-sonnet-5', 'ANTHROPIC_API_KEY'],
    ['google/gemini-flash-latest', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['deepseek/deepseek-v4-flash', 'DEEPSEEK_API_KEY'],
    ['openai-compatible/some-model', 'OPENAI_COMPATIBLE_BASE_URL'],
  ])('M1: %s without configuration names %s and Settings', (model, variable) => {
    const said = refusal(model)
    expect(said).toContain(model)
    expect(said).toContain(variable)
    expect(said).toContain('Settings')
  })

  it('M1: an empty key is no key, and a base URL that is none is named', () => {
    expect(refusal('openai/gpt-5.5', { OPENAI_API_KEY: ' ' })).toContain('OPENAI_API_KEY')
    expect(refusal('openai-compatible/m', { OPENAI_COMPATIBLE_BASE_URL: 'localhost:1234' })).toContain(
      'OPENAI_COMPATIBLE_BASE_URL',
    )
  })

  it('M1: a name without a provider, an unknown provider and an unknown script are told apart', () => {
    expect(refusal('gpt-5.5')).toContain('provider/model')
    expect(refusal('mistral/large')).toContain('mistral')
    expect(refusal('rehearsal/other')).toContain('rehearsal/script')
    expect(refusal('openai/', { OPENAI_API_KEY: 'k' })).toContain('provider/model')
  })

  it('M1: any id of a configured provider is accepted, slashes and all', () => {
    const registry = given({ OPENAI_COMPATIBLE_BASE_URL: 'http://127.0.0.1:1', OPENAI_API_KEY: 'k' })
    for (const model of ['openai-compatible/org/model:free', 'openai/a-model-of-tomorrow', 'ollama/qwen3:8b'])
      registry.check(model)
    for (const model of ['rehearsal/script', 'rehearsal/fast']) given().check(model)
  })

  it('M1: a request to a model that is not configured is a failure, as data', async () => {
    expect(await collect(given().stream(requestOf('openai/gpt-5.5'), never))).toMatchObject([
      {
        type: 'failure',
        code: 'model-unavailable',
        retryable: false,
        message: expect.stringContaining('OPENAI_API_KEY'),
      },
    ])
  })
})

describe('default and list', () => {
  it('M2: without any configuration the script answers', () => {
    const registry = given()
    expect(registry.default()).toBe('rehearsal/script')
    expect(registry.list().map(({ id, scripted }) => [id, scripted])).toEqual([
      ['rehearsal/script', true],
      ['rehearsal/fast', true],
    ])
  })

  it('M2: a configured provider comes before a local server, and BELAY_MODEL before both', async () => {
    const server = await givenServer({ script: [], models: ['llama'] })
    const localServers = [{ label: 'Ollama', provider: 'ollama', baseUrl: `${server.url}/v1` }] as const
    const plain = given({}, { localServers })
    await plain.probeLocal(never)
    expect(plain.default()).toBe('ollama/llama')

    const configured = given({ ANTHROPIC_API_KEY: 'k' }, { localServers })
    await configured.probeLocal(never)
    expect(configured.default()).toMatch(/^anthropic\/claude/)

    const named = given({ ANTHROPIC_API_KEY: 'k', BELAY_MODEL: 'openai/x' }, { localServers })
    expect(named.default()).toBe('openai/x')
    expect(named.list()[0]).toEqual({ id: 'openai/x', label: 'x (OpenAI)', provider: 'openai', scripted: false })
  })

  it('M2: a local server is found, offers its models and answers; embedding models are left out', async () => {
    const server = await givenServer({
      script: [[{ kind: 'text', pieces: 'from here' }]],
      models: ['nomic-embed-text', 'qwen'],
    })
    const registry = given(
      {},
      { localServers: [{ label: 'LM Studio', provider: 'openai-compatible', baseUrl: `${server.url}/v1` }] },
    )
    await registry.probeLocal(never)

    expect(registry.default()).toBe('openai-compatible/qwen')
    expect(registry.list().map(({ id }) => id)).toEqual([
      'openai-compatible/qwen',
      'rehearsal/script',
      'rehearsal/fast',
    ])
    registry.check('openai-compatible/qwen')
    expect((await collect(registry.stream(requestOf('openai-compatible/qwen'), never))).at(-1)).toMatchObject({
      reason: 'stop',
    })
  })

  it('M2: something else on the port is not taken for a model server', async () => {
    const server = await givenServer({ script: [] })
    const registry = given(
      {},
      { localServers: [{ label: 'llama.cpp', provider: 'openai-compatible', baseUrl: `${server.url}/other` }] },
    )
    await registry.probeLocal(never)
    expect(registry.default()).toBe('rehearsal/script')
  })

  it('M2: a configured server whose models nobody can know is asked for them', async () => {
    const server = await givenServer({ script: [], models: ['one', 'two'] })
    const registry = given({ OPENAI_COMPATIBLE_BASE_URL: server.url })
    expect(registry.default()).toBe('rehearsal/script')
    await registry.probeLocal(never)
    expect(registry.default()).toBe('openai-compatible/one')
  })

  it('M2: probing goes on in the background until its undo has been awaited', async () => {
    const server = await givenServer({ script: [], models: ['llama'] })
    const registry = given({}, { localServers: [{ label: 'Ollama', provider: 'ollama', baseUrl: `${server.url}/v1` }] })
    const stop = registry.keepProbing(5)
    while (registry.default() === 'rehearsal/script') await new Promise((resolve) => setImmediate(resolve))
    await stop()
    await server.close()
    expect(registry.default()).toBe('ollama/llama')
  })
})

describe('settings', () => {
  it('M1: a key from Settings is used from the next request on, beats the environment and is shown to nobody', async () => {
    const server = await givenServer({
      script: [[{ kind: 'text', pieces: 'ok' }]],
      key: 'from-settings',
      models: ['gpt'],
    })
    const registry = given({ OPENAI_API_KEY: 'from-environment' })
    registry.configure({
      providers: { openai: { apiKey: 'from-settings', baseUrl: server.url, models: ['mine'] } },
      defaultModel: 'openai/mine',
    })

    expect((await collect(registry.stream(requestOf('openai/mine'), never))).at(-1)).toEqual({
      type: 'finish',
      reason: 'stop',
    })
    expect(registry.default()).toBe('openai/mine')
    expect(registry.list()[0]?.id).toBe('openai/mine')
    expect(registry.providers().find(({ id }) => id === 'openai')).toMatchObject({
      configured: 'settings',
      missing: null,
      key: { needed: true, from: 'settings', variable: 'OPENAI_API_KEY' },
      baseUrl: { url: server.url, from: 'settings', variable: 'OPENAI_BASE_URL' },
    })
    expect(JSON.stringify([registry.providers(), registry.list()])).not.toMatch(/from-(settings|environment)/)
  })

  it.each(['openai', 'anthropic', 'google', 'deepseek', 'openai-compatible', 'ollama'] as const)(
    'M1: the one-button check of %s lists models with a good key and says what is wrong with a bad one',
    async (id) => {
      const server = await givenServer({ script: [], key: 'good-key', models: ['model-a'] })
      const registry = given()
      expect(await registry.test(id, never, { apiKey: 'good-key', baseUrl: server.url })).toEqual({
        ok: true,
        models: ['model-a'],
      })
      const bad = await registry.test(id, never, { apiKey: 'bad-key', baseUrl: server.url })
      expect(bad).toMatchObject({ ok: false, message: expect.stringContaining('key') })
      expect(JSON.stringify(bad)).not.toContain('bad-key')
    },
  )

  it('M1: the check says what is missing, that nobody answers, and that a web page is no model server', async () => {
    const registry = given()
    expect(await registry.test('openai', never)).toMatchObject({
      ok: false,
      message: expect.stringContaining('OPENAI_API_KEY'),
    })
    const server = await givenServer({ script: [] })
    await server.close()
    const gone = await registry.test('openai-compatible', never, { baseUrl: server.url })
    expect(gone).toMatchObject({ ok: false, message: expect.stringContaining('Nothing answers') })
  })

  it('C15: the check listens to its signal', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect(given().test('openai-compatible', stopped, { baseUrl: 'http://127.0.0.1:9' })).rejects.toThrow(
      'stopped',
    )
  })
})
