/** Bodies, queries and answers of every route (W2). Strict: an unknown key is refused (W1). */
import { z } from 'zod'
import { approvalModeSchema, controlViaSchema, deliverySchema, sessionEventSchema, sessionKindSchema } from './events'
import { callIdSchema, messageIdSchema, requestIdSchema, sessionIdSchema, turnIdSchema } from './ids'
import { activitySchema, sessionSchema, turnRowSchema } from './session'

const messageText = z
  .string()
  .min(1)
  .max(1_000_000)
  .refine((text) => text.trim() !== '', 'the text is empty')
  .transform((text) => text.toWellFormed())
/** Half a character would be stored as another one, and two ids could become one. */
const clientId = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Surrogate}*$/u, 'a clientId is well-formed text')
const title = z.string().trim().min(1).max(200)
const modelName = z.string().min(1).max(200)

export const createSessionBody = z.strictObject({
  workspace: z.string().min(1).max(4096).optional(),
  model: modelName.optional(),
  title: title.optional(),
  approvalMode: approvalModeSchema.optional(),
  message: z.strictObject({ text: messageText, clientId: clientId.optional() }).optional(),
})
export type CreateSessionBody = z.infer<typeof createSessionBody>
export const createSessionAnswer = z.object({ session: sessionSchema, messageId: messageIdSchema.optional() })

const commaList = <T extends z.ZodType<unknown, string>>(item: T) =>
  z
    .string()
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(item))
const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'a whole number')
    .transform(Number)
    .pipe(z.number().int().min(from).max(to))
const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const outcomeKindSchema = z.enum([
  'completed',
  'aborted',
  'disposed',
  'truncated',
  'blocked',
  'orphaned',
  'failed',
])

export const listSessionsQuery = z.strictObject({
  kind: commaList(sessionKindSchema).optional(),
  activity: commaList(activitySchema).optional(),
  outcome: commaList(outcomeKindSchema).optional(),
  query: z.string().max(500).optional(),
  archived: flag.optional(),
  cursor: z.string().max(200).optional(),
  limit: wholeNumber(1, 200).optional(),
})
export type ListSessionsQuery = z.infer<typeof listSessionsQuery>
export const listSessionsAnswer = z.object({ sessions: z.array(sessionSchema), nextCursor: z.string().nullable() })

export const sessionAnswer = z.object({ session: sessionSchema })
export const changeSessionBody = z.strictObject({
  title: title.optional(),
  model: modelName.optional(),
  approvalMode: approvalModeSchema.optional(),
  archived: z.boolean().optional(),
})
export type ChangeSessionBody = z.infer<typeof changeSessionBody>

export const deleteSessionAnswer = z.object({ accepted: z.literal(true) })

export const treeAnswer = z.object({ nodes: z.array(sessionSchema) })

export const listEventsQuery = z.strictObject({
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER).optional(),
  turnId: turnIdSchema.optional(),
  limit: wholeNumber(1, 5000).optional(),
})
export type ListEventsQuery = z.infer<typeof listEventsQuery>
export const listEventsAnswer = z.object({ events: z.array(sessionEventSchema), lastSeq: z.number().int() })

export const sendMessageBody = z.strictObject({
  text: messageText,
  delivery: deliverySchema.exclude(['inject']).optional(),
  clientId: clientId.optional(),
  replaces: turnIdSchema.optional(),
})
export type SendMessageBody = z.infer<typeof sendMessageBody>
export const sendMessageAnswer = z.object({ messageId: messageIdSchema })

export const editMessageBody = z
  .strictObject({ text: messageText.optional(), position: z.number().int().nonnegative().optional() })
  .refine((body) => body.text !== undefined || body.position !== undefined, 'text or position is needed')
export type EditMessageBody = z.infer<typeof editMessageBody>
export const editMessageAnswer = z.object({ messageId: messageIdSchema })

export const emptyBody = z.strictObject({})
export const wakeAnswer = z.object({ accepted: z.literal(true), effect: z.enum(['woken', 'none']) })

export const controlEffectSchema = z.enum(['signalled', 'already-signalled', 'stale', 'none'])
export type ControlEffect = z.infer<typeof controlEffectSchema>

export const cancelBody = z.strictObject({
  keepInbox: z.boolean().optional(),
  turnId: turnIdSchema.optional(),
  via: controlViaSchema.optional(),
})
export type CancelBody = z.infer<typeof cancelBody>
export const cancelAnswer = z.object({
  accepted: z.literal(true),
  effect: controlEffectSchema,
  requestId: requestIdSchema.optional(),
  discarded: z.number().int(),
})
export type CancelAnswer = z.infer<typeof cancelAnswer>

export const stopAllAnswer = z.object({
  accepted: z.literal(true),
  signalled: z.array(sessionIdSchema),
  over: z.array(sessionIdSchema),
  failed: z.array(sessionIdSchema),
})

export const endCallBody = z.strictObject({ force: z.boolean().optional() })
export const sessionParams = z.object({ id: sessionIdSchema })
export const messageParams = z.object({ id: sessionIdSchema, messageId: messageIdSchema })
export const endCallParams = z.object({ id: sessionIdSchema, callId: callIdSchema })
export const controlAnswer = z.object({ accepted: z.literal(true), effect: controlEffectSchema })

export const forkBody = z.strictObject({ turnId: turnIdSchema })

export const listTurnsQuery = z.strictObject({
  outcome: commaList(outcomeKindSchema).optional(),
  requestedBy: commaList(z.enum(['user', 'parent'])).optional(),
  query: z.string().max(500).optional(),
  session: sessionIdSchema.optional(),
  from: z.iso.datetime().or(z.iso.date()).optional(),
  to: z.iso.datetime().or(z.iso.date()).optional(),
  cursor: z.string().max(200).optional(),
  limit: wholeNumber(1, 200).optional(),
})
export type ListTurnsQuery = z.infer<typeof listTurnsQuery>
export const listTurnsAnswer = z.object({ turns: z.array(turnRowSchema), nextCursor: z.string().nullable() })

export const modelInfoSchema = z.object({
  /** `provider/model`. */
  id: z.string(),
  label: z.string(),
  provider: z.string(),
  /** True for `rehearsal/*`: a script, not a mind. */
  scripted: z.boolean(),
})
export type ModelInfo = z.infer<typeof modelInfoSchema>
export const modelsAnswer = z.object({ models: z.array(modelInfoSchema), default: z.string() })

export const healthAnswer = z.object({
  status: z.enum(['ok', 'shutting-down']),
  version: z.string(),
  runtimeId: z.string(),
  activeTurns: z.number().int(),
})

export const streamQuery = z.strictObject({
  sessions: commaList(sessionIdSchema).optional(),
  after: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional(),
})
