/** The frames of the one event stream (W6). Durable events carry an id, everything else does not. */
import { z } from 'zod'
import { sessionEventSchema } from './events'
import { callIdSchema, sessionIdSchema, stepIdSchema, turnIdSchema } from './ids'
import { sessionSchema } from './session'

export const helloSchema = z.object({ runtimeId: z.string(), position: z.number().int() })

/** A piece of a block that is not a message yet. `offset` counts UTF-16 units from the block's start. */
export const deltaSchema = z.object({
  sessionId: sessionIdSchema,
  turnId: turnIdSchema,
  stepId: stepIdSchema,
  attempt: z.number().int(),
  /** The block's index in the step, from 0. */
  block: z.number().int(),
  kind: z.enum(['text', 'reasoning', 'tool-call']),
  offset: z.number().int(),
  text: z.string(),
  /** Tool name, on the delta that opens a tool-call block. */
  name: z.string().optional(),
})
export type Delta = z.infer<typeof deltaSchema>

export const toolOutputSchema = z.object({
  sessionId: sessionIdSchema,
  callId: callIdSchema,
  offset: z.number().int(),
  text: z.string(),
})
export type ToolOutput = z.infer<typeof toolOutputSchema>

/** SSE event name -> data. `session-event` alone has an id: its position. `goodbye` says that the server is going down on purpose. */
export const frameSchemas = {
  hello: helloSchema,
  'session-event': sessionEventSchema,
  delta: deltaSchema,
  'tool-output': toolOutputSchema,
  session: sessionSchema,
  'session-removed': z.object({ sessionId: sessionIdSchema }),
  reset: z.object({}),
  goodbye: z.object({}),
} as const
export type FrameName = keyof typeof frameSchemas
export type Frame = {
  [N in FrameName]: { readonly event: N; readonly data: z.infer<(typeof frameSchemas)[N]> }
}[FrameName]
