/** The live output of running tool calls, and the way to disk for what is new. */
import type { CallId, SessionId } from '@/lib/contract/ids'
import type { ToolOutput } from '@/lib/contract/stream'
import type { DraftRows } from './draft-rows'
import { GrowingText } from './growing-text'

interface LiveOutput {
  readonly sessionId: SessionId
  readonly callId: CallId
  readonly text: GrowingText
  onDisk: boolean
  /** What is on disk is no longer its beginning. */
  rewritten: boolean
}

/** Live output is for eyes: beyond this many units only the newest half is kept, and sent again from offset 0. */
export const liveOutputMax = 512 * 1024
const cutMark = '[The earlier output is no longer shown here.]\n'

export class OutputDrafts {
  readonly #live = new Map<SessionId, Map<CallId, LiveOutput>>()
  readonly #dirty = new Set<LiveOutput>()
  readonly #dropped = new Set<LiveOutput>()

  constructor(
    private readonly announce: (output: ToolOutput) => void,
    private readonly changed: () => void,
  ) {}

  append(sessionId: SessionId, callId: CallId, text: string): void {
    const live = this.#opened(sessionId, callId)
    const piece = live.text.append(text)
    if (!piece) return
    if (live.text.text.length > liveOutputMax) this.#cut(live)
    else this.announce({ sessionId, callId, ...piece })
    this.#dirty.add(live)
    this.changed()
  }

  close(sessionId: SessionId, callId: CallId): void {
    const calls = this.#live.get(sessionId)
    const live = calls?.get(callId)
    if (!calls || !live) return
    calls.delete(callId)
    if (calls.size === 0) this.#live.delete(sessionId)
    this.#dirty.delete(live)
    if (!live.onDisk) return
    this.#dropped.add(live)
    this.changed()
  }

  /** The open outputs of these sessions, whole. */
  outputs(sessionIds: readonly SessionId[]): ToolOutput[] {
    return sessionIds
      .flatMap((id) => [...(this.#live.get(id)?.values() ?? [])])
      .map(({ sessionId, callId, text }) => ({ sessionId, callId, offset: 0, text: text.text }))
  }

  get pending(): boolean {
    return this.#dirty.size > 0 || this.#dropped.size > 0
  }

  /** Writes what is new; call `wrote` after the commit. */
  write(rows: DraftRows): void {
    for (const { sessionId, callId } of this.#dropped) rows.dropOutput(sessionId, callId)
    for (const { sessionId, callId, text, rewritten } of this.#dirty) {
      if (rewritten) rows.dropOutput(sessionId, callId)
      if (text.unwritten) rows.addOutput(sessionId, callId, text.pending())
    }
  }

  wrote(): void {
    for (const live of this.#dirty) {
      live.text.written()
      live.onDisk = true
      live.rewritten = false
    }
    this.#dirty.clear()
    this.#dropped.clear()
  }

  #opened(sessionId: SessionId, callId: CallId): LiveOutput {
    const calls = this.#live.get(sessionId) ?? new Map<CallId, LiveOutput>()
    this.#live.set(sessionId, calls)
    const known = calls.get(callId)
    if (known) return known
    const live = { sessionId, callId, text: new GrowingText(), onDisk: false, rewritten: false }
    calls.set(callId, live)
    return live
  }

  /** A command that prints for ever costs a bounded amount of memory and disk; readers replace what they have. */
  #cut(live: LiveOutput): void {
    const kept = live.text.text.slice(-liveOutputMax / 2)
    const line = kept.indexOf('\n') + 1 // whole lines, and never half a character
    live.text.replace(cutMark + (line > 0 ? kept.slice(line) : kept.replace(/^[\udc00-\udfff]/, '')))
    live.rewritten = true
    const { sessionId, callId, text } = live
    this.announce({ sessionId, callId, offset: 0, text: text.text })
  }
}
