/** The summary of a session as the wire and the screen know it (W5), and the turn row of history. */
import { z } from 'zod'
import { approvalModeSchema, controlViaSchema, deliverySchema, sessionKindSchema, usageSchema } from './events'
import { callIdSchema, messageIdSchema, sessionIdSchema, turnIdSchema } from './ids'
import { outcomeSchema } from './outcome'

export const activitySchema = z.enum(['idle', 'running', 'stopping'])
export type Activity = z.infer<typeof activitySchema>

/** One thing that a turn is waiting for right now. */
export const waitSchema = z.object({
  kind: z.enum(['model', 'tool', 'approval', 'question', 'retry', 'hook', 'store', 'children']),
  name: z.string(),
  callId: callIdSchema.optional(),
  /** A process border stands behind it, so that force ends it at once (T8). */
  killable: z.boolean(),
  since: z.iso.datetime(),
})
export type Wait = z.infer<typeof waitSchema>

export const queuedMessageSchema = z.object({
  messageId: messageIdSchema,
  /** Cut at 500 characters. */
  text: z.string(),
  delivery: deliverySchema,
  at: z.iso.datetime(),
})
export type QueuedMessage = z.infer<typeof queuedMessageSchema>

export const sessionSchema = z.object({
  id: sessionIdSchema,
  kind: sessionKindSchema,
  parentId: sessionIdSchema.nullable(),
  rootId: sessionIdSchema,
  depth: z.number().int(),
  title: z.string(),
  label: z.string().nullable(),
  workspace: z.string(),
  model: z.string(),
  approvalMode: approvalModeSchema,
  archived: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  lastSeq: z.number().int(),
  activity: activitySchema,
  openTurnId: turnIdSchema.nullable(),
  /** When the open turn began; null or absent while none is open. */
  turnStartedAt: z.iso.datetime().nullable().optional(),
  paused: z.boolean(),
  queue: z.array(queuedMessageSchema),
  needs: z.number().int(),
  resident: z.boolean(),
  lastOutcome: outcomeSchema.nullable(),
  usage: usageSchema,
  waitingOn: z.array(waitSchema),
})
export type Session = z.infer<typeof sessionSchema>

export const turnRowSchema = z.object({
  turnId: turnIdSchema,
  sessionId: sessionIdSchema,
  rootId: sessionIdSchema,
  title: z.string(),
  prompt: z.string(),
  outcome: outcomeSchema.nullable(),
  requestedBy: z.enum(['user', 'parent']).nullable(),
  via: controlViaSchema.nullable(),
  startedAt: z.iso.datetime(),
  durationMs: z.number().nullable(),
  usage: usageSchema,
  lastStep: z.object({ tool: z.string().optional(), text: z.string() }),
  snippet: z.object({ seq: z.number().int(), text: z.string() }).optional(),
})
export type TurnRow = z.infer<typeof turnRowSchema>

/** The word that stands for a session's state: the first that holds (W5). */
export type StateWord =
  | 'needs-you'
  | 'stopping'
  | 'running'
  | 'paused'
  | 'done'
  | 'stopped'
  | 'failed'
  | 'orphaned'
  | 'new'

/** The one place that decides which state word a session wears. */
export function stateWordOf(session: Pick<Session, 'needs' | 'activity' | 'paused' | 'lastOutcome'>): StateWord {
  if (session.needs > 0) return 'needs-you'
  if (session.activity !== 'idle') return session.activity
  if (session.paused) return 'paused'
  switch (session.lastOutcome?.kind) {
    case undefined:
      return 'new'
    case 'completed':
    case 'truncated':
      return 'done'
    case 'aborted':
    case 'disposed':
      return 'stopped'
    case 'failed':
    case 'blocked':
      return 'failed'
    case 'orphaned':
      return 'orphaned'
  }
}
