/** The six providers of M1: their variables, their addresses, and how each package is opened. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createDeepSeek } from '@ai-sdk/deepseek'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ProviderId } from '@/lib/contract/providers'
import { ollamaBaseUrl, versionedBaseUrl } from './base-url'
import type { ReasoningPolicy } from './reasoning-signature'

/** What is needed to call one provider. */
export interface Access {
  readonly apiKey?: string
  /** Normalised, with its version. */
  readonly baseUrl: string
}

export interface Provider {
  readonly id: ProviderId
  readonly label: string
  readonly keyVariable?: string
  readonly key: 'needed' | 'optional'
  readonly baseUrlVariable: string
  /** Absent where only a person can know the address. */
  readonly defaultBaseUrl?: string
  /** Known ids, the sensible default first. Any other id is accepted too. */
  readonly models: readonly string[]
  readonly reasoning: ReasoningPolicy
  providerOptions?(model: string): LanguageModelV3CallOptions['providerOptions']
  maxOutputTokens(model: string): number | undefined
  normalizeBaseUrl(text: string): string
  open(access: Access, model: string, fetch: typeof globalThis.fetch): LanguageModelV3
  /** Headers of the request that lists the provider's models. */
  listHeaders(access: Access): Record<string, string>
}

const v1 = (text: string): string => versionedBaseUrl(text, 'v1')
/** Google's models that think; the others refuse to be asked for it. */
const thinks = /gemini-(2\.5|[3-9]|flash-latest|pro-latest)(?!.*(image|tts|audio))/
const leaveIt = (): undefined => undefined
const bearer = ({ apiKey }: Access): Record<string, string> => (apiKey ? { authorization: `Bearer ${apiKey}` } : {})

/** In the order in which a default is looked for. */
export const providers: readonly Provider[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    key: 'needed',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    defaultBaseUrl: 'https://api.anthropic.com/v1',
    models: ['claude-sonnet-5', 'claude-opus-5', 'claude-haiku-4-5'],
    reasoning: 'anthropic',
    // The package cuts this down to what a model it knows can do; a model it does not know gets a careful figure.
    maxOutputTokens: (model) => (model.includes('claude') ? 32_000 : 8192),
    normalizeBaseUrl: v1,
    open: ({ apiKey, baseUrl }, model, fetch) =>
      createAnthropic({ apiKey: apiKey ?? '', baseURL: baseUrl, fetch })(model),
    listHeaders: ({ apiKey }) => ({ 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' }),
  },
  {
    id: 'openai',
    label: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    key: 'needed',
    baseUrlVariable: 'OPENAI_BASE_URL',
    defaultBaseUrl: 'https://api.openai.com/v1',
    models: ['gpt-5.5', 'gpt-5.4-mini', 'gpt-5.3-codex'],
    reasoning: 'drop', // its reasoning items are opaque and bound to the response; nothing of them is kept
    providerOptions: () => ({ openai: { store: false } }),
    maxOutputTokens: leaveIt,
    normalizeBaseUrl: v1,
    open: ({ apiKey, baseUrl }, model, fetch) =>
      createOpenAI({ apiKey: apiKey ?? '', baseURL: baseUrl, fetch }).responses(model),
    listHeaders: bearer,
  },
  {
    id: 'google',
    label: 'Google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    key: 'needed',
    baseUrlVariable: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    models: ['gemini-flash-latest', 'gemini-pro-latest'],
    reasoning: 'google',
    providerOptions: (model) =>
      thinks.test(model) ? { google: { thinkingConfig: { includeThoughts: true } } } : undefined,
    maxOutputTokens: leaveIt,
    normalizeBaseUrl: (text) => versionedBaseUrl(text, 'v1beta'),
    open: ({ apiKey, baseUrl }, model, fetch) =>
      createGoogleGenerativeAI({ apiKey: apiKey ?? '', baseURL: baseUrl, fetch })(model),
    listHeaders: ({ apiKey }) => ({ 'x-goog-api-key': apiKey ?? '' }),
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    keyVariable: 'DEEPSEEK_API_KEY',
    key: 'needed',
    baseUrlVariable: 'DEEPSEEK_BASE_URL',
    defaultBaseUrl: 'https://api.deepseek.com/v1',
    models: ['deepseek-v4-flash', 'deepseek-v4-pro'],
    reasoning: 'plain', // the package sends it where the model wants it and leaves it out elsewhere
    maxOutputTokens: leaveIt,
    normalizeBaseUrl: v1,
    open: ({ apiKey, baseUrl }, model, fetch) =>
      createDeepSeek({ apiKey: apiKey ?? '', baseURL: baseUrl, fetch })(model),
    listHeaders: bearer,
  },
  {
    id: 'openai-compatible',
    label: 'OpenAI-compatible server',
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    key: 'optional',
    baseUrlVariable: 'OPENAI_COMPATIBLE_BASE_URL',
    models: [],
    reasoning: 'drop', // no common field that every server accepts
    maxOutputTokens: leaveIt,
    normalizeBaseUrl: v1,
    open: chatCompletions,
    listHeaders: bearer,
  },
  {
    id: 'ollama',
    label: 'Ollama',
    key: 'optional',
    baseUrlVariable: 'OLLAMA_BASE_URL',
    defaultBaseUrl: 'http://127.0.0.1:11434/v1',
    models: [],
    reasoning: 'drop',
    maxOutputTokens: leaveIt,
    normalizeBaseUrl: ollamaBaseUrl,
    open: chatCompletions,
    listHeaders: bearer,
  },
]

export function providerOf(id: string): Provider | undefined {
  return providers.find((provider) => provider.id === id)
}

function chatCompletions({ apiKey, baseUrl }: Access, model: string, fetch: typeof globalThis.fetch): LanguageModelV3 {
  const key = apiKey ? { apiKey } : {}
  return createOpenAICompatible({ name: 'server', baseURL: baseUrl, ...key, fetch, includeUsage: true })(model)
}
