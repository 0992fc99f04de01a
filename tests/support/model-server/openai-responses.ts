/** OpenAI's Responses wire. */

import { sse, type Wire, type WireFinish, type WireUsage, type WireWriter } from './steps'
import { checkResponses } from './strict-responses'

type Item =
  | { readonly type: 'message'; readonly id: string; text: string }
  | { readonly type: 'reasoning'; readonly id: string; text: string }
  | {
      readonly type: 'function_call'
      readonly id: string
      text: string
      readonly callId: string
      readonly name: string
    }

class ResponsesWriter implements WireWriter {
  #output = -1
  #sequence = 0
  #item: Item | undefined

  constructor(private readonly model: string) {}

  open(): string {
    return this.#event({ type: 'response.created', response: this.#response('in_progress') })
  }

  text(piece: string): string {
    const begun =
      this.#item?.type === 'message' ? '' : this.#begin({ type: 'message', id: this.#nextId('msg'), text: '' })
    return begun + this.#delta('response.output_text.delta', piece, { content_index: 0 })
  }

  reasoning(piece: string): string {
    let begun = ''
    if (this.#item?.type !== 'reasoning') {
      begun = this.#begin({ type: 'reasoning', id: this.#nextId('rs'), text: '' })
      begun += this.#event({ type: 'response.reasoning_summary_part.added', ...this.#place(), summary_index: 0 })
    }
    return begun + this.#delta('response.reasoning_summary_text.delta', piece, { summary_index: 0 })
  }

  endReasoning(): string {
    return this.#end()
  }

  call(id: string, name: string): string {
    return this.#begin({ type: 'function_call', id: this.#nextId('fc'), text: '', callId: id, name })
  }

  callInput(piece: string): string {
    return this.#delta('response.function_call_arguments.delta', piece, {})
  }

  endCall(): string {
    return this.#end()
  }

  finish(reason: WireFinish, usage: WireUsage): string {
    const figures = { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens }
    const ended = this.#end()
    if (reason === 'length' || reason === 'content-filter') {
      const why = reason === 'length' ? 'max_output_tokens' : 'content_filter'
      const response = { ...this.#response('incomplete'), incomplete_details: { reason: why }, usage: figures }
      return ended + this.#event({ type: 'response.incomplete', response })
    }
    return (
      ended + this.#event({ type: 'response.completed', response: { ...this.#response('completed'), usage: figures } })
    )
  }

  error(type: string, message: string): string {
    return this.#event({ type: 'error', error: { type, code: type, message, param: null } })
  }

  #begin(item: Item): string {
    const ended = this.#end()
    this.#output += 1
    this.#item = item
    return (
      ended + this.#event({ type: 'response.output_item.added', output_index: this.#output, item: this.#shape(item) })
    )
  }

  #delta(type: string, piece: string, more: object): string {
    if (this.#item) this.#item.text += piece
    return this.#event({ type, ...this.#place(), ...more, delta: piece })
  }

  #end(): string {
    const item = this.#item
    if (!item) return ''
    const inner =
      item.type === 'reasoning'
        ? this.#event({ type: 'response.reasoning_summary_part.done', ...this.#place(), summary_index: 0 })
        : ''
    this.#item = undefined
    return (
      inner + this.#event({ type: 'response.output_item.done', output_index: this.#output, item: this.#shape(item) })
    )
  }

  #shape(item: Item): object {
    switch (item.type) {
      case 'message':
        return { type: 'message', id: item.id, role: 'assistant', content: [] }
      case 'reasoning':
        return { type: 'reasoning', id: item.id, summary: [], encrypted_content: null }
      case 'function_call': {
        const { id, callId, name, text } = item
        return { type: 'function_call', id, call_id: callId, name, arguments: text, status: 'completed' }
      }
    }
  }

  #place(): object {
    return { item_id: this.#item?.id ?? '', output_index: this.#output }
  }

  #nextId(prefix: string): string {
    return `${prefix}_${this.#output + 1}`
  }

  #response(status: string): object {
    return { id: 'resp_1', object: 'response', created_at: 1_700_000_000, status, model: this.model, output: [] }
  }

  #event(data: { readonly type: string; readonly [field: string]: unknown }): string {
    return sse({ ...data, sequence_number: this.#sequence++ }, data.type)
  }
}

export const openaiResponses: Wire = {
  name: 'openai-responses',
  speaks: (path) => /\/responses$/.test(path),
  modelOf: (_path, body) => String(body.model),
  writer: (model) => new ResponsesWriter(model),
  check: checkResponses,
  errorBody: (status, message) => ({
    error: { message, type: 'invalid_request_error', code: String(status), param: null },
  }),
}
