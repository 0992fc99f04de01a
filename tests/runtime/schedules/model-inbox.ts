/** The reference model's inbox: accepted messages that no turn has claimed, in order. */
import type { Delivery } from '@/lib/contract/events'

export interface Waiting {
  readonly name: string
  readonly text: string
  readonly delivery: Delivery
}

export class ModelInbox {
  readonly discarded: string[] = []
  #items: readonly Waiting[] = []
  #sent = 0

  get items(): readonly Waiting[] {
    return this.#items
  }
  /** What counts as waiting: injects do not (SPEC 1). */
  get waiting(): readonly Waiting[] {
    return this.#items.filter(({ delivery }) => delivery !== 'inject')
  }
  get steersWait(): boolean {
    return this.#items.some(({ delivery }) => delivery === 'steer')
  }
  /** The newest message's name, if there is one. */
  get newest(): string | undefined {
    return this.#sent === 0 ? undefined : `m${this.#sent}`
  }

  accept(delivery: Delivery): string {
    this.#sent += 1
    const name = `m${this.#sent}`
    this.#items = [...this.#items, { name, text: name, delivery }]
    return name
  }

  edit(back: number, edit: { readonly text: boolean; readonly position?: number }): boolean {
    const item = this.#find(back)
    if (!item) return false
    const changed = edit.text ? { ...item, text: `${item.text}'` } : item
    if (edit.position === undefined) {
      this.#items = this.#items.map((other) => (other === item ? changed : other))
      return true
    }
    this.#items = this.#items.filter((other) => other !== item)
    const before = this.waiting[edit.position] // the place among what waits, not among the injects
    this.#items = this.#items.toSpliced(before ? this.#items.indexOf(before) : this.#items.length, 0, changed)
    return true
  }

  remove(back: number): boolean {
    const item = this.#find(back)
    return item !== undefined && this.#discard((other) => other === item) > 0
  }

  /** What a cancel clears: all that counts as waiting now (C5). Returns how many. */
  clear(): number {
    return this.#discard(({ delivery }) => delivery !== 'inject')
  }

  /** One follow-up, the first, and every inject opens a turn; what is a steer then would join too (SPEC 1). */
  claim(): readonly Waiting[] {
    const [first] = this.waiting
    return this.#take((item) => item === first || item.delivery !== 'follow-up')
  }

  /** What joins the running turn: every steer and inject. */
  join(): readonly Waiting[] {
    return this.#take(({ delivery }) => delivery !== 'follow-up')
  }

  /** The turn is over: a steer that found no step is the next follow-up, at its place (C20). */
  steersFollow(): void {
    this.#items = this.#items.map((item) => (item.delivery === 'steer' ? { ...item, delivery: 'follow-up' } : item))
  }

  /** A message by how far back it was sent, while it counts as waiting. */
  #find(back: number): Waiting | undefined {
    return this.waiting.find(({ name }) => name === `m${this.#sent - back}`)
  }

  #discard(chosen: (item: Waiting) => boolean): number {
    const gone = this.#take(chosen)
    this.discarded.push(...gone.map(({ name }) => name))
    return gone.length
  }

  #take(chosen: (item: Waiting) => boolean): readonly Waiting[] {
    const taken = this.#items.filter(chosen)
    this.#items = this.#items.filter((item) => !taken.includes(item))
    return taken
  }
}
