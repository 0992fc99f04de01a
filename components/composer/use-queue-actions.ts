'use client'

/** The queue's actions bound to the server. What became of them arrives by the stream; a refusal is said at once. */
import { useMemo } from 'react'
import type { QueueActions } from '@/components/composer/queue-actions'
import type { WaitingMessage } from '@/components/composer/use-composer-state'
import { toast } from '@/components/ui/toast'
import { api, reasonOf } from '@/lib/client/api'
import type { SessionStore } from '@/lib/client/session-store'
import { randomName } from '@/lib/client/tab-life'
import { AppError } from '@/lib/contract/errors'
import type { Session } from '@/lib/contract/session'

export function useQueueActions(
  session: Session,
  store: SessionStore | null,
  queue: readonly WaitingMessage[],
  running: boolean,
): QueueActions {
  const { id, kind, parentId } = session
  return useMemo(() => {
    const address = { id, kind, parentId }
    const said = async (what: string, action: () => Promise<unknown>) => {
      try {
        await action()
      } catch (error) {
        // The turn was quicker: the message is in it.
        const claimed = error instanceof AppError && error.code === 'message-claimed'
        toast({
          tone: claimed ? 'plain' : 'failure',
          text: claimed ? 'It has just been sent.' : `${what} ${reasonOf(error)}`,
        })
      }
    }
    const sendNow = async (message: WaitingMessage) => {
      if (!running) {
        await api.editMessage(address, message.messageId, { position: 0 })
        await api.wake(address)
        return
      }
      // Out of the queue first: so it can never be there twice. If the second half fails, it stays as unsent with its reason.
      await api.removeMessage(address, message.messageId)
      await store?.send(address, { text: message.text, delivery: 'steer', clientId: randomName() })
    }
    return {
      edit: (messageId, text) => said('Not changed.', () => api.editMessage(address, messageId, { text })),
      move: (messageId, position) => said('Not moved.', () => api.editMessage(address, messageId, { position })),
      remove: (messageId) => said('Not removed.', () => api.removeMessage(address, messageId)),
      sendNow: (message) => said('Not sent.', () => sendNow(message)),
      resume: () => said('Not resumed.', () => api.wake(address)),
      clear: () =>
        said('Not cleared.', async () => {
          for (const { messageId } of queue) await api.removeMessage(address, messageId)
        }),
      retry: (send) => void store?.send(address, send).catch(() => {}),
      dismiss: (send) => store?.dismiss(send.clientId),
    }
  }, [id, kind, parentId, store, queue, running])
}
