/** Which facts a fork copies: everything up to and including one settled turn, without queue and children (W2 fork). */
import { AppError } from '@/lib/contract/errors'
import type { EventData, NewEvent, SessionEvent } from '@/lib/contract/events'
import type { MessageId, SessionId, TurnId } from '@/lib/contract/ids'
import { foldInbox, type InboxItems } from '@/lib/projection/inbox'

export interface CopiedFact {
  readonly at: string
  readonly event: NewEvent
}

/**
 * The copies, in order, each with the time at which it happened. The first is a new root's `session.created` that names its
 * origin; what the session was called and set to at that moment stays.
 * @throws AppError `not-found` for a turn that this session never had, `turn-open` for one that has not ended.
 */
export function forkEvents(
  source: { readonly id: SessionId; readonly events: Iterable<SessionEvent> },
  turnId: TurnId,
  newId: SessionId,
): CopiedFact[] {
  const kept = upToTurn(source.events, turnId)
  const queued = stillQueued(kept)
  return kept.flatMap((event): CopiedFact[] => {
    const copy = copyOf(event, queued)
    if (!copy) return []
    if (copy.type !== 'session.created') return [{ at: event.at, event: copy }]
    const data = { ...copy.data, ...rootOf(newId), forkedFrom: { sessionId: source.id, turnId } }
    return [{ at: event.at, event: { type: 'session.created', data } }]
  })
}

/** The events before the turn's end, the end itself, and the note about it that follows at once (C14). */
function upToTurn(events: Iterable<SessionEvent>, turnId: TurnId): SessionEvent[] {
  const kept: SessionEvent[] = []
  let state: 'before' | 'open' | 'ended' = 'before'
  for (const event of events) {
    if (state === 'ended' && !(event.type === 'note' && event.data.about === turnId)) return kept
    kept.push(event)
    if (event.type === 'turn.start' && event.data.turnId === turnId) state = 'open'
    if (event.type === 'turn.end' && event.data.turnId === turnId) state = 'ended'
  }
  if (state === 'ended') return kept
  if (state === 'open') throw new AppError('turn-open', 'That turn has not ended yet.')
  throw new AppError('not-found', 'This session has no such turn.')
}

function stillQueued(events: readonly SessionEvent[]): ReadonlySet<MessageId> {
  const inbox = events.reduce<InboxItems>(foldInbox, [])
  return new Set(inbox.map((item) => item.messageId))
}

function copyOf(event: SessionEvent, queued: ReadonlySet<MessageId>): NewEvent | undefined {
  switch (event.type) {
    case 'child.spawned':
    case 'child.settled':
      return undefined
    case 'inbox.queued': {
      // A client's own id is for the session it was sent to: nobody has used it here.
      const { clientId: _ofTheSource, ...data } = event.data
      return queued.has(data.messageId) ? undefined : { type: 'inbox.queued', data }
    }
    case 'inbox.edited':
      return queued.has(event.data.messageId) ? undefined : newEventOf(event)
    case 'session.changed': {
      const { archived: _, ...data } = event.data
      return Object.keys(data).length === 0 ? undefined : { type: 'session.changed', data }
    }
    default:
      return newEventOf(event)
  }
}

function newEventOf(event: SessionEvent): NewEvent {
  return { type: event.type, data: event.data } as NewEvent
}

/** The place of a root in its own tree. */
function rootOf(id: SessionId): Pick<EventData<'session.created'>, 'kind' | 'parentId' | 'rootId' | 'depth' | 'label'> {
  return { kind: 'root', parentId: null, rootId: id, depth: 0, label: null }
}
