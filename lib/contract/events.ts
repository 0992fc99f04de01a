/** Every durable event (L2). The only shapes on disk and on the wire; each is one immutable, numbered fact in a session's log. */
import { z } from 'zod'
import {
  approvalIdSchema,
  callIdSchema,
  messageIdSchema,
  questionIdSchema,
  requestIdSchema,
  sessionIdSchema,
  stepIdSchema,
  turnIdSchema,
} from './ids'
import { outcomeSchema, toolStatusSchema } from './outcome'

export const sessionKindSchema = z.enum(['root', 'one-shot', 'continuable'])

export const approvalModeSchema = z.enum(['ask', 'accept-edits', 'full-access'])
export type ApprovalMode = z.infer<typeof approvalModeSchema>

/** How a message joins: `follow-up` waits for its own turn, `steer` joins the running one, `inject` waits for the next request and wakes nobody. */
export const deliverySchema = z.enum(['follow-up', 'steer', 'inject'])
export type Delivery = z.infer<typeof deliverySchema>

export const textBlockSchema = z.strictObject({ type: z.literal('text'), text: z.string() })
export const reasoningBlockSchema = z.strictObject({
  type: z.literal('reasoning'),
  text: z.string(),
  /** The provider's proof that the text is its own. Present only when the block's end was seen (S-G2). */
  signature: z.string().optional(),
})
export const toolCallBlockSchema = z.strictObject({
  type: z.literal('tool-call'),
  callId: callIdSchema,
  name: z.string(),
  input: z.unknown(),
})
export const blockSchema = z.discriminatedUnion('type', [textBlockSchema, reasoningBlockSchema, toolCallBlockSchema])
export type TextBlock = z.infer<typeof textBlockSchema>
export type ToolCallBlock = z.infer<typeof toolCallBlockSchema>
export type Block = z.infer<typeof blockSchema>

export const controlActionSchema = z.enum(['cancel', 'interrupt', 'stop-all', 'kill', 'end-call'])
export type ControlAction = z.infer<typeof controlActionSchema>
export const controlViaSchema = z.enum(['button', 'deny', 'budget', 'ctrl-c', 'acp', 'tool', 'api'])
export type ControlVia = z.infer<typeof controlViaSchema>
export const controlBySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('user') }),
  z.strictObject({ kind: z.literal('parent'), sessionId: sessionIdSchema }),
])
export type ControlBy = z.infer<typeof controlBySchema>

export const planItemSchema = z.strictObject({ text: z.string(), status: z.enum(['pending', 'in-progress', 'done']) })
export type PlanItem = z.infer<typeof planItemSchema>

export const usageSchema = z.strictObject({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  /** True when any part of the figures is our estimate, because the provider's word was cut off. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usageSchema>

export const questionSchema = z.strictObject({
  question: z.string(),
  options: z.array(z.string()).optional(),
  multiple: z.boolean().optional(),
})

/** What one model request was made of, besides the messages, which the log gives (L4). The texts behind the hashes are stored once. */
export const stepRequestSchema = z.strictObject({
  model: z.string(),
  settings: z.record(z.string(), z.unknown()),
  systemHash: z.string(),
  toolsHash: z.string(),
})

/** Type -> schema of `data`. */
export const eventDataSchemas = {
  'session.created': z.strictObject({
    kind: sessionKindSchema,
    parentId: sessionIdSchema.nullable(),
    rootId: sessionIdSchema,
    depth: z.number().int().nonnegative(),
    label: z.string().nullable(),
    workspace: z.string(),
    model: z.string(),
    approvalMode: approvalModeSchema,
    title: z.string().optional(),
    forkedFrom: z.strictObject({ sessionId: sessionIdSchema, turnId: turnIdSchema }).optional(),
    imported: z.boolean().optional(),
  }),
  'session.changed': z.strictObject({
    title: z.string().optional(),
    model: z.string().optional(),
    approvalMode: approvalModeSchema.optional(),
    archived: z.boolean().optional(),
  }),
  'inbox.queued': z.strictObject({
    messageId: messageIdSchema,
    delivery: deliverySchema,
    text: z.string(),
    clientId: z.string().optional(),
    replaces: turnIdSchema.optional(),
    from: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('user') }),
      z.strictObject({ kind: z.literal('parent'), sessionId: sessionIdSchema }),
    ]),
  }),
  'inbox.edited': z.strictObject({
    messageId: messageIdSchema,
    text: z.string().optional(),
    /** The new place among the waiting messages, from 0. */
    position: z.number().int().nonnegative().optional(),
  }),
  'inbox.discarded': z.strictObject({ messageIds: z.array(messageIdSchema), reason: z.enum(['cancelled', 'removed']) }),
  'inbox.claimed': z.strictObject({ messageIds: z.array(messageIdSchema), turnId: turnIdSchema }),
  'turn.start': z.strictObject({
    turnId: turnIdSchema,
    /** The turn's number in its session, from 1. */
    n: z.number().int().positive(),
    kind: z.enum(['prompt', 'notice', 'compaction']),
  }),
  'user.message': z.strictObject({
    turnId: turnIdSchema,
    messageId: messageIdSchema,
    blocks: z.array(textBlockSchema),
  }),
  'step.start': z.strictObject({
    turnId: turnIdSchema,
    stepId: stepIdSchema,
    /** From 1; a retry of the same step has the next number and empties what was streamed before. */
    attempt: z.number().int().positive(),
    request: stepRequestSchema,
  }),
  'assistant.message': z.strictObject({
    turnId: turnIdSchema,
    stepId: stepIdSchema,
    partial: z.boolean(),
    blocks: z.array(blockSchema),
  }),
  'tool.start': z.strictObject({ turnId: turnIdSchema, callId: callIdSchema, name: z.string(), input: z.unknown() }),
  'tool.end': z.strictObject({
    turnId: turnIdSchema,
    callId: callIdSchema,
    status: toolStatusSchema,
    output: z.string(),
    truncated: z.boolean(),
    durationMs: z.number().nonnegative(),
    meta: z.record(z.string(), z.unknown()).optional(),
  }),
  'approval.requested': z.strictObject({
    approvalId: approvalIdSchema,
    turnId: turnIdSchema,
    callId: callIdSchema,
    tool: z.string(),
    input: z.unknown(),
    prefix: z.string().optional(),
  }),
  'approval.resolved': z.strictObject({
    approvalId: approvalIdSchema,
    decision: z.enum(['allow', 'allow-tool', 'allow-prefix', 'deny', 'deny-and-continue', 'cancelled']),
    note: z.string().optional(),
    by: z.enum(['user', 'cancelled']),
  }),
  'question.requested': z.strictObject({
    questionId: questionIdSchema,
    turnId: turnIdSchema,
    callId: callIdSchema,
    questions: z.array(questionSchema),
  }),
  'question.resolved': z.strictObject({
    questionId: questionIdSchema,
    answers: z.array(z.array(z.string())).optional(),
    by: z.enum(['user', 'cancelled']),
  }),
  'step.end': z.strictObject({ turnId: turnIdSchema, stepId: stepIdSchema, usage: usageSchema }),
  'turn.end': z.strictObject({ turnId: turnIdSchema, outcome: outcomeSchema }),
  'control.requested': z.strictObject({
    requestId: requestIdSchema,
    action: controlActionSchema,
    via: controlViaSchema,
    by: controlBySchema,
    turnId: turnIdSchema.nullable(),
    callId: callIdSchema.optional(),
    keepInbox: z.boolean(),
  }),
  'child.spawned': z.strictObject({
    childId: sessionIdSchema,
    kind: sessionKindSchema,
    callId: callIdSchema,
    label: z.string(),
  }),
  'child.settled': z.strictObject({
    childId: sessionIdSchema,
    outcome: outcomeSchema,
    messageId: messageIdSchema.optional(),
  }),
  note: z.strictObject({ for: z.enum(['model', 'person']), text: z.string(), about: z.string().optional() }),
  'compaction.done': z.strictObject({ throughSeq: z.number().int().nonnegative(), summary: z.string() }),
  'retry.waiting': z.strictObject({
    turnId: turnIdSchema,
    stepId: stepIdSchema,
    /** The attempt that failed. */
    attempt: z.number().int().positive(),
    until: z.iso.datetime(),
    reason: z.string(),
  }),
  'plan.updated': z.strictObject({ items: z.array(planItemSchema) }),
} as const

export type EventType = keyof typeof eventDataSchemas
export type EventData<T extends EventType> = z.infer<(typeof eventDataSchemas)[T]>

/** A fact before the log has numbered it. */
export type NewEvent = { [T in EventType]: { readonly type: T; readonly data: EventData<T> } }[EventType]

interface Envelope {
  /** One increasing number over all sessions; the SSE id. */
  readonly position: number
  /** Contiguous from 1 within the session. */
  readonly seq: number
  readonly sessionId: z.infer<typeof sessionIdSchema>
  readonly at: string
}
/** One stored fact: the envelope and its data. A discriminated union over `type`. */
export type SessionEvent = { [T in EventType]: Envelope & { readonly type: T; readonly data: EventData<T> } }[EventType]
export type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>

const envelope = {
  position: z.number().int().positive(),
  seq: z.number().int().positive(),
  sessionId: sessionIdSchema,
  at: z.iso.datetime(),
}

export const eventTypes = Object.keys(eventDataSchemas) as [EventType, ...EventType[]]

/** Validates one stored event, whatever its type. */
export const sessionEventSchema = z.discriminatedUnion(
  'type',
  eventTypes.map((type) =>
    z.strictObject({ ...envelope, type: z.literal(type), data: eventDataSchemas[type] }),
  ) as unknown as [z.ZodObject<{ type: z.ZodLiteral<EventType> }>],
) as unknown as z.ZodType<SessionEvent>
