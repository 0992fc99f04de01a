/** How a turn ended and how a tool call ended: the two closed lists of L2. */
import { z } from 'zod'

/** Codes of `failed`. The message beside them is ours, never a provider's (C7). */
export const failureCodeSchema = z.enum([
  'rate-limited',
  'provider-unreachable',
  'provider-rejected',
  'provider-error',
  'provider-timeout',
  'stream-cut',
  'authentication',
  'context-too-long',
  'content-filtered',
  'model-unavailable',
  'workspace-not-found',
  'step-limit',
  'hook-failed',
  'internal',
])
export type FailureCode = z.infer<typeof failureCodeSchema>

export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('completed') }),
  z.strictObject({ kind: z.literal('aborted') }),
  z.strictObject({ kind: z.literal('disposed') }),
  z.strictObject({ kind: z.literal('truncated') }),
  z.strictObject({ kind: z.literal('blocked') }),
  z.strictObject({ kind: z.literal('orphaned') }),
  z.strictObject({ kind: z.literal('failed'), code: failureCodeSchema, message: z.string() }),
])
export type Outcome = z.infer<typeof outcomeSchema>
export type OutcomeKind = Outcome['kind']

export const toolStatusSchema = z.enum(['ok', 'error', 'denied', 'timed-out', 'aborted', 'skipped', 'orphaned'])
export type ToolStatus = z.infer<typeof toolStatusSchema>
