/** The six providers, each pointed at a loopback double, and a registry that calls them through the real packages. */
import type { Block } from '@/lib/contract/events'
import type { CallId } from '@/lib/contract/ids'
import type { ModelMessage, ToolCallResult } from '@/lib/projection/prompt'
import { ModelRegistry, type ModelRegistryOptions } from '@/server/models/registry'
import type { ModelPart, ModelRequest, ToolSpec } from '@/server/runtime/ports'
import { systemClock } from '@/server/runtime/system-clock'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../support/model-server/model-server'

export interface ProviderUnderTest {
  readonly model: string
  readonly env: (url: string) => Record<string, string>
  /** What it makes of reasoning: `none` where the wire has no field for it. */
  readonly signs: boolean
  readonly keyVariable: string | undefined
  readonly keyHeader: string | undefined
}

export const sixProviders: readonly ProviderUnderTest[] = [
  {
    model: 'openai/gpt-5.5',
    env: (url) => ({ OPENAI_API_KEY: 'key-of-openai', OPENAI_BASE_URL: `${url}/v1` }),
    signs: false,
    keyVariable: 'OPENAI_API_KEY',
    keyHeader: 'authorization',
  },
  {
    model: 'openai-compatible/org/some-model',
    env: (url) => ({ OPENAI_COMPATIBLE_BASE_URL: url, OPENAI_COMPATIBLE_API_KEY: 'key-of-compatible' }),
    signs: false,
    keyVariable: 'OPENAI_COMPATIBLE_API_KEY',
    keyHeader: 'authorization',
  },
  {
    model: 'anthropic/claude-sonnet-5',
    env: (url) => ({ ANTHROPIC_API_KEY: 'key-of-anthropic', ANTHROPIC_BASE_URL: url }),
    signs: true,
    keyVariable: 'ANTHROPIC_API_KEY',
    keyHeader: 'x-api-key',
  },
  {
    model: 'google/gemini-flash-latest',
    env: (url) => ({ GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-google', GOOGLE_GENERATIVE_AI_BASE_URL: url }),
    signs: true,
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    keyHeader: 'x-goog-api-key',
  },
  {
    model: 'deepseek/deepseek-v4-flash',
    env: (url) => ({ DEEPSEEK_API_KEY: 'key-of-deepseek', DEEPSEEK_BASE_URL: `${url}/v1/` }),
    signs: false,
    keyVariable: 'DEEPSEEK_API_KEY',
    keyHeader: 'authorization',
  },
  {
    model: 'ollama/qwen3:8b',
    env: (url) => ({ OLLAMA_BASE_URL: `${url}/api` }),
    signs: false,
    keyVariable: undefined,
    keyHeader: undefined,
  },
]

const open: ModelServer[] = []

/** A double that closes with `closeServers`. */
export async function givenServer(options: ModelServerOptions): Promise<ModelServer> {
  const server = await startModelServer({ strict: true, ...options })
  open.push(server)
  return server
}

export async function closeServers(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()))
}

export function registryFor(
  provider: ProviderUnderTest,
  url: string,
  more: Partial<ModelRegistryOptions> = {},
): ModelRegistry {
  return new ModelRegistry({ env: provider.env(url), clock: systemClock, ...more })
}

export const lookTool: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
}

export function requestOf(model: string, messages: readonly ModelMessage[] = [user('hi')]): ModelRequest {
  return { model, system: 'Be brief.', messages, tools: [lookTool], settings: { attempt: 1 } }
}

export function user(...texts: string[]): ModelMessage {
  return { role: 'user', blocks: texts.map((text) => ({ type: 'text', text })) }
}

export function assistant(...blocks: Block[]): ModelMessage {
  return { role: 'assistant', blocks }
}

export function results(...ended: (Omit<ToolCallResult, 'callId' | 'name'> & { callId: string })[]): ModelMessage {
  return { role: 'tool', results: ended.map((one) => ({ ...one, callId: one.callId as CallId, name: 'read_file' })) }
}

export function callBlock(callId: string, input: unknown = { path: 'a.txt' }): Block {
  return { type: 'tool-call', callId: callId as CallId, name: 'read_file', input }
}

export async function collect(stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** The blocks that a runtime would keep of these parts: whole calls, and all text and reasoning. */
export function blocksOf(parts: readonly ModelPart[]): Block[] {
  const blocks = new Map<number, { block: Block; text: string; ended: boolean }>()
  for (const part of parts) {
    if (part.type === 'block-start') {
      const block: Block =
        part.kind === 'tool-call'
          ? { type: 'tool-call', callId: part.callId, name: part.name, input: undefined }
          : { type: part.kind, text: '' }
      blocks.set(part.block, { block, text: '', ended: false })
      continue
    }
    if (part.type !== 'block-delta' && part.type !== 'block-end') continue
    const open = blocks.get(part.block)
    if (!open) throw new Error(`A part of block ${part.block}, which never began.`)
    if (open.ended) throw new Error(`A part of block ${part.block} after its end.`)
    if (part.type === 'block-delta') open.text += part.text
    else {
      open.ended = true
      if (open.block.type === 'reasoning' && part.signature) open.block.signature = part.signature
    }
  }
  return [...blocks.values()].flatMap(({ block, text, ended }): Block[] => {
    if (block.type !== 'tool-call') return [{ ...block, text }]
    return ended ? [{ ...block, input: JSON.parse(text) as unknown }] : []
  })
}
