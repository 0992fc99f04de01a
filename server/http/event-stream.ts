/** The one event stream: fans out what happens to every reader, each frame written once (W6–W8). */
import { assertNever } from '@/lib/contract/assert-never'
import type { SessionId } from '@/lib/contract/ids'
import type { Delta, Frame, ToolOutput } from '@/lib/contract/stream'
import { encodeFrame, eventFrame, keepAliveFrame } from './frame'
import { StreamReader } from './stream-reader'
import type { Happening, StreamSource } from './stream-source'
import { SummaryPacer } from './summary-pacer'
import { WholeText, withoutHalf } from './whole-text'

/** Milliseconds between two keep-alive comments (W8). */
export const keepAliveInterval = 15_000
/** Removed sessions that a returning reader can still be told about. */
const rememberedRemovals = 1000

/** A frame on its way, and who may see it: the readers of one session, or all. */
type Outgoing = { readonly to: SessionId | 'all'; frame: Frame }

export class EventStream {
  readonly #source: StreamSource
  readonly #readers = new Set<StreamReader>()
  readonly #replaying = new Set<StreamReader>()
  readonly #pacer: SummaryPacer
  readonly #whole = new WholeText()
  readonly #unsubscribe: () => void
  #outgoing: Outgoing[] = []
  #due = new Set<SessionId>()
  #removals: { readonly sessionId: SessionId; readonly position: number }[] = []
  #scheduled = false
  #keepAlive: ReturnType<typeof setInterval> | undefined

  constructor(source: StreamSource) {
    this.#source = source
    this.#pacer = new SummaryPacer(
      (id) => source.activity(id),
      (id, why) => (why === 'transition' ? this.#showNow(id) : this.#showSoon(id)),
    )
    this.#unsubscribe = source.subscribe((happening) => this.#take(happening))
  }

  get readers(): number {
    return this.#readers.size + this.#replaying.size
  }

  /**
   * Opens a stream: `hello`, then what was missed after `after`, then changed summaries, open drafts from offset 0, and from
   * that very moment what happens. Without `after` from now on; an `after` ahead of the store gets `reset` (W6, W7).
   */
  open(asked: {
    readonly sessions: readonly SessionId[]
    readonly after: number | undefined
  }): ReadableStream<Uint8Array> {
    this.#flush()
    const reader: StreamReader = new StreamReader(this.#source, asked, {
      joined: (joined) => {
        this.#replaying.delete(joined)
        this.#readers.add(joined)
        this.#keepAlive ??= setInterval(() => this.#send(keepAliveFrame), keepAliveInterval).unref()
      },
      ended: (ended) => this.#leave(ended),
      catchUp: (sessionIds, after) => {
        // What waits for the next flush is in the log and the drafts already: the others get it now, this reader from there.
        this.#flush()
        return this.#catchUp(sessionIds, after)
      },
    })
    if (!this.#readers.has(reader)) this.#replaying.add(reader)
    return reader.stream
  }

  /** Says goodbye to every reader and closes (R3). */
  close(): void {
    this.#flush()
    this.#unsubscribe()
    const last = encodeFrame({ event: 'goodbye', data: {} })
    for (const reader of [...this.#readers, ...this.#replaying]) reader.close(last)
    this.#pacer.clear()
    clearInterval(this.#keepAlive)
  }

  #take(happening: Happening): void {
    switch (happening.kind) {
      case 'event':
        if (happening.event.type === 'turn.end') this.#whole.forget(`${happening.event.sessionId} `)
        if (this.#readers.size === 0) return
        this.#push(happening.event.sessionId, eventFrame(happening.event))
        this.#pacer.changed(happening.event.sessionId)
        return
      case 'delta':
        this.#takeDelta(happening.delta)
        return
      case 'tool-output': {
        const { sessionId, callId } = happening.output
        const output = this.#whole.take(`${sessionId} ${callId}`, happening.output)
        if (output && this.#readers.size > 0) this.#push(sessionId, { event: 'tool-output', data: output })
        return
      }
      case 'session-changed':
        if (this.#readers.size > 0) this.#pacer.changed(happening.sessionId)
        return
      case 'session-removed': {
        const { sessionId } = happening
        this.#pacer.forget(sessionId)
        this.#due.delete(sessionId)
        this.#removals.push({ sessionId, position: this.#source.position() })
        if (this.#removals.length > rememberedRemovals) this.#removals.shift()
        this.#push('all', { event: 'session-removed', data: { sessionId } })
        return
      }
      default:
        assertNever(happening)
    }
  }

  #takeDelta(given: Delta): void {
    const delta = this.#whole.take(`${given.sessionId} ${given.stepId} ${given.attempt} ${given.block}`, given)
    if (!delta || this.#readers.size === 0) return
    const last = this.#outgoing.at(-1)
    if (last?.frame.event === 'delta' && continues(last.frame.data, delta))
      last.frame = { event: 'delta', data: { ...last.frame.data, text: last.frame.data.text + delta.text } }
    else this.#push(delta.sessionId, { event: 'delta', data: delta })
  }

  #showSoon(id: SessionId): void {
    this.#due.add(id)
    this.#schedule()
  }

  #showNow(id: SessionId): void {
    this.#due.delete(id)
    const session = this.#source.session(id)
    if (session) this.#push('all', { event: 'session', data: session })
  }

  #push(to: Outgoing['to'], frame: Frame): void {
    this.#outgoing.push({ to, frame })
    this.#schedule()
  }

  /** Everything that happens in one turn of the event loop leaves in one write, at its end. */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const due = this.#due
    const outgoing = this.#outgoing
    this.#due = new Set()
    this.#outgoing = []
    if (this.#readers.size === 0) return
    for (const id of due) {
      const session = this.#source.session(id)
      if (session) outgoing.push({ to: 'all', frame: { event: 'session', data: session } })
    }
    if (outgoing.length > 0) this.#deliver(outgoing)
  }

  #deliver(outgoing: readonly Outgoing[]): void {
    const encoded: (Buffer | undefined)[] = []
    for (const reader of [...this.#readers]) {
      const mine: Buffer[] = []
      for (const [index, { to, frame }] of outgoing.entries()) {
        if (to !== 'all' && !reader.wants(to)) continue
        const bytes = encoded[index] ?? encodeFrame(frame)
        encoded[index] = bytes
        mine.push(bytes)
      }
      const [only] = mine
      if (only) reader.write(mine.length === 1 ? only : Buffer.concat(mine))
    }
  }

  #catchUp(sessionIds: readonly SessionId[], after: number | undefined): Frame[] {
    const frames: Frame[] = []
    if (after !== undefined) {
      for (const { sessionId, position } of this.#removals)
        if (position >= after) frames.push({ event: 'session-removed', data: { sessionId } })
      for (const id of this.#source.changedSince(after)) {
        const session = this.#source.session(id)
        if (session) frames.push({ event: 'session', data: session })
      }
    }
    if (sessionIds.length === 0) return frames
    for (const delta of this.#source.openDeltas(sessionIds)) frames.push({ event: 'delta', data: cut(delta) })
    for (const output of this.#source.openToolOutputs(sessionIds))
      frames.push({ event: 'tool-output', data: cut(output) })
    return frames
  }

  #send(bytes: Buffer): void {
    for (const reader of [...this.#readers]) reader.write(bytes)
  }

  #leave(reader: StreamReader): void {
    this.#readers.delete(reader)
    this.#replaying.delete(reader)
    if (this.#readers.size > 0) return
    clearInterval(this.#keepAlive)
    this.#keepAlive = undefined
    this.#pacer.clear()
  }
}

function cut<T extends Delta | ToolOutput>(piece: T): T {
  return { ...piece, text: withoutHalf(piece.text) }
}

/** True when `next` goes on exactly where `last` ended. */
function continues(last: Delta, next: Delta): boolean {
  return (
    last.stepId === next.stepId &&
    last.block === next.block &&
    last.attempt === next.attempt &&
    last.sessionId === next.sessionId &&
    last.offset + last.text.length === next.offset &&
    next.name === undefined
  )
}
