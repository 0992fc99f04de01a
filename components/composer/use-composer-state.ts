'use client'

/** What the composer needs to know of its session, without drawing itself anew for every piece of text. */
import { useMemo, useSyncExternalStore } from 'react'
import { useSessionStore } from '@/components/transcript/use-session'
import type { PendingSend } from '@/lib/client/pending-sends'
import type { SessionStart } from '@/lib/client/session-start'
import type { SessionStore } from '@/lib/client/session-store'
import { type TurnPhase, turnPhase } from '@/lib/client/turn-phase'
import type { QueuedMessage, Session } from '@/lib/contract/session'
import { type InboxItems, waitingItems } from '@/lib/projection/inbox'
import type { TurnView } from '@/lib/projection/transcript-view'

export interface ComposerState {
  readonly store: SessionStore | null
  readonly phase: TurnPhase
  readonly queue: readonly WaitingMessage[]
  readonly pending: readonly PendingSend[]
}

export interface WaitingMessage extends QueuedMessage {
  /** False while only the beginning of a long text is known. */
  readonly whole: boolean
}

const nothing: readonly PendingSend[] = []
const emptyInbox: InboxItems = []

export function useComposerState(session: Session, start?: SessionStart): ComposerState {
  const store = useSessionStore(session.id, start)
  const subscribe = store?.subscribe ?? never
  // Strings and kept objects: the same as long as nothing changed that is shown here.
  const turnKey = useSyncExternalStore(
    subscribe,
    () => keyOf(store?.liveTranscript().turns.at(-1)),
    () => '',
  )
  const pending = useSyncExternalStore(
    subscribe,
    () => store?.snapshot().pending ?? nothing,
    () => nothing,
  )
  const inbox = useSyncExternalStore(
    subscribe,
    () => store?.liveTranscript().inbox ?? emptyInbox,
    () => emptyInbox,
  )
  // A snapshot too: read straight from the store, the page would wake up with another queue than the server drew.
  const isComplete = useSyncExternalStore(
    subscribe,
    () => store?.liveTranscript().firstSeq === 1,
    () => false,
  )
  const { activity, openTurnId, queue } = session
  const phase = useMemo(
    () => turnPhase({ activity, openTurnId }, turnKey === '' ? undefined : store?.liveTranscript().turns.at(-1)),
    [activity, openTurnId, turnKey, store],
  )
  const waiting = useMemo(() => queueOf(queue, inbox, isComplete), [queue, inbox, isComplete])
  return { store, phase, queue: waiting, pending }
}

/** The events are ahead of the summary; where they do not reach back to the start, the summary knows more. */
function queueOf(queue: readonly QueuedMessage[], inbox: InboxItems, isComplete: boolean): WaitingMessage[] {
  const known = new Map(waitingItems(inbox).map((item) => [item.messageId, item]))
  if (isComplete)
    return [...known.values()].map(({ messageId, text, delivery, at }) => ({
      messageId,
      text,
      delivery,
      at,
      whole: true,
    }))
  const listed = queue.map((message) => {
    const item = known.get(message.messageId)
    return item ? { ...message, text: item.text, whole: true } : { ...message, whole: message.text.length < 500 }
  })
  const ids = new Set(queue.map((message) => message.messageId))
  const newer = [...known.values()].filter((item) => !ids.has(item.messageId))
  return [
    ...listed,
    ...newer.map(({ messageId, text, delivery, at }) => ({ messageId, text, delivery, at, whole: true })),
  ]
}

function keyOf(turn: TurnView | undefined): string {
  return turn ? `${turn.turnId} ${turn.state} ${turn.control?.at ?? ''}` : ''
}

const never = () => () => {}
