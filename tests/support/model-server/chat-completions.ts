/** The chat completions wire, which OpenAI-compatible servers, DeepSeek and Ollama speak. */

import { sse, type Wire, type WireFinish, type WireUsage, type WireWriter } from './steps'
import { checkChat } from './strict-chat'

const finishReasons: Record<WireFinish, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  'content-filter': 'content_filter',
}

class ChatWriter implements WireWriter {
  #calls = -1

  constructor(private readonly model: string) {}

  open(): string {
    return this.#chunk({ role: 'assistant', content: '' })
  }

  text(piece: string): string {
    return this.#chunk({ content: piece })
  }

  reasoning(piece: string): string {
    return this.#chunk({ reasoning_content: piece })
  }

  endReasoning(): string {
    return ''
  }

  call(id: string, name: string): string {
    this.#calls += 1
    return this.#chunk({
      tool_calls: [{ index: this.#calls, id, type: 'function', function: { name, arguments: '' } }],
    })
  }

  callInput(piece: string): string {
    return this.#chunk({ tool_calls: [{ index: this.#calls, function: { arguments: piece } }] })
  }

  endCall(): string {
    return ''
  }

  finish(reason: WireFinish, usage: WireUsage): string {
    const { inputTokens, outputTokens } = usage
    const figures = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    }
    const last = { ...this.#envelope([]), usage: figures }
    return [this.#chunk({}, finishReasons[reason]), sse(last), 'data: [DONE]\n\n'].join('')
  }

  error(type: string, message: string): string {
    return sse({ error: { type, message, code: type, param: null } })
  }

  #chunk(delta: object, finish: string | null = null): string {
    return sse(this.#envelope([{ index: 0, delta, finish_reason: finish }]))
  }

  #envelope(choices: readonly object[]): object {
    return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: this.model, choices }
  }
}

export const chatCompletions: Wire = {
  name: 'chat-completions',
  speaks: (path) => /\/chat\/completions$/.test(path),
  modelOf: (_path, body) => String(body.model),
  writer: (model) => new ChatWriter(model),
  check: checkChat,
  errorBody: (status, message) => ({
    error: { message, type: 'invalid_request_error', code: String(status), param: null },
  }),
}
