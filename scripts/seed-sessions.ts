/** Made-up sessions of every kind, as dated events: for a data folder to look at, and for measurements. */
import type { Block, NewEvent } from '@/lib/contract/events'
import type { CallId, MessageId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { Outcome } from '@/lib/contract/outcome'
import { closingNote } from '@/server/runtime/closing-note'
import type { DatedEvent, SqliteEventLog } from '@/server/store/event-log'

export interface SeededTurn {
  readonly prompt: string
  readonly reply: readonly Block[]
  /** Results of the reply's calls, by call id. */
  readonly results?: Readonly<
    Record<string, { readonly status: 'ok' | 'error' | 'aborted' | 'skipped'; readonly output: string }>
  >
  /** What the model says after its calls. */
  readonly closing?: string
  /** Nothing: the turn stays open, as a killed server leaves it. */
  readonly outcome?: Outcome
}

export interface SeededSession {
  readonly id: string
  readonly title: string
  readonly workspace: string
  readonly startedAt: Date
  readonly turns: readonly SeededTurn[]
  readonly waiting?: readonly string[]
  readonly archived?: boolean
}

/** Writes one session in a few large appends. */
export function seedSession(log: SqliteEventLog, session: SeededSession): void {
  const id = session.id as SessionId
  const clock = ticking(session.startedAt)
  const dated = (event: NewEvent): DatedEvent => ({ at: clock(), event })
  const header = { kind: 'root' as const, parentId: null, rootId: id, depth: 0, label: null }
  const { workspace, title } = session
  const created = { ...header, workspace, title, model: 'rehearsal/script', approvalMode: 'full-access' as const }
  log.appendDated(id, [dated({ type: 'session.created', data: created })])
  for (const [index, turn] of session.turns.entries())
    log.appendDated(id, turnEvents(session.id, index, turn).map(dated))
  for (const [index, text] of (session.waiting ?? []).entries()) {
    const messageId = `msg_${session.id}_w${index}` as MessageId
    const data = { messageId, delivery: 'follow-up' as const, text, from: { kind: 'user' as const } }
    log.appendDated(id, [dated({ type: 'inbox.queued', data })])
  }
  if (session.archived) log.appendDated(id, [dated({ type: 'session.changed', data: { archived: true } })])
}

function turnEvents(session: string, index: number, turn: SeededTurn): NewEvent[] {
  const turnId = `turn_${session}_${index}` as TurnId
  const messageId = `msg_${session}_${index}` as MessageId
  const stepId = (n: number) => `step_${session}_${index}_${n}` as StepId
  const request = { model: 'rehearsal/script', settings: { attempt: 1 }, systemHash: 'seed', toolsHash: 'seed' }
  const usage = { inputTokens: 900 + 40 * index, outputTokens: 220, estimated: turn.outcome?.kind === 'aborted' }
  const from = { kind: 'user' as const }
  const events: NewEvent[] = [
    { type: 'inbox.queued', data: { messageId, delivery: 'follow-up', text: turn.prompt, from } },
    { type: 'inbox.claimed', data: { messageIds: [messageId], turnId } },
    { type: 'turn.start', data: { turnId, n: index + 1, kind: 'prompt' } },
    { type: 'user.message', data: { turnId, messageId, blocks: [{ type: 'text', text: turn.prompt }] } },
    { type: 'step.start', data: { turnId, stepId: stepId(0), attempt: 1, request } },
  ]
  const stopped = turn.outcome?.kind === 'aborted'
  const partial = stopped && turn.results === undefined
  events.push({ type: 'assistant.message', data: { turnId, stepId: stepId(0), partial, blocks: [...turn.reply] } })
  for (const block of turn.reply) {
    if (block.type !== 'tool-call') continue
    const { callId, name, input } = block
    const result = turn.results?.[callId]
    if (result?.status !== 'skipped') events.push({ type: 'tool.start', data: { turnId, callId, name, input } })
    if (result)
      events.push({ type: 'tool.end', data: { turnId, callId, ...result, truncated: false, durationMs: 740 } })
  }
  if (!turn.outcome) return events
  events.push({ type: 'step.end', data: { turnId, stepId: stepId(0), usage } })
  if (turn.closing !== undefined) {
    const blocks: Block[] = [{ type: 'text', text: turn.closing }]
    events.push(
      { type: 'step.start', data: { turnId, stepId: stepId(1), attempt: 1, request } },
      { type: 'assistant.message', data: { turnId, stepId: stepId(1), partial: false, blocks } },
      { type: 'step.end', data: { turnId, stepId: stepId(1), usage } },
    )
  }
  if (stopped) {
    const requestId = `req_${session}_${index}` as never
    const by = { kind: 'user' as const }
    events.push({
      type: 'control.requested',
      data: { requestId, action: 'cancel', via: 'button', by, turnId, keepInbox: true },
    })
  }
  events.push(
    { type: 'turn.end', data: { turnId, outcome: turn.outcome } },
    ...closingNote(turnId, turn.outcome, 'user'),
  )
  return events
}

/** One session of `turns` turns with four messages each: a prompt, a call, its result, an answer. */
export function longSession(id: string, turns: number, workspace: string, startedAt: Date): SeededSession {
  return {
    id,
    title: `A long session of ${turns} turns`,
    workspace,
    startedAt,
    turns: Array.from({ length: turns }, (_unused, index) => {
      const callId = `call_${id}_${index}`
      return {
        prompt: `Question ${index + 1}: what does part ${index + 1} of the code do?`,
        reply: [
          { type: 'text', text: 'I will look.' },
          call(callId, 'read_file', { path: `src/part-${index + 1}.ts` }),
        ],
        results: { [callId]: { status: 'ok', output: `export const part${index + 1} = ${index + 1}\n`.repeat(12) } },
        closing: answer(index + 1),
        outcome: { kind: 'completed' },
      }
    }),
  }
}

export function call(callId: string, name: string, input: unknown): Block {
  return { type: 'tool-call', callId: callId as CallId, name, input }
}

function answer(n: number): string {
  return [
    `Part ${n} exports one constant and is read in **two** places.`,
    '',
    `- \`part-${n}.ts\` declares it`,
    `- \`index.ts\` gives it out again`,
    '',
    '```ts',
    `import { part${n} } from './part-${n}'`,
    `console.log(part${n} * 2)`,
    '```',
    '',
    'Nothing else depends on it, so it can be renamed safely.',
  ].join('\n')
}

/** Each call is a second later. */
function ticking(from: Date): () => string {
  let now = from.getTime()
  return () => {
    now += 1_000
    return new Date(now).toISOString()
  }
}
