/** What both the runtime and the model say of themselves after a tick, in the same words, so that a difference can be read. */
import type { ToolStatus } from '@/lib/contract/outcome'
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
  /** How every tool call ended. */
  readonly calls: readonly ToolStatus[]
  readonly controls: readonly string[]
  readonly requests: number
  /** Where the turn really waits. */
  readonly waitsFor: readonly Place[]
  /** What the session says that it waits for (W5), and what it said when it last told its listeners that something changed. */
  readonly waitingOn: readonly string[]
  readonly announced: readonly string[]
  readonly receipts: readonly Receipt[]
}

/** The fields in which the two differ, both sides of each; empty when they agree. */
export function differences(model: Seen, runtime: Seen): string[] {
  return (Object.keys(model) as (keyof Seen)[]).flatMap((field) => {
    const [expected, real] = [JSON.stringify(model[field]), JSON.stringify(runtime[field])]
    return expected === real ? [] : [`  ${field}\n    model   ${expected}\n    runtime ${real}`]
  })
}
