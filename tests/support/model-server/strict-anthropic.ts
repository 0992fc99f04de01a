/** What Anthropic would refuse: roles out of order, empty texts, unpaired calls, thoughts that it did not sign. */
import { isBlank, isObject, type JsonObject, objects, type SignedTexts } from './steps'

export function checkAnthropic(body: JsonObject, signed: SignedTexts): string | undefined {
  if (typeof body.max_tokens !== 'number') return 'max_tokens: Field required'
  const messages = objects(body.messages)
  if (messages.length === 0) return 'messages: at least one message is required'
  let role = 'assistant'
  let due: ReadonlySet<string> = new Set()
  for (const [index, message] of messages.entries()) {
    if (message.role === role) return `messages.${index}: roles must alternate, two "${role}" in a row`
    role = String(message.role)
    const blocks =
      typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : objects(message.content)
    if (blocks.length === 0) return `messages.${index}: content must not be empty`
    const answered = answersOf(blocks)
    if (typeof answered === 'string') return `messages.${index}: ${answered}`
    for (const id of due) if (!answered.has(id)) return `messages.${index}: tool_use ${id} has no tool_result`
    for (const id of answered) if (!due.has(id)) return `messages.${index}: tool_result ${id} has no tool_use`
    for (const block of blocks) {
      const wrong = blockError(block, role, signed)
      if (wrong) return `messages.${index}: ${wrong}`
    }
    due = new Set(blocks.filter((block) => block.type === 'tool_use').map((block) => String(block.id)))
  }
  return role === 'user' ? undefined : 'messages: the last message must be a user message'
}

/** Ids of the results, which must stand at the beginning. */
function answersOf(blocks: readonly JsonObject[]): Set<string> | string {
  const results = blocks.filter((block) => block.type === 'tool_result')
  if (blocks.slice(0, results.length).some((block) => block.type !== 'tool_result'))
    return 'tool_result must come first'
  return new Set(results.map((block) => String(block.tool_use_id)))
}

function blockError(block: JsonObject, role: string, signed: SignedTexts): string | undefined {
  switch (block.type) {
    case 'text':
      return isBlank(block.text) ? 'text content blocks must contain non-whitespace text' : undefined
    case 'thinking':
      if (role !== 'assistant') return 'thinking belongs to the assistant'
      return signed.get(String(block.signature)) === block.thinking
        ? undefined
        : 'Invalid `signature` in `thinking` block'
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id))) return 'tool_use.id: invalid'
      return isObject(block.input) ? undefined : 'tool_use.input: must be an object'
    default:
      return undefined
  }
}
