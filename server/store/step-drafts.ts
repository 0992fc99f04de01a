/** The live drafts of steps: every block from its first character, and the way to disk for what is new. */
import type { SessionId, StepId } from '@/lib/contract/ids'
import type { Delta } from '@/lib/contract/stream'
import type { DraftBlockKind, StepDraft } from '@/server/runtime/ports'
import type { DraftCall, DraftRows, DraftStep } from './draft-rows'
import { GrowingText } from './growing-text'

interface LiveBlock {
  readonly block: number
  readonly kind: DraftBlockKind
  readonly call: DraftCall | undefined
  readonly text: GrowingText
  ended: boolean
  /** What the disk knows of it; null while it knows nothing. */
  kept: { ended: boolean } | null
}

interface LiveStep {
  readonly step: DraftStep
  readonly blocks: Map<number, LiveBlock>
  onDisk: boolean
}

export class StepDrafts {
  readonly #live = new Map<SessionId, Map<StepId, LiveStep>>()
  readonly #dirty = new Set<LiveStep>()
  readonly #dropped = new Set<LiveStep>()

  constructor(
    private readonly announce: (delta: Delta) => void,
    private readonly changed: () => void,
  ) {}

  open(step: DraftStep): StepDraft {
    const steps = this.#live.get(step.sessionId) ?? new Map<StepId, LiveStep>()
    const before = steps.get(step.stepId)
    if (before) this.#drop(before)
    const live: LiveStep = { step, blocks: new Map(), onDisk: false }
    this.#live.set(step.sessionId, steps.set(step.stepId, live))
    const isOpen = () => this.#live.get(step.sessionId)?.get(step.stepId) === live
    return {
      start: (block, kind, call) => isOpen() && this.#start(live, block, kind, call),
      append: (block, text) => isOpen() && this.#append(live, block, text),
      end: (block) => isOpen() && this.#end(live, block),
      discard: () => isOpen() && this.#drop(live),
    } as StepDraft
  }

  /** Every open block of these sessions, whole. */
  deltas(sessionIds: readonly SessionId[]): Delta[] {
    return sessionIds
      .flatMap((id) => [...(this.#live.get(id)?.values() ?? [])])
      .flatMap((live) => [...live.blocks.values()].map((block) => deltaOf(live, block, 0, block.text.text)))
  }

  get pending(): boolean {
    return this.#dirty.size > 0 || this.#dropped.size > 0
  }

  /** Writes what is new; call `wrote` after the commit. */
  write(rows: DraftRows): void {
    for (const { step } of this.#dropped) rows.dropStep(step)
    for (const { step, blocks } of this.#dirty) {
      for (const block of blocks.values()) {
        if (isKept(block)) continue
        const { kind, call, ended } = block
        rows.addText(step, { block: block.block, kind, call, ended, text: block.text.pending() })
      }
    }
  }

  wrote(): void {
    for (const live of this.#dirty) {
      live.onDisk = true
      for (const block of live.blocks.values()) {
        block.text.written()
        block.kept = { ended: block.ended }
      }
    }
    this.#dirty.clear()
    this.#dropped.clear()
  }

  #start(live: LiveStep, block: number, kind: DraftBlockKind, call: DraftCall | undefined): void {
    const opened: LiveBlock = { block, kind, call, text: new GrowingText(), ended: false, kept: null }
    live.blocks.set(block, opened)
    this.announce(deltaOf(live, opened, 0, ''))
    this.#touch(live)
  }

  #append(live: LiveStep, block: number, text: string): void {
    const open = live.blocks.get(block)
    if (!open) throw new Error(`Block ${block} of step ${live.step.stepId} was not started`)
    this.#announcePiece(live, open, open.text.append(text))
  }

  #end(live: LiveStep, block: number): void {
    const open = live.blocks.get(block)
    if (!open) return
    open.ended = true
    this.#announcePiece(live, open, open.text.end())
    this.#touch(live)
  }

  #announcePiece(live: LiveStep, block: LiveBlock, piece: ReturnType<GrowingText['append']>): void {
    if (!piece) return
    this.announce(deltaOf(live, block, piece.offset, piece.text))
    this.#touch(live)
  }

  #touch(live: LiveStep): void {
    this.#dirty.add(live)
    this.changed()
  }

  #drop(live: LiveStep): void {
    const { sessionId, stepId } = live.step
    const steps = this.#live.get(sessionId)
    steps?.delete(stepId)
    if (steps?.size === 0) this.#live.delete(sessionId)
    this.#dirty.delete(live)
    if (!live.onDisk) return
    this.#dropped.add(live)
    this.changed()
  }
}

function isKept({ text, kept, ended }: LiveBlock): boolean {
  return kept !== null && !text.unwritten && kept.ended === ended
}

function deltaOf({ step }: LiveStep, { block, kind, call }: LiveBlock, offset: number, text: string): Delta {
  const { sessionId, turnId, stepId, attempt } = step
  const name = offset === 0 && call ? { name: call.name } : {}
  return { sessionId, turnId, stepId, attempt, block, kind, offset, text, ...name }
}
