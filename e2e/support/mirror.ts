/** What a client knows from the stream alone, applied by the rules of W7; it finds every gap and every double by itself. */
import type { SessionEvent } from '@/lib/contract/events'
import type { Delta } from '@/lib/contract/stream'
import type { Received } from './stream'

export class Mirror {
  readonly events: SessionEvent[] = []
  /** What went wrong: a gap, a double, an event out of order, a text that is not what the message says. */
  readonly faults: string[] = []
  /** Steps whose streamed text was compared with their message. */
  compared = 0
  #step: { id: string; attempt: number; blocks: Map<number, string> } | undefined

  constructor(private readonly sessionId: string) {}

  /** The client has a new stream: what is open comes again from offset 0, and a piece that was missed is not waited for. */
  reconnected(): void {
    this.#step = undefined
  }

  apply(frame: Received): void {
    if (frame.event === 'session-event' && frame.data.sessionId === this.sessionId) this.#event(frame.data)
    if (frame.event === 'delta' && frame.data.sessionId === this.sessionId) this.#delta(frame.data)
  }

  #event(event: SessionEvent): void {
    const last = this.events.at(-1)
    if (last && event.seq <= last.seq) this.faults.push(`event ${event.seq} came again after ${last.seq}`)
    else if (event.seq !== (last?.seq ?? 0) + 1) this.faults.push(`a gap between ${last?.seq ?? 0} and ${event.seq}`)
    this.events.push(event)
    if (event.type === 'assistant.message') this.#compare(event.data.stepId, event.data.blocks)
    if (event.type === 'step.end') this.#step = undefined
  }

  #delta(delta: Delta): void {
    if (this.#step?.id !== delta.stepId) this.#step = { id: delta.stepId, attempt: delta.attempt, blocks: new Map() }
    const step = this.#step
    if (delta.attempt < step.attempt) return
    if (delta.attempt > step.attempt) {
      step.attempt = delta.attempt
      step.blocks.clear()
    }
    const before = delta.offset === 0 ? '' : (step.blocks.get(delta.block) ?? '')
    if (before.length !== delta.offset) {
      this.faults.push(`a delta of block ${delta.block} at ${delta.offset} where ${before.length} are known`)
    }
    if (/[\ud800-\udbff]$/.test(delta.text)) this.faults.push('a delta ends in half a code point')
    step.blocks.set(delta.block, before + delta.text)
  }

  /** The message replaces the draft: both must say the same. */
  #compare(stepId: string, blocks: Extract<SessionEvent, { type: 'assistant.message' }>['data']['blocks']): void {
    const step = this.#step
    if (step?.id !== stepId) return
    const streamed = [...step.blocks].sort(([left], [right]) => left - right).map(([, text]) => text)
    const said = blocks.map((block) => (block.type === 'tool-call' ? JSON.stringify(block.input) : block.text))
    this.compared += 1
    if (JSON.stringify(streamed) !== JSON.stringify(said)) {
      this.faults.push(`streamed ${JSON.stringify(streamed)} but the message says ${JSON.stringify(said)}`)
    }
  }
}
