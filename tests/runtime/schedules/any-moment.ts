/**
 * The same world, but operations come at any microtask, also in the middle of what the runtime does between two of them. No model can
 * say exactly what happens then; the laws below hold whatever happens.
 */
import fc from 'fast-check'
import type { SessionEvent } from '@/lib/contract/events'
import { checkLog } from './invariants'
import { LogView } from './log-view'
import type { Operation } from './operation'
import type { GatePlace } from './point'
import { World } from './world'

/** What is done, and how many microtasks after the last one; `null`: when everything has settled. */
interface Moment {
  readonly after: number | null
  readonly operation: Operation
}

const operations: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      delivery: fc.constantFrom('follow-up' as const, 'follow-up' as const, 'steer' as const),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      by: fc.constant('user' as const),
      keepInbox: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ do: 'wake' as const }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('tell' as const),
      command: fc.constantFrom('finish', 'finish', 'finish', 'call', 'call-two-reads', 'cut-short' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('gate' as const),
      place: fc.constantFrom<GatePlace>('promptSubmit', 'continueDecision', 'turnStop', 'flush'),
      deaf: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'deafen' as const }, { do: 'release' as const }) },
)

export const moments: fc.Arbitrary<readonly Moment[]> = fc.array(
  fc.record({
    after: fc.oneof({ weight: 3, arbitrary: fc.nat(40) }, { weight: 1, arbitrary: fc.constant(null) }),
    operation: operations,
  }),
  { minLength: 1, maxLength: 24, size: 'max' },
)

const mostDrains = 200

/** Plays the moments and then lets everything end. @throws Error that says which law was broken */
export async function playMoments(schedule: readonly Moment[]): Promise<void> {
  const world = new World()
  const { events } = world.given.log
  const laws = new Laws(events)
  for (const { after, operation } of schedule) {
    if (after === null) await world.settle()
    else for (let n = 0; n < after; n++) await Promise.resolve()
    laws.before(operation)
    laws.after(operation, world.perform(operation))
  }
  for (let n = 0; ; n++) {
    await world.settle()
    const { activity, atRest, waitsFor, waitingOn, announced } = world.seen()
    hold(announced.join() === [activity, ...waitingOn].join(), 'what was announced last is not what is true')
    hold(atRest === (activity === 'idle'), 'C11: whenIdle and the activity do not agree')
    if (activity === 'idle') break
    hold(waitsFor.length > 0, 'C18: busy, and there is nothing that it waits for')
    hold(n < mostDrains, 'the schedule never came to rest')
    world.perform({ do: 'release' })
    world.perform({ do: 'tell', command: 'finish' })
  }
  checkLog(events)
  laws.atRest()
}

class Laws {
  readonly #log: LogView
  /** Where the last cancel stands in the log, while nothing has asked for a turn since. */
  #quietSince: number | null = null
  #cancelled: string | null = null
  #wakeIsOwed = false

  constructor(private readonly events: readonly SessionEvent[]) {
    this.#log = new LogView(events)
  }

  before(operation: Operation): void {
    if (operation.do === 'send' || operation.do === 'wake') this.#nothingBegan()
    if (operation.do === 'cancel') this.#cancelled = this.#log.follow().turns.find(isOpen) ?? null
  }

  after(operation: Operation, receipt: unknown): void {
    const { waiting } = this.#log.follow()
    if (operation.do === 'send' || (operation.do === 'wake' && receipt === 'woken')) {
      this.#quietSince = null
      this.#wakeIsOwed = true
    }
    if (operation.do !== 'cancel') return
    hold(operation.keepInbox || waiting.length === 0, 'C5: a cancel left something waiting')
    this.#quietSince = this.events.length
    this.#wakeIsOwed = false
    if (this.#cancelled !== null) this.#mustAbort.push(this.#cancelled)
  }
  readonly #mustAbort: string[] = []

  /** All turns of these schedules end completed, truncated or aborted, so whatever was asked for after the last cancel has run. */
  atRest(): void {
    this.#nothingBegan()
    const { waiting, turns } = this.#log.follow()
    hold(!this.#wakeIsOwed || waiting.length === 0, `C18: a wake was lost; ${waiting.join(', ')} still waits`)
    for (const open of this.#mustAbort) {
      const first = open.replace(' -> open', '')
      const turn = turns.find((ended) => ended.startsWith(first))
      hold(turn?.endsWith('aborted') ?? false, `C6: a cancel met the open turn ${first}, which ended as ${turn}`)
    }
    const opened = this.events.flatMap((event, index) =>
      event.type === 'inbox.claimed' && this.events[index + 1]?.type === 'turn.start' ? [event.data.messageIds] : [],
    )
    hold(
      opened.every((ids) => ids.length === 1),
      'a turn opened with more than one follow-up',
    )
    const order = opened.flat().map((id) => Number(this.#log.nameOf(id).slice(1)))
    hold(
      order.every((n, index) => index === 0 || n > (order[index - 1] ?? 0)),
      `C18: turns opened out of order: ${order.join(', ')}`,
    )
  }

  #nothingBegan(): void {
    if (this.#quietSince === null) return
    const begun = this.events.slice(this.#quietSince).some((event) => event.type === 'turn.start')
    hold(!begun, 'C6: a turn opened after a cancel, and nothing had asked for it since')
  }
}

function isOpen(turn: string): boolean {
  return turn.endsWith('open')
}

function hold(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault)
}
