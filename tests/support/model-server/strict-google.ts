/** What Google would refuse: roles out of order, empty parts, calls without as many responses, thoughts it did not sign. */
import { isBlank, isObject, type JsonObject, objects, type SignedTexts } from './steps'

export function checkGoogle(body: JsonObject, signed: SignedTexts): string | undefined {
  const contents = objects(body.contents)
  if (contents.length === 0) return 'contents: must not be empty'
  let role = 'model'
  let due: readonly string[] = []
  let answeredBefore = false
  for (const [index, content] of contents.entries()) {
    const afterResponses = answeredBefore && content.role === 'user' // Google takes a message behind function responses
    if (content.role === role && !afterResponses) return `contents[${index}]: two "${role}" in a row`
    role = String(content.role)
    const parts = objects(content.parts)
    if (parts.length === 0) return `contents[${index}]: parts must not be empty`
    const answered = parts.flatMap((part) =>
      isObject(part.functionResponse) ? [String(part.functionResponse.name)] : [],
    )
    answeredBefore = answered.length > 0
    if (answered.join() !== due.join()) return `contents[${index}]: function responses [${answered}] for calls [${due}]`
    const wrong = parts.map((part) => partError(part, signed)).find((error) => error !== undefined)
    if (wrong) return `contents[${index}]: ${wrong}`
    due = parts.flatMap((part) => (isObject(part.functionCall) ? [String(part.functionCall.name)] : []))
  }
  return role === 'user' ? undefined : 'contents: the last one must be from the user'
}

function partError(part: JsonObject, signed: SignedTexts): string | undefined {
  if ('text' in part && part.thought !== true && isBlank(part.text)) return 'an empty text part'
  if (part.thought !== true) return undefined
  const { thoughtSignature } = part
  if (typeof thoughtSignature !== 'string') return 'a thought without its signature'
  return signed.get(thoughtSignature)?.trimEnd() === String(part.text).trimEnd()
    ? undefined
    : 'a thought that was not signed like this'
}
