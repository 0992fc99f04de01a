import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ollamaBaseUrl, versionedBaseUrl } from '@/server/models/base-url'
import { type ModelSettings, readProviderSettings, writeProviderSettings } from '@/server/models/provider-settings'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'belay-settings-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const settings: ModelSettings = {
  defaultModel: 'openai/gpt-5.5',
  providers: { openai: { apiKey: 'sk-1', baseUrl: 'https://gateway.example/v1', models: ['a', 'b'] } },
}

describe('provider settings', () => {
  it('M1: come back as they were written, in a file that only its owner can read', () => {
    writeProviderSettings(join(home, 'fresh'), settings)
    writeProviderSettings(join(home, 'fresh'), settings)
    expect(readProviderSettings(join(home, 'fresh'))).toEqual(settings)
    expect(statSync(join(home, 'fresh', 'providers.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(home, 'fresh'))).toEqual(['providers.json'])
  })

  it('M1: a file that others could read is closed by the next write', () => {
    writeFileSync(join(home, 'providers.json'), '{}', { mode: 0o644 })
    writeProviderSettings(home, settings)
    expect(statSync(join(home, 'providers.json')).mode & 0o777).toBe(0o600)
  })

  it('M1: no file is no settings', () => {
    expect(readProviderSettings(home)).toEqual({ providers: {} })
  })

  it.each(['{"providers": {"openai": {"apiKey": 7}}}', '{"unknown": true}', '{broken'])(
    'M1: a file that cannot be understood (%s) is refused in clear words and left as it is',
    (text) => {
      writeFileSync(join(home, 'providers.json'), text)
      expect(() => readProviderSettings(home)).toThrow(/providers\.json are not valid/)
      expect(statSync(join(home, 'providers.json')).size).toBe(text.length)
    },
  )

  it('M1: refuses to write what it would refuse to read, and leaves the old file', () => {
    writeProviderSettings(home, settings)
    const wrong = { providers: { openai: { baseUrl: 'ftp://x' } } }
    expect(() => writeProviderSettings(home, wrong)).toThrow()
    expect(readProviderSettings(home)).toEqual(settings)
    expect(readdirSync(home)).toEqual(['providers.json'])
  })
})

describe('base URLs', () => {
  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1'],
    ['https://api.openai.com/v1/', 'https://api.openai.com/v1'],
    ['http://localhost:1234', 'http://localhost:1234/v1'],
    ['https://openrouter.ai/api', 'https://openrouter.ai/api/v1'],
    ['https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/paas/v4'],
    [
      'https://generativelanguage.googleapis.com/v1beta/openai/',
      'https://generativelanguage.googleapis.com/v1beta/openai',
    ],
  ])('M1: %s is used as %s', (written, used) => {
    expect(versionedBaseUrl(written, 'v1')).toBe(used)
  })

  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/api', 'http://127.0.0.1:11434/v1'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
  ])('M1: Ollama at %s is used as %s', (written, used) => {
    expect(ollamaBaseUrl(written)).toBe(used)
  })

  it('M1: an address without http is refused', () => {
    expect(() => versionedBaseUrl('localhost:1234', 'v1')).toThrow(TypeError)
    expect(() => versionedBaseUrl('file:///etc', 'v1')).toThrow(TypeError)
  })
})
