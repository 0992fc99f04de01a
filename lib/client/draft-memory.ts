/** What a person is typing, per session, kept in the browser until it is sent. */
import type { SessionId, TurnId } from '@/lib/contract/ids'

export interface Draft {
  readonly text: string
  /** The turn that this message will take the place of (W2, U4). */
  readonly replaces: TurnId | null
  /** Set once it was sent in vain: the next try of the same words must be the same message. */
  readonly clientId: string | null
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const emptyDraft: Draft = { text: '', replaces: null, clientId: null }

export class DraftMemory {
  readonly #storage: DraftStorage | null
  readonly #drafts = new Map<SessionId, Draft>()
  readonly #subscribers = new Set<() => void>()

  constructor(storage: DraftStorage | null) {
    this.#storage = storage
  }

  readonly subscribe = (changed: () => void): (() => void) => {
    this.#subscribers.add(changed)
    return () => this.#subscribers.delete(changed)
  }

  get(id: SessionId): Draft {
    const known = this.#drafts.get(id)
    if (known) return known
    const read = this.#read(id)
    this.#drafts.set(id, read)
    return read
  }

  set(id: SessionId, draft: Draft): void {
    const next = draft.text === '' ? emptyDraft : draft
    this.#drafts.set(id, next)
    try {
      if (next.text === '') this.#storage?.removeItem(keyOf(id))
      else this.#storage?.setItem(keyOf(id), JSON.stringify(next))
    } catch {
      // The storage is full or forbidden: the draft lives as long as the page.
    }
    for (const subscriber of [...this.#subscribers]) subscriber()
  }

  #read(id: SessionId): Draft {
    try {
      const found = JSON.parse(this.#storage?.getItem(keyOf(id)) ?? 'null') as Partial<Draft> | null
      if (typeof found?.text !== 'string' || found.text === '') return emptyDraft
      return { text: found.text, replaces: found.replaces ?? null, clientId: found.clientId ?? null }
    } catch {
      // Forbidden, or not ours: as if there were none.
      return emptyDraft
    }
  }
}

function keyOf(id: SessionId): string {
  return `belay.draft.${id}`
}
