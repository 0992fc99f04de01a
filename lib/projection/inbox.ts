/** The inbox as a pure fold: accepted messages that no turn has claimed yet, in the order in which they will be taken. */
import { assertNever } from '@/lib/contract/assert-never'
import type { Delivery, EventData, SessionEvent } from '@/lib/contract/events'
import type { MessageId, TurnId } from '@/lib/contract/ids'

export interface InboxItem {
  readonly messageId: MessageId
  readonly text: string
  readonly delivery: Delivery
  readonly at: string
  readonly replaces?: TurnId
  readonly from: EventData<'inbox.queued'>['from']
}

export type InboxItems = readonly InboxItem[]

/** Applies one event. Events that do not touch the inbox return the same array. */
export function foldInbox(items: InboxItems, event: SessionEvent): InboxItems {
  switch (event.type) {
    case 'inbox.queued': {
      const { messageId, text, delivery, replaces, from } = event.data
      return [...items, { messageId, text, delivery, at: event.at, from, ...(replaces && { replaces }) }]
    }
    case 'inbox.edited':
      return edited(items, event.data)
    case 'inbox.discarded':
    case 'inbox.claimed': {
      const gone = new Set(event.data.messageIds)
      return items.filter((item) => !gone.has(item.messageId))
    }
    case 'turn.end':
      return items.some((item) => item.delivery === 'steer') ? items.map(asFollowUp) : items
    default:
      return items
  }
}

/** The messages a person may see, edit and reorder: all but injects, which are not counted as waiting. */
export function waitingItems(items: InboxItems): InboxItems {
  return items.filter((item) => item.delivery !== 'inject')
}

/** What the next turn takes: the first waiting message, and every other steer and inject (SPEC 1, follow-up). Empty when nothing waits. */
export function claimable(items: InboxItems): InboxItems {
  const first = items.find((item) => item.delivery !== 'inject')
  if (!first) return []
  return items.filter((item) => item === first || item.delivery !== 'follow-up')
}

/** What the running turn takes at its next step: every steer and inject waiting. */
export function joinable(items: InboxItems): InboxItems {
  return items.filter((item) => joins(item.delivery))
}

function joins(delivery: Delivery): boolean {
  switch (delivery) {
    case 'follow-up':
      return false
    case 'steer':
    case 'inject':
      return true
    default:
      return assertNever(delivery)
  }
}

/** A steer that found no step any more is a follow-up, at its place (C20). */
function asFollowUp(item: InboxItem): InboxItem {
  return item.delivery === 'steer' ? { ...item, delivery: 'follow-up' } : item
}

function edited(items: InboxItems, edit: EventData<'inbox.edited'>): InboxItems {
  const found = items.find((item) => item.messageId === edit.messageId)
  if (!found) return items
  const changed: InboxItem = edit.text === undefined ? found : { ...found, text: edit.text }
  if (edit.position === undefined) return items.map((item) => (item === found ? changed : item))
  const rest = items.filter((item) => item !== found)
  const waiting = waitingItems(rest)
  const before = waiting[edit.position]
  const index = before ? rest.indexOf(before) : rest.length
  return [...rest.slice(0, index), changed, ...rest.slice(index)]
}
