/** A provider in every standing, for the fixture page and the tests. */
import { type ProviderStatus, providerStatusSchema } from '@/lib/contract/providers'

const key = { needed: true, from: 'none', variable: 'OPENAI_API_KEY' } as const
const baseUrl = { url: 'https://api.openai.com/v1', from: 'usual', variable: 'OPENAI_BASE_URL' } as const
const missing = 'OPENAI_API_KEY (or a key in Settings)'

export function sampleProvider(more: Partial<ProviderStatus> = {}): ProviderStatus {
  return providerStatusSchema.parse({
    id: 'openai',
    label: 'OpenAI',
    configured: 'none',
    missing,
    key,
    baseUrl,
    ...more,
  })
}

export const sampleProviders = {
  notSet: sampleProvider(),
  fromSettings: sampleProvider({
    configured: 'settings',
    missing: null,
    key: { ...key, from: 'settings' },
    baseUrl: { ...baseUrl, url: 'https://gateway.example/v1', from: 'settings' },
  }),
  fromEnvironment: sampleProvider({
    configured: 'environment',
    missing: null,
    key: { ...key, from: 'environment' },
    baseUrl: { ...baseUrl, url: 'https://gateway.example/openai/v1', from: 'environment' },
  }),
  notComplete: sampleProvider({
    id: 'openai-compatible',
    label: 'OpenAI-compatible server',
    missing: 'OPENAI_COMPATIBLE_BASE_URL (or a base URL in Settings)',
    key: { needed: false, from: 'settings', variable: 'OPENAI_COMPATIBLE_API_KEY' },
    baseUrl: { url: null, from: 'none', variable: 'OPENAI_COMPATIBLE_BASE_URL' },
  }),
  foundHere: sampleProvider({
    id: 'ollama',
    label: 'Ollama',
    configured: 'local',
    missing: null,
    key: { needed: false, from: 'none', variable: null },
    baseUrl: { url: 'http://127.0.0.1:11434/v1', from: 'local', variable: 'OLLAMA_BASE_URL' },
  }),
}
