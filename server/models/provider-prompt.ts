/** Our messages as the AI SDK's prompt: valid for a strict provider (C13), and without what a provider must not see again (C14). */
import type {
  JSONValue,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ReasoningPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { assertNever } from '@/lib/contract/assert-never'
import type { Block, ToolCallBlock } from '@/lib/contract/events'
import type { ModelMessage, ToolCallResult } from '@/lib/projection/prompt'
import type { ToolSpec } from '@/server/runtime/ports'
import { type ReasoningPolicy, readSignature } from './reasoning-signature'

type AssistantMessage = Extract<LanguageModelV3Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]
type ToolMessage = Extract<LanguageModelV3Message, { role: 'tool' }>

/**
 * Empty texts are left out, neighbours of one role are joined (many servers insist on turns), and call ids are made fit for
 * every provider, so that a session may go on with another model.
 */
export function providerPrompt(
  system: string,
  messages: readonly ModelMessage[],
  policy: ReasoningPolicy,
): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = []
  if (system.trim() !== '') prompt.push({ role: 'system', content: system, ...cached(policy) })
  for (const message of messages) addMessage(prompt, message, policy)
  const last = prompt.at(-1)
  if (last && last.role !== 'system') last.providerOptions = cached(policy).providerOptions
  return prompt
}

export function providerTools(tools: readonly ToolSpec[]): LanguageModelV3FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }))
}

function addMessage(prompt: LanguageModelV3Prompt, message: ModelMessage, policy: ReasoningPolicy): void {
  const last = prompt.at(-1)
  switch (message.role) {
    case 'user': {
      const text = message.blocks
        .map((block) => block.text)
        .filter(isSaid)
        .join('\n\n')
      if (text === '') return
      const before = last?.role === 'user' ? last.content[0] : undefined
      if (before?.type === 'text') before.text += `\n\n${text}`
      else prompt.push({ role: 'user', content: [{ type: 'text', text }] })
      return
    }
    case 'assistant': {
      const content = message.blocks.flatMap((block) => assistantPart(block, policy))
      if (!content.some((part) => part.type !== 'reasoning')) return
      if (last?.role === 'assistant') last.content.push(...content)
      else prompt.push({ role: 'assistant', content })
      return
    }
    case 'tool': {
      if (message.results.length === 0) return
      const content = message.results.map(toolResult)
      if (last?.role === 'tool') last.content.push(...content)
      else prompt.push({ role: 'tool', content })
      return
    }
    default:
      assertNever(message)
  }
}

function assistantPart(block: Block, policy: ReasoningPolicy): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return isSaid(block.text) ? [{ type: 'text', text: block.text }] : []
    case 'reasoning':
      return reasoningPart(block.text, block.signature, policy)
    case 'tool-call':
      return [{ type: 'tool-call', toolCallId: fitCallId(block.callId), toolName: block.name, input: fitInput(block) }]
    default:
      return assertNever(block)
  }
}

/** Reasoning goes back only to the provider that can use it: signed where signatures are checked, plain where it is asked for. */
function reasoningPart(
  text: string,
  signature: string | undefined,
  policy: ReasoningPolicy,
): LanguageModelV3ReasoningPart[] {
  switch (policy) {
    case 'drop':
      return []
    case 'plain':
      return isSaid(text) ? [{ type: 'reasoning', text }] : []
    case 'anthropic':
    case 'google': {
      const proof = readSignature(policy, signature)
      return proof ? [{ type: 'reasoning', text, providerOptions: proof }] : []
    }
    default:
      return assertNever(policy)
  }
}

function toolResult(result: ToolCallResult): ToolMessage['content'][number] {
  const value = isSaid(result.output) ? result.output : '(no output)'
  return {
    type: 'tool-result',
    toolCallId: fitCallId(result.callId),
    toolName: result.name,
    output: { type: result.status === 'ok' ? 'text' : 'error-text', value },
  }
}

/** Anthropic's prompt cache ends at these marks: the instructions and the newest message. */
function cached(policy: ReasoningPolicy): { providerOptions?: SharedV3ProviderOptions } {
  return policy === 'anthropic' ? { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } : {}
}

function isSaid(text: string): boolean {
  return text.trim() !== ''
}

/** Providers take only an object as a call's input; what a model got wrong is kept where it can be read. */
function fitInput(block: ToolCallBlock): JSONValue {
  const { input } = block
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as JSONValue
  return input === undefined || input === null ? {} : { input: input as JSONValue }
}

const fits = /^[A-Za-z0-9_-]{1,64}$/

/** Another provider's call id in letters that every provider takes. The same id always gives the same result, so pairs stay pairs. */
function fitCallId(callId: string): string {
  if (fits.test(callId)) return callId
  let hash = 0x811c9dc5
  for (let at = 0; at < callId.length; at += 1) hash = Math.imul(hash ^ callId.charCodeAt(at), 0x01000193) >>> 0
  return `${callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 48)}_${hash.toString(36)}`
}
