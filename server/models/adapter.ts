/** The one adapter between the AI SDK's provider packages and `ModelPort.stream` (M1). */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { ModelPart, ModelRequest } from '@/server/runtime/ports'
import { failureOfThrown } from './broken-connection'
import { Exchange } from './exchange'
import { cutFailure, type ProviderFacts } from './failure'
import { PartReader } from './part-reader'
import { providerPrompt, providerTools } from './provider-prompt'
import type { ReasoningPolicy } from './reasoning-signature'

declare global {
  var AI_SDK_LOG_WARNINGS: boolean | undefined
}
globalThis.AI_SDK_LOG_WARNINGS = false

/** One provider's model, ready to be called. */
export interface ProviderModel {
  readonly facts: ProviderFacts
  readonly reasoning: ReasoningPolicy
  /** Used when the request does not set it; undefined leaves it to the provider. */
  readonly maxOutputTokens?: number
  readonly providerOptions?: LanguageModelV3CallOptions['providerOptions']
  /** The provider package's model, speaking through the given `fetch`. */
  open(fetch: typeof globalThis.fetch): LanguageModelV3
}

export interface AdapterOptions {
  readonly idleMs: number
  readonly now: () => Date
  readonly fetch?: typeof globalThis.fetch
}

/**
 * Streams one request, once (back-off is the runtime's). Failures are data; after an abort it just ends, decided by
 * `signal.aborted` and never by the error (C8). It settles when the connection is closed or free again (C11).
 */
export async function* streamFromProvider(
  target: ProviderModel,
  request: ModelRequest,
  options: AdapterOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, void> {
  if (signal.aborted) return
  const exchange = new Exchange({ ...options, facts: target.facts }, signal)
  let source: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined
  try {
    const { stream } = await target.open(exchange.fetch).doStream(callOptions(target, request, exchange.signal))
    source = stream.getReader()
    const reader = new PartReader(target.facts, callIdsOf(request), options.now)
    for (;;) {
      const { done, value } = await source.read()
      if (signal.aborted) return
      for (const part of done ? [cutFailure(target.facts)] : reader.read(value)) {
        if (part.type === 'finish') await untilClosed(source, exchange)
        yield part.type === 'failure' ? (exchange.failure ?? part) : part
        if (part.type === 'finish' || part.type === 'failure' || signal.aborted) return
      }
    }
  } catch (error) {
    if (signal.aborted) return
    yield exchange.failure ?? failureOfThrown(target.facts, error, exchange.reached)
  } finally {
    exchange.close()
    await source?.cancel().catch(() => undefined) // the stream's end was reported above, if it had one
  }
}

/** Reads what comes after the finish, which is nothing of interest, so that the connection goes back to the pool. */
async function untilClosed(
  source: ReadableStreamDefaultReader<LanguageModelV3StreamPart>,
  exchange: Exchange,
): Promise<void> {
  exchange.hangUpSoon()
  try {
    while (!(await source.read()).done);
  } catch {
    // The answer was complete; how its connection ended does not matter.
  }
}

function callOptions(target: ProviderModel, request: ModelRequest, signal: AbortSignal): LanguageModelV3CallOptions {
  const { settings, tools } = request
  const maxOutputTokens = numberOf(settings.maxOutputTokens) ?? target.maxOutputTokens
  const temperature = numberOf(settings.temperature)
  return {
    prompt: providerPrompt(request.system, request.messages, target.reasoning),
    ...(tools.length > 0 && { tools: providerTools(tools), toolChoice: { type: 'auto' } }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(target.providerOptions && { providerOptions: target.providerOptions }),
    includeRawChunks: false,
    abortSignal: signal,
  }
}

function callIdsOf(request: ModelRequest): string[] {
  return request.messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.blocks.flatMap((block) => (block.type === 'tool-call' ? [block.callId] : []))
      : [],
  )
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
