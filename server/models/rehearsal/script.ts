/**
 * The grammar of a rehearsal script (M3): steps joined by `, then `. A comma-then inside backticks or parentheses, or one
 * that no step follows, belongs to the text around it.
 */

export interface Pace {
  readonly words: number
  readonly perSecond: number
}

export type Step =
  | ({ readonly kind: 'talk' } & Pace)
  | ({ readonly kind: 'think' } & Pace)
  | { readonly kind: 'run'; readonly command: string; readonly timeoutSeconds?: number }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'delegate' | 'spawn'; readonly count: number; readonly script: string }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'fail' }
  | { readonly kind: 'rate-limit'; readonly seconds: number }
  | { readonly kind: 'deaf'; readonly seconds: number }

export interface Script {
  readonly steps: readonly Step[]
  /** The steps begin again after the last one, for ever. */
  readonly loops: boolean
}

export type Reading =
  | { readonly kind: 'script'; readonly script: Script }
  /** `part` is the first piece that is no step; absent when nothing is. */
  | { readonly kind: 'not-a-script'; readonly part?: string }

/** Words per second where a script does not say. */
export const usualPace = 20
const mostWords = 100_000
const mostChildren = 16

/** Reads a message as a script. Never throws. */
export function readScript(text: string): Reading {
  const steps: Step[] = []
  for (const piece of pieces(text.trim())) {
    if (/^loop for ?ever$/i.test(piece)) {
      return steps.length > 0
        ? { kind: 'script', script: { steps, loops: true } }
        : { kind: 'not-a-script', part: piece }
    }
    const step = readStep(piece)
    if (!step) return notAScript(piece, steps.length)
    steps.push(step)
  }
  return steps.length > 0 ? { kind: 'script', script: { steps, loops: false } } : { kind: 'not-a-script' }
}

/** Names the step that is wrong, where the text is a script at all. */
function notAScript(piece: string, stepsBefore: number): Reading {
  const parts = piece.split(/,\s+then\s+/i)
  const isScript = stepsBefore > 0 || begins.test(piece)
  return isScript
    ? { kind: 'not-a-script', part: parts.find((part) => !readStep(part)) ?? piece }
    : { kind: 'not-a-script' }
}

const number = String.raw`(\d+(?:\.\d+)?)`
const talkOrThink = new RegExp(
  String.raw`^(talk|think) for (\d+) words?(?: at ${number} words? (?:per|a) second)?$`,
  'i',
)
const run = /^run \x60([^\x60]+)\x60(?: with (?:a )?timeout (?:of )?(\d+) seconds?)?$/i
const write = /^write ([^\s:]+): ?([\s\S]+)$/i
const read = /^read (\S+)$/i
const children = /^(delegate to|spawn) (\d+) (?:children|child): ?\(([\s\S]+)\)$/i
const ask = /^ask: ?([\s\S]+)$/i
const rateLimit = new RegExp(`^hit a rate limit(?: (?:for|of) ${number} seconds?)?$`, 'i')
const deaf = new RegExp(`^ignore the signal for ${number} seconds?$`, 'i')

function readStep(piece: string): Step | undefined {
  const paced = talkOrThink.exec(piece)
  if (paced) {
    const kind = paced[1]?.toLowerCase() === 'talk' ? 'talk' : 'think'
    return {
      kind,
      words: within(paced[2], 1, mostWords),
      perSecond: within(paced[3] ?? String(usualPace), 0.1, 100_000),
    }
  }
  const command = run.exec(piece)
  if (command?.[1]) {
    const timeout = command[2] ? { timeoutSeconds: within(command[2], 1, 86_400) } : {}
    return { kind: 'run', command: command[1], ...timeout }
  }
  const written = write.exec(piece)
  if (written?.[1] && written[2]) return { kind: 'write', path: written[1], text: written[2] }
  const file = read.exec(piece)
  if (file?.[1]) return { kind: 'read', path: file[1] }
  const group = children.exec(piece)
  if (group?.[3]) {
    const kind = group[1]?.toLowerCase() === 'spawn' ? 'spawn' : 'delegate'
    return { kind, count: within(group[2], 1, mostChildren), script: group[3].trim() }
  }
  const question = ask.exec(piece)
  if (question?.[1]) return { kind: 'ask', question: question[1].trim() }
  if (/^fail$/i.test(piece)) return { kind: 'fail' }
  const limited = rateLimit.exec(piece)
  if (limited) return { kind: 'rate-limit', seconds: within(limited[1] ?? '3', 0, 1_000_000) }
  const held = deaf.exec(piece)
  if (held) return { kind: 'deaf', seconds: within(held[1], 0, 600) }
  return undefined
}

const begins =
  /^(?:(?:talk|think) for \d|run `|write [^\s:]+:|read \S|loop for ?ever\b|(?:delegate to|spawn) \d|ask:|fail\b|hit a rate limit\b|ignore the signal\b)/i

/** Cuts at every `, then ` outside backticks and parentheses that a step follows. */
function pieces(text: string): string[] {
  const found: string[] = []
  let from = 0
  let depth = 0
  let quoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '`') quoted = !quoted
    if (quoted) continue
    if (character === '(') depth += 1
    if (character === ')') depth = Math.max(0, depth - 1)
    if (character !== ',' || depth > 0) continue
    const joint = /^,\s+then\s+/i.exec(text.slice(at, at + 40))
    if (!joint || !begins.test(text.slice(at + joint[0].length, at + joint[0].length + 200))) continue
    found.push(text.slice(from, at))
    from = at + joint[0].length
    at = from - 1
  }
  found.push(text.slice(from))
  return found.map((piece) => piece.trim().replace(/(?<=(?:words?|seconds?|second|ever|limit|fail|`|\)))\.$/i, ''))
}

function within(text: string | undefined, least: number, most: number): number {
  return Math.min(most, Math.max(least, Number(text)))
}
