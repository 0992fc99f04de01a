/** Google's streamGenerateContent wire. */

import { sse, type Wire, type WireFinish, type WireUsage, type WireWriter } from './steps'
import { checkGoogle } from './strict-google'

const finishReasons: Record<WireFinish, string> = {
  stop: 'STOP',
  'tool-calls': 'STOP',
  length: 'MAX_TOKENS',
  'content-filter': 'SAFETY',
}

/** Google sends a call whole: its input is collected and goes out at its end. */
class GoogleWriter implements WireWriter {
  #call: { readonly id: string; readonly name: string; input: string } | undefined

  open(): string {
    return ''
  }

  text(piece: string): string {
    return this.#parts([{ text: piece }])
  }

  reasoning(piece: string): string {
    return this.#parts([{ text: piece, thought: true }])
  }

  /** The signature comes with a last thought, which is a line break. */
  endReasoning(signature: string | undefined): string {
    return signature === undefined ? '' : this.#parts([{ text: '\n', thought: true, thoughtSignature: signature }])
  }

  call(id: string, name: string): string {
    this.#call = { id, name, input: '' }
    return ''
  }

  callInput(piece: string): string {
    if (this.#call) this.#call.input += piece
    return ''
  }

  endCall(): string {
    const call = this.#call
    if (!call) return ''
    this.#call = undefined
    return this.#parts([{ functionCall: { id: call.id, name: call.name, args: JSON.parse(call.input) } }])
  }

  finish(reason: WireFinish, usage: WireUsage): string {
    const { inputTokens, outputTokens } = usage
    return sse({
      candidates: [{ content: { parts: [], role: 'model' }, finishReason: finishReasons[reason], index: 0 }],
      usageMetadata: {
        promptTokenCount: inputTokens,
        candidatesTokenCount: outputTokens,
        totalTokenCount: inputTokens + outputTokens,
      },
    })
  }

  error(type: string, message: string): string {
    return sse({ error: { code: 503, status: type, message } })
  }

  #parts(parts: readonly object[]): string {
    return sse({ candidates: [{ content: { parts, role: 'model' }, index: 0 }] })
  }
}

export const googleGenerate: Wire = {
  name: 'google-generate',
  speaks: (path) => /:streamGenerateContent$/.test(path),
  modelOf: (path) => /models\/([^:]+):/.exec(path)?.[1] ?? '',
  writer: () => new GoogleWriter(),
  check: checkGoogle,
  errorBody: (status, message) => ({
    error: { code: status, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'ERROR', message },
  }),
}
