/** Anthropic's Messages wire. */

import { sse, type Wire, type WireFinish, type WireUsage, type WireWriter } from './steps'
import { checkAnthropic } from './strict-anthropic'

const stopReasons: Record<WireFinish, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
}

class AnthropicWriter implements WireWriter {
  #index = -1
  #open: 'text' | 'thinking' | 'tool_use' | undefined

  constructor(private readonly model: string) {}

  open(): string {
    const message = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: this.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }
    return this.#event({ type: 'message_start', message }) + this.#event({ type: 'ping' })
  }

  text(piece: string): string {
    return this.#begin('text', { type: 'text', text: '' }) + this.#delta({ type: 'text_delta', text: piece })
  }

  reasoning(piece: string): string {
    const block = { type: 'thinking', thinking: '', signature: '' }
    return this.#begin('thinking', block) + this.#delta({ type: 'thinking_delta', thinking: piece })
  }

  endReasoning(signature: string | undefined): string {
    const signed = signature === undefined ? '' : this.#delta({ type: 'signature_delta', signature })
    return signed + this.#end()
  }

  call(id: string, name: string): string {
    const ended = this.#end()
    return ended + this.#begin('tool_use', { type: 'tool_use', id, name, input: {} })
  }

  callInput(piece: string): string {
    return this.#delta({ type: 'input_json_delta', partial_json: piece })
  }

  endCall(): string {
    return this.#end()
  }

  finish(reason: WireFinish, usage: WireUsage): string {
    const delta = { stop_reason: stopReasons[reason], stop_sequence: null }
    const figures = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
    return (
      this.#end() +
      this.#event({ type: 'message_delta', delta, usage: figures }) +
      this.#event({ type: 'message_stop' })
    )
  }

  error(type: string, message: string): string {
    return this.#event({ type: 'error', error: { type, message } })
  }

  #begin(kind: 'text' | 'thinking' | 'tool_use', block: object): string {
    if (this.#open === kind) return ''
    const ended = this.#end()
    this.#open = kind
    this.#index += 1
    return ended + this.#event({ type: 'content_block_start', index: this.#index, content_block: block })
  }

  #delta(delta: object): string {
    return this.#event({ type: 'content_block_delta', index: this.#index, delta })
  }

  #end(): string {
    if (!this.#open) return ''
    this.#open = undefined
    return this.#event({ type: 'content_block_stop', index: this.#index })
  }

  #event(data: { readonly type: string; readonly [field: string]: unknown }): string {
    return sse(data, data.type)
  }
}

export const anthropicMessages: Wire = {
  name: 'anthropic-messages',
  speaks: (path) => /\/messages$/.test(path),
  modelOf: (_path, body) => String(body.model),
  writer: (model) => new AnthropicWriter(model),
  check: checkAnthropic,
  errorBody: (status, message) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'api_error', message },
  }),
}
