/** A real store in a temporary folder, and short ways to say what happens in a session. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Block, EventData, NewEvent, SessionEvent } from '@/lib/contract/events'
import type { CallId, MessageId, RequestId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { Outcome, ToolStatus } from '@/lib/contract/outcome'
import type { RuntimeLogger } from '@/server/runtime/ports'
import { Catalogue } from '@/server/store/catalogue'
import { type Database, openDatabase } from '@/server/store/database'
import { DraftStore } from '@/server/store/draft-store'
import { SqliteEventLog } from '@/server/store/event-log'
import { repair } from '@/server/store/repair'
import { TurnHistory } from '@/server/store/turn-history'

export const sessionId = (text: string) => text as SessionId
export const turnId = (text: string) => text as TurnId
export const stepId = (text: string) => text as StepId
export const callId = (text: string) => text as CallId
export const messageId = (text: string) => text as MessageId

/** A clock that moves one second with every look at it. */
export function steppingClock(from = '2026-03-01T10:00:00.000Z') {
  let now = Date.parse(from)
  return {
    now: () => {
      now += 1000
      return new Date(now)
    },
    set: (to: string) => {
      now = Date.parse(to) - 1000
    },
  }
}

export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'belay-store-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function listeningLogger() {
  const lines: { level: 'info' | 'warn' | 'error'; message: string; fields: unknown }[] = []
  const at = (level: 'info' | 'warn' | 'error') => (message: string, fields?: unknown) => {
    lines.push({ level, message, fields })
  }
  return { lines, info: at('info'), warn: at('warn'), error: at('error') } satisfies RuntimeLogger & { lines: unknown }
}

/** Opens the store of a folder as a process would. `reopen` stands for the next process. */
export function givenStore(folder = tempFolder(), clock = steppingClock()) {
  const logger = listeningLogger()
  const database: Database = openDatabase(join(folder, 'belay.db'))
  const log = new SqliteEventLog(database, { clock, logger })
  const drafts = new DraftStore(database, { logger })
  const catalogue = new Catalogue(database)
  const history = new TurnHistory(database)
  let open = true
  const close = () => {
    if (!open) return
    open = false
    drafts.close()
    database.close()
  }
  onTestFinished(close)
  return {
    folder,
    file: join(folder, 'belay.db'),
    clock,
    logger,
    database,
    log,
    drafts,
    catalogue,
    history,
    close,
    repair: () => repair({ log, drafts, catalogue, logger }),
    reopen: () => {
      close()
      return givenStore(folder, clock)
    },
    events: (id: SessionId): SessionEvent[] => [...log.read(id)],
    types: (id: SessionId): string[] => [...log.read(id)].map((event) => event.type),
    last: <T extends SessionEvent['type']>(id: SessionId, type: T) =>
      [...log.read(id)].findLast((event): event is Extract<SessionEvent, { type: T }> => event.type === type),
  }
}
export type Store = ReturnType<typeof givenStore>

export function created(id: SessionId, data: Partial<EventData<'session.created'>> = {}): NewEvent {
  return {
    type: 'session.created',
    data: {
      kind: 'root',
      parentId: null,
      rootId: id,
      depth: 0,
      label: null,
      workspace: '/work',
      model: 'rehearsal/script',
      approvalMode: 'full-access',
      ...data,
    },
  }
}

export function queued(id: string, text: string, data: Partial<EventData<'inbox.queued'>> = {}): NewEvent {
  return {
    type: 'inbox.queued',
    data: { messageId: messageId(id), delivery: 'follow-up', text, from: { kind: 'user' }, ...data },
  }
}

export function claimed(turn: string, ...messages: string[]): NewEvent {
  return { type: 'inbox.claimed', data: { messageIds: messages.map(messageId), turnId: turnId(turn) } }
}

export function turnStart(turn: string, n = 1): NewEvent {
  return { type: 'turn.start', data: { turnId: turnId(turn), n, kind: 'prompt' } }
}

export function userMessage(turn: string, text: string): NewEvent {
  return {
    type: 'user.message',
    data: { turnId: turnId(turn), messageId: messageId(`m-${turn}`), blocks: [{ type: 'text', text }] },
  }
}

export function stepStart(turn: string, step: string, attempt = 1): NewEvent {
  const request = { model: 'rehearsal/script', settings: {}, systemHash: 's', toolsHash: 't' }
  return { type: 'step.start', data: { turnId: turnId(turn), stepId: stepId(step), attempt, request } }
}

export function assistant(turn: string, step: string, blocks: Block[], partial = false): NewEvent {
  return { type: 'assistant.message', data: { turnId: turnId(turn), stepId: stepId(step), partial, blocks } }
}

export const text = (words: string): Block => ({ type: 'text', text: words })
export const call = (id: string, name: string, input: unknown): Block => ({
  type: 'tool-call',
  callId: callId(id),
  name,
  input,
})

export function toolStart(turn: string, id: string, name: string, input: unknown = {}): NewEvent {
  return { type: 'tool.start', data: { turnId: turnId(turn), callId: callId(id), name, input } }
}

export function toolEnd(turn: string, id: string, output: string, status: ToolStatus = 'ok'): NewEvent {
  const data = { turnId: turnId(turn), callId: callId(id), status, output, truncated: false, durationMs: 5 }
  return { type: 'tool.end', data }
}

export function stepEnd(turn: string, step: string, inputTokens = 10, outputTokens = 5): NewEvent {
  const usage = { inputTokens, outputTokens, estimated: false }
  return { type: 'step.end', data: { turnId: turnId(turn), stepId: stepId(step), usage } }
}

export function turnEnd(turn: string, outcome: Outcome = { kind: 'completed' }): NewEvent {
  return { type: 'turn.end', data: { turnId: turnId(turn), outcome } }
}

export function requested(turn: string | null, data: Partial<EventData<'control.requested'>> = {}): NewEvent {
  return {
    type: 'control.requested',
    data: {
      requestId: 'req_1' as RequestId,
      action: 'cancel',
      via: 'button',
      by: { kind: 'user' },
      turnId: turn === null ? null : turnId(turn),
      keepInbox: true,
      ...data,
    },
  }
}

/** A whole turn of one step that says `answer`. */
export function turnOf(turn: string, prompt: string, answer: string, outcome?: Outcome): NewEvent[] {
  const step = `s-${turn}`
  return [
    turnStart(turn),
    userMessage(turn, prompt),
    stepStart(turn, step),
    assistant(turn, step, [text(answer)], outcome?.kind === 'aborted'),
    stepEnd(turn, step),
    turnEnd(turn, outcome),
  ]
}
