'use client'

/** Keeps the browser tab's title in step with the session in view: its name, led by its state while that matters. */
import { useEffect } from 'react'
import { stateWords } from '@/components/ui/state-text'
import { type Session, type StateWord, stateWordOf } from '@/lib/contract/session'

const worthATitle: ReadonlySet<StateWord> = new Set(['needs-you', 'running', 'stopping'])

export function useTabTitle(session: Session): void {
  const state = stateWordOf(session)
  const title = `${session.title || 'Untitled'} · Belay`
  const shown = worthATitle.has(state) ? `${stateWords[state]}: ${title}` : title
  useEffect(() => {
    document.title = shown
  }, [shown])
}
