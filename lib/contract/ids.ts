/** Opaque, branded identifiers. They travel as plain strings; inside the code each kind is its own type. */
import { z } from 'zod'

const opaque = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[A-Za-z0-9_-]+$/, 'an id has only letters, digits, "_" and "-"')

export const sessionIdSchema = opaque.brand<'SessionId'>()
export const turnIdSchema = opaque.brand<'TurnId'>()
export const stepIdSchema = opaque.brand<'StepId'>()
export const messageIdSchema = opaque.brand<'MessageId'>()
export const requestIdSchema = opaque.brand<'RequestId'>()
export const approvalIdSchema = opaque.brand<'ApprovalId'>()
export const questionIdSchema = opaque.brand<'QuestionId'>()
/** Call ids come from the model provider, so they are not ours to shape. */
export const callIdSchema = z.string().min(1).max(200).brand<'CallId'>()

export type SessionId = z.infer<typeof sessionIdSchema>
export type TurnId = z.infer<typeof turnIdSchema>
export type StepId = z.infer<typeof stepIdSchema>
export type MessageId = z.infer<typeof messageIdSchema>
export type RequestId = z.infer<typeof requestIdSchema>
export type ApprovalId = z.infer<typeof approvalIdSchema>
export type QuestionId = z.infer<typeof questionIdSchema>
export type CallId = z.infer<typeof callIdSchema>

/** The ids that Belay makes itself, by the prefix that `Ids.next` gives them. */
export interface IdByPrefix {
  ses: SessionId
  turn: TurnId
  step: StepId
  msg: MessageId
  req: RequestId
  apr: ApprovalId
  qst: QuestionId
}
export type IdPrefix = keyof IdByPrefix
