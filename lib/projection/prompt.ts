/** The fold from events to what the model is sent (L4, C13, C14). */
import type { Block, TextBlock, ToolCallBlock } from '@/lib/contract/events'
import type { CallId } from '@/lib/contract/ids'
import type { ToolStatus } from '@/lib/contract/outcome'

export type ModelMessage =
  | { readonly role: 'user'; readonly blocks: readonly TextBlock[] }
  | { readonly role: 'assistant'; readonly blocks: readonly Block[] }
  | { readonly role: 'tool'; readonly results: readonly ToolCallResult[] }

export interface ToolCallResult {
  readonly callId: CallId
  readonly name: ToolCallBlock['name']
  readonly status: ToolStatus
  readonly output: string
}
