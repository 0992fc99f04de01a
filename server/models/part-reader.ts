/** Reads one provider stream: the AI SDK's parts in, ours out. Knows nothing of connections and signals. */
import type { LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider'
import type { CallId } from '@/lib/contract/ids'
import type { FinishReason, ModelPart } from '@/server/runtime/ports'
import { failureOfErrorPart } from './broken-connection'
import { cutFailure, failure, type ProviderFacts } from './failure'
import { packSignature } from './reasoning-signature'

type FinishPart = Extract<LanguageModelV3StreamPart, { type: 'finish' }>
type BlockKey = `${'text' | 'reasoning' | 'call'}:${string}`
interface OpenBlock {
  readonly block: number
  text: string
}

export class PartReader {
  readonly #facts: ProviderFacts
  readonly #now: () => Date
  readonly #takenCallIds: Set<string>
  readonly #open = new Map<BlockKey, OpenBlock>()
  readonly #signatures = new Map<BlockKey, string>()
  /** Calls whose input is not JSON: whole only if the stream ends well. */
  readonly #doubtful: number[] = []
  #blocks = 0
  #calls = 0

  /** `takenCallIds`: the ids of earlier calls. A server that counts from `call_0` each time gets its ids made unique. */
  constructor(facts: ProviderFacts, takenCallIds: Iterable<string>, now: () => Date) {
    this.#facts = facts
    this.#now = now
    this.#takenCallIds = new Set(takenCallIds)
  }

  read(part: LanguageModelV3StreamPart): readonly ModelPart[] {
    switch (part.type) {
      case 'text-delta':
        return this.#delta(`text:${part.id}`, 'text', part.delta)
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#reasoning(part)
      case 'text-end':
        return this.#end(`text:${part.id}`)
      case 'tool-input-start':
        return part.providerExecuted ? [] : this.#startCall(part.id, part.toolName)
      case 'tool-input-delta':
        return this.#callDelta(part.id, part.delta)
      case 'tool-call':
        return part.providerExecuted ? [] : this.#call(part.toolCallId, part.toolName, part.input)
      case 'finish':
        return this.#finish(part)
      case 'error':
        return [failureOfErrorPart(this.#facts, part.error, this.#now())]
      default:
        return [] // stream-start, metadata, sources, files and provider-run tools: nothing of ours
    }
  }

  #reasoning(part: Extract<LanguageModelV3StreamPart, { type: `reasoning-${string}` }>): readonly ModelPart[] {
    const key: BlockKey = `reasoning:${part.id}`
    const signature = packSignature(part.providerMetadata)
    if (signature) this.#signatures.set(key, signature)
    if (part.type === 'reasoning-delta') return this.#delta(key, 'reasoning', part.delta)
    if (part.type === 'reasoning-start') return []
    const proof = this.#signatures.get(key)
    this.#signatures.delete(key)
    if (!proof) return this.#end(key)
    const opened: readonly ModelPart[] = this.#open.has(key) ? [] : [this.#start(key, 'reasoning')]
    return [...opened, ...this.#end(key).map((end) => ({ ...end, signature: proof }) as ModelPart)]
  }

  /** A block begins with its first word: providers announce blocks that stay empty. */
  #delta(key: BlockKey, kind: 'text' | 'reasoning', text: string): readonly ModelPart[] {
    if (text === '') return []
    const open = this.#open.get(key)
    if (open) return [{ type: 'block-delta', block: open.block, text }]
    const start = this.#start(key, kind)
    return [start, { type: 'block-delta', block: start.block, text }]
  }

  #start(key: BlockKey, kind: 'text' | 'reasoning'): Extract<ModelPart, { type: 'block-start' }> {
    const block = this.#blocks++
    this.#open.set(key, { block, text: '' })
    return { type: 'block-start', block, kind }
  }

  #end(key: BlockKey): readonly ModelPart[] {
    const open = this.#open.get(key)
    if (!open) return []
    this.#open.delete(key)
    return [{ type: 'block-end', block: open.block }]
  }

  #startCall(id: string, name: string): readonly ModelPart[] {
    const block = this.#blocks++
    this.#open.set(`call:${id}`, { block, text: '' })
    return [{ type: 'block-start', block, kind: 'tool-call', callId: this.#uniqueCallId(id), name }]
  }

  #callDelta(id: string, text: string): readonly ModelPart[] {
    const open = this.#open.get(`call:${id}`)
    if (!open || text === '') return []
    open.text += text
    return [{ type: 'block-delta', block: open.block, text }]
  }

  #call(id: string, name: string, input: string): readonly ModelPart[] {
    const parts: ModelPart[] = []
    if (!this.#open.has(`call:${id}`)) parts.push(...this.#startCall(id, name))
    const open = this.#open.get(`call:${id}`)
    if (!open) return parts
    this.#calls += 1
    if (open.text === '') parts.push(...this.#callDelta(id, input.trim() === '' ? '{}' : input))
    if (isJson(open.text)) parts.push(...this.#end(`call:${id}`))
    else this.#doubtful.push(open.block)
    return parts
  }

  #finish(part: FinishPart): readonly ModelPart[] {
    const usage = usageOf(part.usage)
    const { unified, raw } = part.finishReason
    switch (unified) {
      case 'error':
        return [...usage, this.#failedFinish(raw)]
      case 'other':
        if (raw === undefined) return [...usage, cutFailure(this.#facts)]
        return [...usage, ...this.#finishAs('stop')]
      case 'length':
        return [...usage, { type: 'finish', reason: 'length' }]
      case 'content-filter':
        return [...usage, { type: 'finish', reason: 'content-filter' }]
      case 'stop':
      case 'tool-calls':
        return [...usage, ...this.#finishAs('stop')]
    }
  }

  /** The calls decide whether tools come next, whatever word the server uses. */
  #finishAs(reason: FinishReason): readonly ModelPart[] {
    const ends = this.#doubtful.map((block): ModelPart => ({ type: 'block-end', block }))
    return [...ends, { type: 'finish', reason: this.#calls > 0 ? 'tool-calls' : reason }]
  }

  #failedFinish(raw: string | undefined): ModelPart {
    if (raw === undefined) return cutFailure(this.#facts)
    const { label, host } = this.#facts
    return failure('provider-error', `${label} (${host}) ended its answer with an error.`, { retryable: true })
  }

  #uniqueCallId(id: string): CallId {
    const base = id === '' ? 'call' : id.slice(0, 180)
    let callId = base
    for (let n = 2; this.#takenCallIds.has(callId); n += 1) callId = `${base}-${n}`
    this.#takenCallIds.add(callId)
    return callId as CallId
  }
}

function usageOf(usage: LanguageModelV3Usage): readonly ModelPart[] {
  const inputTokens = usage.inputTokens.total ?? 0
  const outputTokens = usage.outputTokens.total ?? 0
  return inputTokens + outputTokens > 0 ? [{ type: 'usage', inputTokens, outputTokens }] : []
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // half a call, or a model's slip
  }
}
