/** The one line that says what a tool call is about. */

const telling = ['command', 'path', 'pattern', 'url', 'description', 'agent_id', 'query'] as const
const most = 400

/** The command, the path or whatever tells most; half-written input is read as far as it goes. */
export function inputLine(input: unknown, rawInput: string): string {
  if (input === undefined || input === null) return fromRaw(rawInput)
  if (typeof input !== 'object') return oneLine(String(input))
  const record = input as Record<string, unknown>
  for (const name of telling) {
    const value = record[name]
    if (typeof value === 'string' && value !== '') return oneLine(value)
  }
  const text = JSON.stringify(input)
  return text === '{}' ? '' : oneLine(text)
}

/** The input in full, for whoever unfolds the card; null when the one line says it all. */
export function inputDetail(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const entries = Object.entries(input)
  const [only] = entries
  if (!only) return null
  if (entries.length === 1 && typeof only[1] === 'string' && !only[1].includes('\n') && only[1].length < 100)
    return null
  return entries
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

function fromRaw(raw: string): string {
  const found = /"(?:command|path|pattern|url|description)"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(raw)
  return oneLine((found?.[1] ?? '').replace(/\\n/g, ' ').replace(/\\(["\\/])/g, '$1'))
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
