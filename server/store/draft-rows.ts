/** The tables of drafts: what was streamed, in the pieces in which it was written. Texts are kept as JSON strings, which can hold any text. */
import type { CallId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { DraftBlockKind } from '@/server/runtime/ports'
import type { Connection, Statement } from './connection'

export interface DraftStep {
  readonly sessionId: SessionId
  readonly turnId: TurnId
  readonly stepId: StepId
  readonly attempt: number
}

export interface DraftCall {
  readonly callId: CallId
  readonly name: string
}

export interface KeptBlock {
  readonly attempt: number
  readonly block: number
  readonly kind: DraftBlockKind
  readonly call: DraftCall | undefined
  readonly text: string
  readonly ended: boolean
}

type BlockRow = [number, number, string, string | null, string | null, number, Uint8Array]

export class DraftRows {
  readonly #addText: Statement<[]>
  readonly #dropStep: Statement<[]>
  readonly #texts: Statement<BlockRow>
  readonly #addOutput: Statement<[]>
  readonly #dropOutput: Statement<[]>
  readonly #outputs: Statement<[Uint8Array]>

  constructor(private readonly connection: Connection) {
    this.#addText = connection.prepare(
      'INSERT INTO draft_texts (session_id, turn_id, step_id, attempt, block, kind, call_id, name, ended, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    )
    this.#dropStep = connection.prepare('DELETE FROM draft_texts WHERE session_id = ? AND step_id = ? AND attempt <= ?')
    this.#texts = connection.prepare(
      'SELECT attempt, block, kind, call_id, name, ended, CAST(text AS BLOB) FROM draft_texts WHERE session_id = ? AND step_id = ? ORDER BY id',
    )
    this.#addOutput = connection.prepare('INSERT INTO draft_outputs (session_id, call_id, text) VALUES (?, ?, ?)')
    this.#dropOutput = connection.prepare('DELETE FROM draft_outputs WHERE session_id = ? AND call_id = ?')
    this.#outputs = connection.prepare(
      'SELECT CAST(text AS BLOB) FROM draft_outputs WHERE session_id = ? AND call_id = ? ORDER BY id',
    )
  }

  /** Many changes, one commit. */
  together(work: () => void): void {
    this.connection.transaction(work)
  }

  addText(step: DraftStep, block: Omit<KeptBlock, 'attempt'>): void {
    const { sessionId, turnId, stepId, attempt } = step
    const { call, kind, ended, text } = block
    const own = [call?.callId ?? null, call?.name ?? null, ended ? 1 : 0, JSON.stringify(text)] as const
    this.#addText.run(sessionId, turnId, stepId, attempt, block.block, kind, ...own)
  }

  /** Forgets this attempt and the earlier ones. */
  dropStep({ sessionId, stepId, attempt }: DraftStep): void {
    this.#dropStep.run(sessionId, stepId, attempt)
  }

  addOutput(sessionId: SessionId, callId: CallId, text: string): void {
    this.#addOutput.run(sessionId, callId, JSON.stringify(text))
  }

  dropOutput(sessionId: SessionId, callId: CallId): void {
    this.#dropOutput.run(sessionId, callId)
  }

  /** The blocks of a step's last attempt, in order. */
  blocks(sessionId: SessionId, stepId: StepId): KeptBlock[] {
    const kept = new Map<number, KeptBlock>()
    const rows = this.#texts.all(sessionId, stepId)
    const last = Math.max(...rows.map(([attempt]) => attempt))
    for (const [attempt, block, kind, callId, name, ended, text] of rows) {
      if (attempt !== last) continue
      const call = callId === null ? undefined : { callId: callId as CallId, name: name ?? '' }
      const before = kept.get(block)?.text ?? ''
      kept.set(block, {
        attempt,
        block,
        kind: kind as DraftBlockKind,
        call,
        text: before + textOf(text),
        ended: ended === 1,
      })
    }
    return [...kept.values()].sort((a, b) => a.block - b.block)
  }

  output(sessionId: SessionId, callId: CallId): string {
    return this.#outputs
      .all(sessionId, callId)
      .map(([text]) => textOf(text))
      .join('')
  }

  /** Forgets everything that an earlier process left. */
  clear(): void {
    this.connection.exec('DELETE FROM draft_texts; DELETE FROM draft_outputs;')
  }
}

/** A piece that does not parse is left out: the rest of the draft is still worth keeping (L7). */
function textOf(content: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(content).toString('utf8')))
  } catch {
    return ''
  }
}
