/** Asks a provider which models it has: the one-button check of Settings, and the way to find out what a local server runs. */
import { z } from 'zod'
import { failureOfThrown } from './broken-connection'
import { type Failure, failure, failureOfAnswer, type ProviderFacts } from './failure'
import type { Access, Provider } from './providers'

const listSchema = z.union([
  z
    .object({ data: z.array(z.object({ id: z.string().min(1).max(180) })) })
    .transform((list) => list.data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string().min(1).max(180) })) })
    .transform((list) => list.models.map(({ name }) => name.replace(/^models\//, ''))),
])

export type ModelListing = { readonly kind: 'models'; readonly models: readonly string[] } | Failure

/** One GET. Resolves with the models or with a failure in our words; rejects only with the signal's reason. */
export async function listModels(
  provider: Provider,
  access: Access,
  facts: ProviderFacts,
  now: () => Date,
  signal: AbortSignal,
): Promise<ModelListing> {
  try {
    const headers = { accept: 'application/json', ...provider.listHeaders(access) }
    const response = await fetch(`${access.baseUrl}/models`, { headers, signal, redirect: 'manual' })
    const body = (await response.text()).slice(0, 4 * 1024 * 1024)
    if (response.ok) {
      const parsed = listSchema.safeParse(jsonOf(body))
      if (parsed.success) return { kind: 'models', models: parsed.data }
      return failure(
        'provider-rejected',
        `${facts.label} (${facts.host}) did not answer as a model server. Is the base URL right?`,
      )
    }
    if (response.status === 404) {
      return failure(
        'provider-rejected',
        `${facts.label} (${facts.host}) has no list of models at this address (HTTP 404). Is the base URL right?`,
      )
    }
    return failureOfAnswer(facts, { status: response.status, headers: response.headers, body }, now())
  } catch (error) {
    signal.throwIfAborted()
    return failureOfThrown(facts, error, 'nothing')
  }
}

/** Models that can hold a conversation, as far as a name tells. */
export function canTalk(model: string): boolean {
  return !/embed|rerank|whisper|tts|moderation|dall-e|image|audio|realtime|transcribe|clip/i.test(model)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // no JSON, and the schema says so
  }
}
