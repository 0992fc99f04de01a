/** Streamed text that is not a message yet: announced at once, on disk within 250 ms (L6). */
import type { Block } from '@/lib/contract/events'
import type { CallId, SessionId, StepId } from '@/lib/contract/ids'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import type { Drafts, RuntimeLogger, StepDraft } from '@/server/runtime/ports'
import { Announcer } from './announcer'
import type { Database } from './database'
import { DraftRows, type DraftStep, type KeptBlock } from './draft-rows'
import type { LeftDrafts } from './orphan-closing'
import { OutputDrafts } from './output-drafts'
import { StepDrafts } from './step-drafts'

const flushMs = 200
const retryMs = 1000

export class DraftStore implements Drafts {
  readonly #rows: DraftRows
  readonly #deltas: Announcer<Delta>
  readonly #toolOutputs: Announcer<ToolOutput>
  readonly #steps: StepDrafts
  readonly #outputs: OutputDrafts
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(
    database: Database,
    private readonly options: { readonly logger: RuntimeLogger },
  ) {
    this.#rows = new DraftRows(database.drafts)
    this.#deltas = new Announcer(options.logger, 'A listener of streamed text failed')
    this.#toolOutputs = new Announcer(options.logger, 'A listener of tool output failed')
    const changed = () => this.#arm(flushMs)
    this.#steps = new StepDrafts((delta) => this.#deltas.announce(delta), changed)
    this.#outputs = new OutputDrafts((output) => this.#toolOutputs.announce(output), changed)
  }

  open(step: DraftStep): StepDraft {
    return this.#steps.open(step)
  }

  /**
   * Announces live output. One call keeps at most 512 Ki units: beyond that the newest half is announced again from offset 0,
   * which replaces what a reader has.
   */
  toolOutput(sessionId: SessionId, callId: CallId, text: string): void {
    this.#outputs.append(sessionId, callId, text)
  }

  closeToolOutput(sessionId: SessionId, callId: CallId): void {
    this.#outputs.close(sessionId, callId)
  }

  /** Tells `listener` about every piece of streamed text, synchronously, before it is on disk. Returns its undo. */
  onDelta(listener: (delta: Delta) => void): () => void {
    return this.#deltas.listen(listener)
  }

  /** As `onDelta`, for the output of running tool calls. */
  onToolOutput(listener: (output: ToolOutput) => void): () => void {
    return this.#toolOutputs.listen(listener)
  }

  /** Every open block of these sessions, whole, from offset 0 (W7). */
  openDeltas(sessionIds: readonly SessionId[]): Delta[] {
    return this.#steps.deltas(sessionIds)
  }

  /** The live output of these sessions' running calls, whole, from offset 0 (W7). */
  openToolOutputs(sessionIds: readonly SessionId[]): ToolOutput[] {
    return this.#outputs.outputs(sessionIds)
  }

  /** Writes what is not on disk yet, in one transaction for all sessions. A disk that refuses is asked again a second later. */
  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#steps.pending && !this.#outputs.pending) return
    try {
      this.#rows.together(() => {
        this.#steps.write(this.#rows)
        this.#outputs.write(this.#rows)
      })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.options.logger.warn('Streamed text could not be kept; it will be tried again', { reason })
      this.#arm(retryMs)
      return
    }
    this.#steps.wrote()
    this.#outputs.wrote()
  }

  /** Writes what is left and stops. Call it before the database is closed. */
  close(): void {
    this.flush()
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** What an earlier process left of a session on disk (L6). */
  left(sessionId: SessionId): LeftDrafts {
    return {
      blocks: (stepId: StepId) => this.#rows.blocks(sessionId, stepId).flatMap((block) => messageBlock(block) ?? []),
      output: (callId: CallId) => this.#rows.output(sessionId, callId),
    }
  }

  /** Forgets what an earlier process left. Only for the start, before anything is streamed. */
  clearLeft(): void {
    this.#rows.clear()
  }

  #arm(ms: number): void {
    if (this.#timer || this.#closed) return
    this.#timer = setTimeout(() => this.flush(), ms)
    this.#timer.unref()
  }
}

/** Text and reasoning stay as far as they came, reasoning without its signature; a call only when it is whole (C14). */
function messageBlock({ kind, call, text, ended }: KeptBlock): Block | undefined {
  if (kind !== 'tool-call') return text === '' ? undefined : { type: kind, text }
  if (!ended || !call) return undefined
  try {
    const input: unknown = text.trim() === '' ? {} : JSON.parse(text)
    return { type: 'tool-call', callId: call.callId, name: call.name, input }
  } catch {
    return undefined // the input was cut: half a call is none
  }
}
