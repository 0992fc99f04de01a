'use client'

/** Sending the draft: the box is empty at once, and what could not be sent comes back with the reason. */
import { useMemo, useState } from 'react'
import { drafts } from '@/components/live/use-draft'
import { reasonOf } from '@/lib/client/api'
import { type Draft, emptyDraft } from '@/lib/client/draft-memory'
import type { SessionStore } from '@/lib/client/session-store'
import { randomName } from '@/lib/client/tab-life'
import type { Session } from '@/lib/contract/session'

export interface Sender {
  readonly problem: string | null
  readonly send: (draft: Draft, delivery: 'follow-up' | 'steer') => void
  /** The person goes on typing: the reason has been read. */
  readonly forgive: () => void
}

export function useSend(session: Session, store: SessionStore | null): Sender {
  const [problem, setProblem] = useState<string | null>(null)
  const { id, kind, parentId } = session
  return useMemo(() => {
    const send = (draft: Draft, delivery: 'follow-up' | 'steer') => {
      if (!store) return
      const clientId = draft.clientId ?? randomName()
      const wish = { text: draft.text, delivery, clientId, replaces: draft.replaces ?? undefined }
      const sent = store.send({ id, kind, parentId }, wish)
      drafts().set(id, emptyDraft)
      setProblem(null)
      sent.catch((error: unknown) => {
        // Somebody has typed on meanwhile: that stays, and the unsent message stands beside it with its reason.
        if (drafts().get(id).text !== '') return
        store.dismiss(clientId)
        drafts().set(id, { ...draft, clientId })
        setProblem(`Not sent. ${reasonOf(error)}`)
      })
    }
    return { problem, send, forgive: () => setProblem(null) }
  }, [id, kind, parentId, store, problem])
}
