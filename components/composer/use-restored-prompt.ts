'use client'

/** A prompt that was stopped before anything came of it goes back into an empty composer, to replace its turn when sent again (U4). */
import { useEffect, useRef } from 'react'
import type { Stop } from '@/components/composer/use-stop'
import { drafts } from '@/components/live/use-draft'
import type { SessionStore } from '@/lib/client/session-store'
import { hasProduced, promptOf } from '@/lib/projection/transcript-view'

export function useRestoredPrompt(store: SessionStore | null, askedFor: Stop['askedFor']): void {
  const done = useRef(new Set<string>())
  useEffect(() => {
    if (!store) return
    return store.subscribe(() => {
      const turn = store.liveTranscript().turns.at(-1)
      if (turn?.outcome?.kind !== 'aborted' || !askedFor(turn.turnId) || done.current.has(turn.turnId)) return
      done.current.add(turn.turnId)
      const prompt = promptOf(turn)
      if (hasProduced(turn) || prompt === '' || drafts().get(store.sessionId).text !== '') return
      drafts().set(store.sessionId, { text: prompt, replaces: turn.turnId, clientId: null })
    })
  }, [store, askedFor])
}
