/** What can be done with the messages that wait (U4). */
import type { WaitingMessage } from '@/components/composer/use-composer-state'
import type { PendingSend } from '@/lib/client/pending-sends'

export interface QueueActions {
  edit(messageId: WaitingMessage['messageId'], text: string): Promise<void>
  move(messageId: WaitingMessage['messageId'], position: number): Promise<void>
  remove(messageId: WaitingMessage['messageId']): Promise<void>
  /** Idle: it goes first and the queue is woken. Running: it joins the running turn. */
  sendNow(message: WaitingMessage): Promise<void>
  resume(): Promise<void>
  clear(): Promise<void>
  retry(send: PendingSend): void
  dismiss(send: PendingSend): void
}
