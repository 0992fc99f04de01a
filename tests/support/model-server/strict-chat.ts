/** What a strict chat completions server would refuse: roles out of order, empty messages, unpaired calls. */
import { isBlank, isJsonObject, isObject, type JsonObject, objects } from './steps'

export function checkChat(body: JsonObject): string | undefined {
  const messages = objects(body.messages)
  let role = 'none'
  let due = new Set<string>()
  for (const [index, message] of messages.entries()) {
    const wrong = messageError(message, role, due)
    if (wrong) return `messages[${index}]: ${wrong}`
    if (message.role === 'tool') due.delete(String(message.tool_call_id))
    if (message.role === 'assistant') due = new Set(objects(message.tool_calls).map((call) => String(call.id)))
    role = String(message.role)
  }
  if (due.size > 0) return `tool_calls without an answer: ${[...due].join(', ')}`
  return role === 'user' || role === 'tool' ? undefined : 'the last message must be from the user or a tool'
}

function messageError(message: JsonObject, before: string, due: ReadonlySet<string>): string | undefined {
  const { role } = message
  if (role !== 'tool' && due.size > 0) return `tool_calls without an answer: ${[...due].join(', ')}`
  switch (role) {
    case 'system':
      return before === 'none' ? undefined : 'a system message comes first'
    case 'user':
      if (before === 'user') return 'two user messages in a row'
      return isEmpty(message.content) ? 'an empty user message' : undefined
    case 'assistant': {
      if (before !== 'user' && before !== 'tool') return `an assistant message after ${before}`
      const calls = objects(message.tool_calls)
      if (calls.length === 0 && isEmpty(message.content)) return 'an empty assistant message'
      const bad = calls.find((call) => !isObject(call.function) || !isJsonObject(call.function.arguments))
      return bad ? `the arguments of ${String(bad.id)} are no JSON object` : undefined
    }
    case 'tool':
      return due.has(String(message.tool_call_id))
        ? undefined
        : `tool_call_id ${String(message.tool_call_id)} was not asked for`
    default:
      return `unknown role ${String(role)}`
  }
}

function isEmpty(content: unknown): boolean {
  if (!Array.isArray(content)) return isBlank(content)
  return content.length === 0 || objects(content).some((part) => part.type === 'text' && isBlank(part.text))
}
