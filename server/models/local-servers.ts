/** Looks for a model server on this machine, so that a newcomer needs no configuration (M2). */
import { z } from 'zod'
import type { ProviderId } from '@/lib/contract/providers'
import { canTalk } from './model-list'

export interface LocalServer {
  readonly label: string
  readonly provider: Extract<ProviderId, 'ollama' | 'openai-compatible'>
  /** With its version. */
  readonly baseUrl: string
}

export interface FoundServer extends LocalServer {
  readonly models: readonly string[]
}

/** The usual ports. */
export const usualServers: readonly LocalServer[] = [
  { label: 'Ollama', provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { label: 'LM Studio', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1' },
  { label: 'llama.cpp', provider: 'openai-compatible', baseUrl: 'http://127.0.0.1:8080/v1' },
]

const listSchema = z.object({ data: z.array(z.object({ id: z.string().min(1).max(180) })) })

/** The servers that answer with models, in the given order. Each gets `timeoutMs`; one that does not answer is just not there. */
export async function findLocalServers(
  servers: readonly LocalServer[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const found = await Promise.all(servers.map((server) => ask(server, timeoutMs, signal)))
  return found.filter((server) => server !== undefined)
}

async function ask(server: LocalServer, timeoutMs: number, signal: AbortSignal): Promise<FoundServer | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(`${server.baseUrl}/models`, { signal: limit, redirect: 'error' })
    const list = listSchema.parse(await response.json())
    const models = list.data.map(({ id }) => id).filter(canTalk)
    return models.length > 0 ? { ...server, models } : undefined
  } catch {
    return undefined // nobody there, or something else lives on that port
  }
}
