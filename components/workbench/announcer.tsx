'use client'

/** The one live region of the page: it says started, stopping, how a turn ended, and needs-you; never every token (U10). */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { sessionStateText } from '@/components/ui/state-text'
import { type Session, stateWordOf } from '@/lib/contract/session'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** Gives everything below it a voice. The same text twice in a row is said twice. */
export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', odd: false })
  const announce = useCallback((text: string) => setSaid((before) => ({ text, odd: !before.odd })), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <div role="status" aria-live="polite" aria-atomic="true" className="sr-only" data-announcer="">
        {said.odd ? said.text : ''}
      </div>
      <div role="status" aria-live="polite" aria-atomic="true" className="sr-only" data-announcer="">
        {said.odd ? '' : said.text}
      </div>
    </AnnounceContext>
  )
}

export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext)
}

type Heard = Pick<Session, 'id' | 'title' | 'needs' | 'activity' | 'paused' | 'lastOutcome' | 'queue' | 'kind'>

/** Says the change when the session in view takes on another state; the state it opens with is not news. */
export function useAnnounceState(session: Heard): void {
  const announce = useAnnounce()
  const text = announcementOf(session)
  const last = useRef({ id: session.id, text })
  useEffect(() => {
    const before = last.current
    last.current = { id: session.id, text }
    if (before.id === session.id && before.text !== text) announce(text)
  }, [announce, session.id, text])
}

function announcementOf(session: Heard): string {
  const state = stateWordOf(session)
  return state === 'running' ? 'Started' : sessionStateText(session)
}
