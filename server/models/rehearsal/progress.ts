/** Finds the script of a request and how far it has been played, from the messages alone: the model keeps no state (M3). */
import type { CallId } from '@/lib/contract/ids'
import { belayMarker, type ModelMessage } from '@/lib/projection/prompt'
import { type Reading, readScript } from './script'

export interface Progress {
  readonly reading: Reading
  /** The absolute number of the next step: passes of a loop count on. */
  readonly next: number
  /** How the calls of the last step ended, when they have just ended. */
  readonly results: readonly { readonly name: string; readonly status: string }[]
}

export function progressOf(messages: readonly ModelMessage[]): Progress {
  const at = messages.findLastIndex((message) => message.role === 'user' && ownTexts(message).length > 0)
  const asked = messages[at]
  const reading = asked?.role === 'user' ? lastScript(ownTexts(asked)) : readScript('')
  const since = messages.slice(at + 1)
  const last = since.findLast((message) => message.role !== 'user')
  if (!last) return { reading, next: 0, results: [] }
  if (last.role === 'assistant') return { reading, next: Number.POSITIVE_INFINITY, results: [] }
  const numbers = last.results.map((result) => stepOf(result.callId))
  return { reading, next: Math.max(-1, ...numbers) + 1, results: last.results }
}

/** A call id that says which step made the call. The runtime may add a number to make it unique in the session. */
export function callIdFor(request: number, step: number, call: number): CallId {
  return `rehearsal-${request}-${step}-${call}` as CallId
}

function stepOf(callId: string): number {
  const step = /^rehearsal-\d+-(\d+)-\d+(?:-\d+)?$/.exec(callId)?.[1]
  return step === undefined ? -1 : Number(step)
}

/** What people said in a message, without what Belay said to the model. */
function ownTexts(message: Extract<ModelMessage, { role: 'user' }>): string[] {
  return message.blocks.map((block) => block.text).filter((text) => !text.startsWith(belayMarker) && text.trim() !== '')
}

/** Several messages may have been claimed together: the last one that is a script counts, else the last one. */
function lastScript(texts: readonly string[]): Reading {
  const readings = texts.map(readScript)
  return readings.findLast((reading) => reading.kind === 'script') ?? readings.at(-1) ?? readScript('')
}
