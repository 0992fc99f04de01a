/** Frames on their way to one tab. Deltas that carry each other on become one, so that a burst costs one message (W7). */
import type { Delta, Frame, ToolOutput } from '@/lib/contract/stream'

export class FrameQueue {
  #frames: Frame[] = []

  get isEmpty(): boolean {
    return this.#frames.length === 0
  }

  push(frame: Frame): void {
    const last = this.#frames.at(-1)
    const merged = last && mergeFrames(last, frame)
    if (merged) this.#frames[this.#frames.length - 1] = merged
    else this.#frames.push(frame)
  }

  /** Everything so far, in order; the queue is empty afterwards. */
  take(): readonly Frame[] {
    const frames = this.#frames
    this.#frames = []
    return frames
  }
}

/** One frame that says what both say, or null when they do not join. */
function mergeFrames(last: Frame, next: Frame): Frame | null {
  if (last.event === 'delta' && next.event === 'delta' && carriesOn(last.data, next.data)) {
    return { event: 'delta', data: { ...last.data, text: last.data.text + next.data.text } }
  }
  if (last.event === 'tool-output' && next.event === 'tool-output' && outputCarriesOn(last.data, next.data)) {
    return { event: 'tool-output', data: { ...last.data, text: last.data.text + next.data.text } }
  }
  if (last.event === 'session' && next.event === 'session' && last.data.id === next.data.id) {
    return next.data.lastSeq >= last.data.lastSeq ? next : last
  }
  return null
}

function carriesOn(last: Delta, next: Delta): boolean {
  return (
    next.offset > 0 &&
    next.offset === last.offset + last.text.length &&
    next.block === last.block &&
    next.stepId === last.stepId &&
    next.attempt === last.attempt &&
    next.sessionId === last.sessionId
  )
}

function outputCarriesOn(last: ToolOutput, next: ToolOutput): boolean {
  return (
    next.offset > 0 &&
    next.offset === last.offset + last.text.length &&
    next.callId === last.callId &&
    next.sessionId === last.sessionId
  )
}
