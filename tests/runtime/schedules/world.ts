/** The real runtime under a schedule: does each operation as a person, a listener or the world would, and says what can be seen. */
import { assertNever } from '@/lib/contract/assert-never'
import type { Delivery } from '@/lib/contract/events'
import type { MessageId } from '@/lib/contract/ids'
import type { Activity } from '@/lib/contract/session'
import type { Given } from '../support/given'
import { settled } from '../support/moments'
import { LogView } from './log-view'
import type { AgentOperation, Operation } from './operation'
import type { Place } from './point'
import type { Receipt, Seen } from './seen'
import { Surroundings } from './surroundings'

export class World {
  readonly #around = new Surroundings()
  readonly given: Given = this.#around.given
  readonly signals = this.#around.signals
  readonly #log = new LogView(this.given.log.events)
  readonly #armed = { running: [] as (readonly AgentOperation[])[], idle: [] as (readonly AgentOperation[])[] }
  readonly #receipts: Receipt[] = []
  #agent = this.given.agent
  #sent = 0
  #disposals = 0
  #asked = { atRest: true }
  #announced: readonly string[] = ['idle']

  constructor() {
    this.given.agents.onStatus((_agent, status) => {
      for (const operations of this.#armed[status].splice(0)) for (const one of operations) this.perform(one)
    })
    this.given.agents.onLiveChange(() => {
      this.#announced = this.#live()
    })
  }

  /** @returns what the operation answered, if it answers at all */
  perform(operation: Operation): Receipt | undefined {
    const receipt = this.#perform(operation)
    if (receipt !== undefined) this.#receipts.push(receipt)
    return receipt
  }

  /** Lets everything run that needs nobody, and looks whether `whenIdle` speaks of rest. */
  async settle(): Promise<void> {
    const asked = { atRest: false }
    this.#asked = asked
    void this.#agent.whenIdle().then(() => {
      asked.atRest = true
    })
    await settled()
  }

  seen(): Seen {
    const { waiting, discarded, turns, calls, controls } = this.#log.follow()
    const [activity, ...waitingOn] = this.#live()
    return {
      activity,
      waitingOn,
      announced: this.#announced,
      atRest: this.#asked.atRest,
      disposalsOver: this.#disposals === 0,
      waiting,
      discarded,
      turns,
      calls,
      controls,
      requests: this.given.model.requests.length,
      waitsFor: this.#places,
      receipts: this.#receipts,
    }
  }

  #live(): [Activity, ...string[]] {
    const { activity, waitingOn } = this.#agent.live()
    return [
      activity,
      ...waitingOn.map(({ kind, name }) => (kind === 'tool' || kind === 'hook' ? `${kind} ${name}` : kind)),
    ]
  }

  get #places(): Place[] {
    const retry: Place[] = this.given.clock.sleeping > 0 ? ['retry'] : []
    return [...this.#around.arrivals.all.map(({ point }) => point.place), ...retry]
  }

  #perform(operation: Operation): Receipt | undefined {
    const agent = this.#agent
    const { arrivals } = this.#around
    switch (operation.do) {
      case 'send':
        return this.#send(operation.delivery)
      case 'resend':
        return this.#sent === 0 ? undefined : this.#again()
      case 'edit': {
        const messageId = this.#messageId(operation.back)
        if (!messageId) return false
        const item = this.#log.inbox.find((waiting) => waiting.messageId === messageId)
        const { position } = operation
        return agent.edit(messageId, {
          ...(operation.text && { text: `${item?.text}'` }),
          ...(position !== undefined && { position }),
        })
      }
      case 'remove': {
        const messageId = this.#messageId(operation.back)
        return messageId !== undefined && agent.remove(messageId)
      }
      case 'wake':
        return agent.wake()
      case 'cancel': {
        const { effect, discarded } = agent.cancel({ kind: operation.by }, { keepInbox: operation.keepInbox })
        return `${effect} ${discarded}`
      }
      case 'end-call': {
        const call = arrivals.all.find(({ callId }) => callId !== undefined)
        return call?.callId ? agent.endCall(call.callId) : 'none'
      }
      case 'dispose':
        this.#dispose()
        return undefined
      case 'reopen':
        if (!this.given.agents.get(agent.id)) this.#agent = this.given.agents.open(agent.id)
        return undefined
      case 'arm':
        this.#armed[operation.status].push(operation.operations)
        return undefined
      case 'tell': {
        const waiting = arrivals.all.find(({ point }) => !point.over)
        if (waiting) waiting.point.tell(operation.command)
        else if (operation.command === 'finish') this.given.clock.advance(60_000)
        return undefined
      }
      case 'gate':
        arrivals.close(operation.place, operation.deaf)
        return undefined
      case 'deafen':
        for (const { point } of arrivals.all) point.deafen()
        return undefined
      case 'release':
        for (const { point } of arrivals.all) point.release()
        return undefined
      default:
        return assertNever(operation)
    }
  }

  /** A message's name is its client id and its first text. Known before `send` returns: a listener may send in the middle of it. */
  #send(delivery: Delivery): Receipt {
    this.#sent += 1
    const name = `m${this.#sent}`
    try {
      this.#agent.send({ text: name, delivery, clientId: name })
      return name
    } catch {
      this.#sent -= 1
      return 'refused' // disposed; for any other reason the model gives no such receipt
    }
  }

  #again(): Receipt {
    const messageId = this.#agent.send({ text: 'again', clientId: `m${this.#sent}` })
    return this.#log.follow().nameOf(messageId)
  }

  #dispose(): void {
    this.#disposals += 1
    void this.given.agents.dispose(this.#agent.id).then(() => {
      this.#disposals -= 1
    })
  }

  #messageId(back: number): MessageId | undefined {
    return this.#log.follow().idByName.get(`m${this.#sent - back}`)
  }
}
