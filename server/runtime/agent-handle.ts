/** The face of an agent that listeners, tools and the ambient identity see. `Agent` is its only implementation. */
import type { Delivery, EventData } from '@/lib/contract/events'
import type { CallId, MessageId, RequestId, SessionId, TurnId } from '@/lib/contract/ids'
import type { Activity, Wait } from '@/lib/contract/session'
import type { ControlOrigin } from './ports'

export interface CancelOptions {
  /** Leave everything that waits where it is; only the running turn is asked to end (C5). */
  readonly keepInbox?: boolean
}

export interface CancelReceipt {
  readonly effect: 'signalled' | 'already-signalled' | 'none'
  /** Names the `control.requested` of a cancel that was `signalled` (L3). */
  readonly requestId?: RequestId
  /** How many waiting messages were discarded. */
  readonly discarded: number
}

export interface Message {
  readonly text: string
  readonly delivery?: Delivery
  readonly clientId?: string
  readonly replaces?: TurnId
  readonly from?: EventData<'inbox.queued'>['from']
}

export interface AgentHandle {
  readonly id: SessionId
  readonly header: EventData<'session.created'>
  readonly openTurnId: TurnId | null
  live(): { readonly activity: Activity; readonly waitingOn: readonly Wait[] }
  send(message: Message): MessageId
  edit(messageId: MessageId, change: { readonly text?: string; readonly position?: number }): boolean
  remove(messageId: MessageId): boolean
  wake(): 'woken' | 'none'
  compact(): 'woken' | 'none'
  cancel(cause?: unknown, options?: CancelOptions, origin?: ControlOrigin): CancelReceipt
  endCall(callId: CallId, options?: { readonly force?: boolean }): 'signalled' | 'already-signalled' | 'none'
  whenIdle(): Promise<void>
}
