/** What OpenAI's Responses would refuse: unpaired calls, empty messages, reasoning items without their encrypted content. */
import { isBlank, isJsonObject, type JsonObject, objects } from './steps'

export function checkResponses(body: JsonObject): string | undefined {
  const items = objects(body.input)
  if (items.length === 0) return 'input: must not be empty'
  const called = new Set<string>()
  const answered = new Set<string>()
  let last = ''
  for (const [index, item] of items.entries()) {
    const wrong = itemError(item, last, called)
    if (wrong) return `input[${index}]: ${wrong}`
    if (item.type === 'function_call') called.add(String(item.call_id))
    if (item.type === 'function_call_output') answered.add(String(item.call_id))
    last = String(item.role ?? item.type)
  }
  const open = [...called].filter((id) => !answered.has(id))
  if (open.length > 0) return `No tool output found for function call ${open.join(', ')}.`
  return last === 'assistant' ? 'the last item must not be from the assistant' : undefined
}

function itemError(item: JsonObject, last: string, called: ReadonlySet<string>): string | undefined {
  switch (item.type) {
    case 'function_call':
      return isJsonObject(item.arguments) ? undefined : 'arguments are no JSON object'
    case 'function_call_output':
      return called.has(String(item.call_id)) ? undefined : `No tool call found for output ${String(item.call_id)}.`
    case 'reasoning':
      return isBlank(item.encrypted_content) ? 'reasoning without its encrypted content cannot be found' : undefined
    case 'item_reference':
      return 'nothing is stored, so nothing can be referred to'
    default: {
      if (item.role === 'user' && last === 'user') return 'two user messages in a row'
      if (item.role === 'assistant' && last === '') return 'the first message must be from the user'
      const empty = typeof item.content === 'string' ? isBlank(item.content) : hasEmptyPart(item.content)
      return empty ? 'an empty message' : undefined
    }
  }
}

function hasEmptyPart(content: unknown): boolean {
  const parts = objects(content)
  return parts.length === 0 || parts.some((part) => 'text' in part && isBlank(part.text))
}
