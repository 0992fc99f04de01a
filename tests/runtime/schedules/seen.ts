/** What both the runtime and the model say of themselves after a tick, in the same words, so that a difference can be read. */
import type { Activity } from '@/lib/contract/session'
import type { Place } from './point'

/** What one operation answered. */
export type Receipt = string | boolean

export interface Seen {
  readonly activity: Activity
  /** Has `whenIdle` resolved? */
  readonly atRest: boolean
  /** Has every `dispose` resolved? */
  readonly disposalsOver: boolean
  /** The inbox in its order: "name delivery: text". */
  readonly waiting: readonly string[]
  readonly discarded: readonly string[]
  /** Claimed messages and outcome of each turn. */
  readonly turns: readonly string[]
  readonly controls: readonly string[]
  readonly requests: number
  readonly waitsFor: readonly Place[]
  readonly receipts: readonly Receipt[]
}
