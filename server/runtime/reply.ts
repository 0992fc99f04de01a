/** One model reply while it streams: parts in, blocks out. Knows what was seen whole and what was cut (C14). */
import { assertNever } from '@/lib/contract/assert-never'
import type { Block, Usage } from '@/lib/contract/events'
import type { CallId } from '@/lib/contract/ids'
import type { RequestFailure } from './hooks'
import type { FinishReason, ModelPart, ModelRequest, StepDraft } from './ports'

type OpenBlock =
  | { readonly kind: 'text'; text: string; ended: boolean }
  | { readonly kind: 'reasoning'; text: string; ended: boolean; signature?: string }
  | { readonly kind: 'tool-call'; text: string; ended: boolean; readonly callId: CallId; readonly name: string }

/** How the stream itself ended. `cut` = by the signal. */
export type ReplyEnd =
  | { readonly kind: 'finished'; readonly reason: FinishReason }
  | { readonly kind: 'failed'; readonly failure: RequestFailure }
  | { readonly kind: 'cut' }

export class Reply {
  readonly #blocks = new Map<number, OpenBlock>()
  #reported: { inputTokens: number; outputTokens: number } | undefined
  #end: ReplyEnd | undefined

  /** @param callName gives each call an id that is unique in its session, whatever the provider named it */
  constructor(
    private readonly draft: StepDraft,
    private readonly callName: (given: CallId) => CallId,
  ) {}

  /** Takes one part as it arrives. */
  take(part: ModelPart): void {
    switch (part.type) {
      case 'block-start':
        if (part.kind === 'tool-call') {
          const { name } = part
          const callId = this.callName(part.callId)
          this.#blocks.set(part.block, { kind: 'tool-call', text: '', ended: false, callId, name })
          this.draft.start(part.block, 'tool-call', { callId, name })
        } else {
          this.#blocks.set(part.block, { kind: part.kind, text: '', ended: false })
          this.draft.start(part.block, part.kind)
        }
        return
      case 'block-delta': {
        const block = this.#blocks.get(part.block)
        if (!block) return
        block.text += part.text
        this.draft.append(part.block, part.text)
        return
      }
      case 'block-end': {
        const block = this.#blocks.get(part.block)
        if (!block) return
        block.ended = true
        if (block.kind === 'reasoning' && part.signature !== undefined) block.signature = part.signature
        this.draft.end(part.block)
        return
      }
      case 'usage':
        this.#reported = { inputTokens: part.inputTokens, outputTokens: part.outputTokens }
        return
      case 'finish':
        this.#end = { kind: 'finished', reason: part.reason }
        return
      case 'failure':
        this.#end = { kind: 'failed', failure: part }
        return
      default:
        assertNever(part)
    }
  }

  /** The draft is a message now, or given up. */
  discardDraft(): void {
    this.draft.discard()
  }

  /** How it ended, as far as the stream said; nothing when it just stopped. */
  get end(): ReplyEnd | undefined {
    return this.#end
  }

  /** True once anything was shown: such a request is not repeated by itself (M4). */
  get shown(): boolean {
    return this.#blocks.size > 0
  }

  /** The blocks that stay: all text and reasoning, and the calls whose end was seen; half calls are dropped (C14). */
  blocks(): Block[] {
    const indexes = [...this.#blocks.keys()].sort((a, b) => a - b)
    return indexes.flatMap((index) => {
      const block = this.#blocks.get(index)
      return block ? asBlock(block) : []
    })
  }

  /** The provider's figures, or a marked estimate where its word was cut off (S-O1). */
  usage(request: ModelRequest): Usage {
    if (this.#reported) return { ...this.#reported, estimated: false }
    const characters = [...this.#blocks.values()].reduce((sum, block) => sum + block.text.length, 0)
    return {
      inputTokens: estimateTokens(request.system.length + JSON.stringify(request.messages).length),
      outputTokens: characters === 0 ? 0 : estimateTokens(characters),
      estimated: true,
    }
  }
}

function asBlock(block: OpenBlock): Block[] {
  switch (block.kind) {
    case 'text':
      return wellFormed(block.text) === '' ? [] : [{ type: 'text', text: wellFormed(block.text) }]
    case 'reasoning': {
      if (block.text === '' && block.signature === undefined) return []
      return [
        {
          type: 'reasoning',
          text: wellFormed(block.text),
          ...(block.signature !== undefined && { signature: block.signature }),
        },
      ]
    }
    case 'tool-call': {
      if (!block.ended) return []
      return [{ type: 'tool-call', callId: block.callId, name: block.name, input: parsed(block.text) }]
    }
    default:
      return assertNever(block)
  }
}

/** Half a character that the cut left at the end was never shown; a broken one elsewhere would make every later request invalid (C13). */
function wellFormed(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '').toWellFormed()
}

/** A call without any input text has an empty input. Text that is no JSON is kept under a key that every tool refuses in words. */
function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  if (nesting(text) > deepestInput) return { invalidJson: text }
  try {
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    ) as unknown
  } catch {
    return { invalidJson: text } // the tool's own validation tells the model; nothing is lost
  }
}

/** No tool wants more; what is deeper could not be written again without overflowing the stack. */
const deepestInput = 200

/** How deep the brackets of a JSON text go, whatever stands between them. */
function nesting(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (inString) {
      if (character === '\\') index++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return deepest
}

/** About four characters make a token; good enough for a figure that is marked as an estimate. */
function estimateTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / 4))
}
