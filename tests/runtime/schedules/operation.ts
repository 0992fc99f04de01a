/** The alphabet of the schedules: what a person, a listener and the world around a turn can do, and how often they do it. */
import fc from 'fast-check'
import type { AgentCancelCause } from '@/lib/contract/cancel-cause'
import type { Delivery } from '@/lib/contract/events'
import type { Command, GatePlace } from './point'

/** What can also be done inside a status listener. Messages are named by how far back they were sent: 0 is the newest. */
export type AgentOperation =
  | { readonly do: 'send'; readonly delivery: Delivery }
  | { readonly do: 'resend' }
  | { readonly do: 'edit'; readonly back: number; readonly text: boolean; readonly position?: number }
  | { readonly do: 'remove'; readonly back: number }
  | { readonly do: 'wake' }
  | { readonly do: 'cancel'; readonly by: AgentCancelCause['kind']; readonly keepInbox: boolean }
  | { readonly do: 'dispose' }

export type Operation =
  | AgentOperation
  /** A person ends the oldest running call and not its turn. */
  | { readonly do: 'end-call' }
  /** Opens the session again once its disposal has come to rest. */
  | { readonly do: 'reopen' }
  /** The next announcement of this status does this, in the listener. */
  | { readonly do: 'arm'; readonly status: 'running' | 'idle'; readonly operations: readonly AgentOperation[] }
  /** Tells whatever the turn waits for how to go on. */
  | { readonly do: 'tell'; readonly command: Command }
  /** The next arrival at this place waits there; a deaf wait does not hear the signal. */
  | { readonly do: 'gate'; readonly place: GatePlace; readonly deaf: boolean }
  /** What the turn waits for now stops hearing the signal, until `release`. */
  | { readonly do: 'deafen' }
  | { readonly do: 'release' }

/** Operations of one tick run in the same synchronous breath; then the world settles. */
export type Tick = readonly Operation[]
export type Schedule = readonly Tick[]

const back = fc.nat(4)
const delivery = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Delivery>('follow-up') },
  { weight: 3, arbitrary: fc.constant<Delivery>('steer') },
  { weight: 1, arbitrary: fc.constant<Delivery>('inject') },
)
const send = fc.record({ do: fc.constant('send' as const), delivery })
const cancel = fc.record({
  do: fc.constant('cancel' as const),
  by: fc.constantFrom('user' as const, 'parent' as const),
  keepInbox: fc.boolean(),
})
const edit = fc.record(
  { do: fc.constant('edit' as const), back, text: fc.boolean(), position: fc.nat(3) },
  { requiredKeys: ['do', 'back', 'text'] },
)

const agentOperation: fc.Arbitrary<AgentOperation> = fc.oneof(
  { weight: 12, arbitrary: send },
  { weight: 8, arbitrary: cancel },
  { weight: 3, arbitrary: fc.constant({ do: 'wake' as const }) },
  { weight: 2, arbitrary: edit },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), back }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resend' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'dispose' as const }) },
)

const command = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Command>('finish') },
  {
    weight: 12,
    arbitrary: fc.constantFrom<Command>('speak', 'fail', 'cut-short', 'call', 'call-two-writes', 'call-two-reads'),
  },
  { weight: 4, arbitrary: fc.constantFrom<Command>('stumble', 'block', 'again') },
)
const gatePlace = fc.constantFrom<GatePlace>('promptSubmit', 'beforeStep', 'continueDecision', 'turnStop', 'flush')

/** The submission of a replacement inside the `running` listener, as C6 tells it. */
const replacement: fc.Arbitrary<Operation> = fc
  .tuple(cancel, send)
  .map((operations) => ({ do: 'arm', status: 'running', operations }))
const armed: fc.Arbitrary<Operation> = fc.record({
  do: fc.constant('arm' as const),
  status: fc.constantFrom('running' as const, 'idle' as const),
  operations: fc.array(agentOperation, { minLength: 1, maxLength: 3 }),
})

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 30, arbitrary: agentOperation },
  { weight: 32, arbitrary: fc.record({ do: fc.constant('tell' as const), command }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('gate' as const), place: gatePlace, deaf: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant({ do: 'deafen' as const }) },
  { weight: 3, arbitrary: fc.constant({ do: 'release' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'end-call' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'reopen' as const }) },
  { weight: 2, arbitrary: replacement },
  { weight: 2, arbitrary: armed },
)

const tick = fc.array(operation, { minLength: 1, maxLength: 3, size: 'max' })

export const schedules: fc.Arbitrary<Schedule> = fc.array(tick, { minLength: 1, maxLength: 24, size: 'max' })

/** One line per tick, for the report of a failure. */
export function printed(schedule: Schedule): string {
  return schedule.map((operations, index) => `  ${index + 1}. ${operations.map(sentence).join(' · ')}`).join('\n')
}

/** An operation in a few words. */
export function sentence(operation: Operation): string {
  const { do: verb, ...rest } = operation
  if (operation.do === 'arm') return `on ${operation.status}: [${operation.operations.map(sentence).join(' · ')}]`
  const said = Object.entries(rest).map(([name, value]) => (typeof value === 'string' ? value : `${name}=${value}`))
  return [verb, ...said].join(' ')
}
