'use client'

/** What the rows of a transcript can do, bound to the session and the server. */
import { useRouter } from 'next/navigation'
import { useMemo, useRef } from 'react'
import type { TranscriptActions } from '@/components/transcript/transcript-context'
import { toast } from '@/components/ui/toast'
import { api, reasonOf } from '@/lib/client/api'
import type { SessionStore } from '@/lib/client/session-store'
import { randomName } from '@/lib/client/tab-life'
import type { Session } from '@/lib/contract/session'
import { codeOfRow } from '@/lib/projection/transcript-rows'
import { promptOf } from '@/lib/projection/transcript-view'

/** The same object as long as the session is the same, so that rows need not be built anew. */
export function useBoundActions(session: Session, store: SessionStore | null): TranscriptActions {
  const router = useRouter()
  const { id, kind, parentId } = session
  const address = useMemo(() => ({ id, kind, parentId }), [id, kind, parentId])
  const sentIds = useRef(new Map<string, string>())
  return useMemo(() => {
    const send = async (text: string, replaces?: Parameters<TranscriptActions['fork']>[0]) => {
      // One wish, one client id: pressed again after a failure, the message is still there once (W2).
      const wish = `${replaces ?? ''}\n${text}`
      const clientId = sentIds.current.get(wish) ?? randomName()
      sentIds.current.set(wish, clientId)
      try {
        await store?.send(address, { text, delivery: 'follow-up', clientId, replaces })
        sentIds.current.delete(wish)
      } catch (error) {
        // The one who asked says why; no second copy stands in the transcript.
        store?.dismiss(clientId)
        throw error
      }
    }
    return {
      continueTurn: () => send('Continue.'),
      retry: (turn) => send(promptOf(turn), turn.turnId),
      resend: (turnId, text) => send(text, turnId),
      fork: async (turnId) => {
        const forked = await api.fork(id, turnId)
        router.push(`/s/${encodeURIComponent(forked.session.id)}`)
      },
      endCall: async (callId) => {
        try {
          await api.endCall(id, callId, {})
        } catch (error) {
          toast({ tone: 'failure', text: `The command was not ended. ${reasonOf(error)}` })
        }
      },
      linkTo: (turnId) => `${window.location.origin}/s/${encodeURIComponent(id)}?turn=${encodeURIComponent(turnId)}`,
      codeAt: (turnId, rowKey) => {
        const turn = store?.snapshot().transcript.turns.find((known) => known.turnId === turnId)
        return turn ? codeOfRow(turn, rowKey) : ''
      },
    }
  }, [store, address, id, router])
}
