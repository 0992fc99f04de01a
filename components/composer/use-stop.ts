'use client'

/** Asking a turn to stop: the pressed look at once, then the truth from the stream, or why it could not be asked (U2). */
import { useCallback, useRef, useState } from 'react'
import { reasonOf, stopTurn } from '@/lib/client/api'
import type { TurnPhase } from '@/lib/client/turn-phase'
import type { TurnId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

export interface Stop {
  /** When it was pressed here, epoch ms; null when it was not, or is over. */
  readonly askedAt: number | null
  /** Why the last request failed. */
  readonly problem: string | null
  readonly press: (queue: 'keep' | 'clear') => void
  /** Turns that were asked to stop from this view. */
  readonly askedFor: (turnId: TurnId) => boolean
}

interface Asked {
  readonly turnId: TurnId | null
  readonly at: number
}

export function useStop(session: Session, phase: TurnPhase): Stop {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const stopped = useRef(new Set<TurnId>())
  const turnId = phase.kind === 'idle' ? null : phase.turnId

  // The turn that was meant is over, or another one runs: the look goes with it.
  if (asked && (phase.kind === 'idle' || (asked.turnId !== null && turnId !== null && asked.turnId !== turnId))) {
    setAsked(null)
  }
  if (problem !== null && phase.kind !== 'running') setProblem(null)

  const press = useCallback(
    (queue: 'keep' | 'clear') => {
      // The request leaves before anything is drawn.
      const request = stopTurn(session, turnId ?? undefined, queue)
      setAsked((before) => before ?? { turnId, at: Date.now() })
      setProblem(null)
      if (turnId !== null) stopped.current.add(turnId)
      request.then(
        (effect) => {
          if (effect === 'signalled' || effect === 'already-signalled') return
          setAsked(null)
          if (effect === 'stale') setProblem('That turn had just ended, and another one runs now.')
        },
        (error: unknown) => {
          if (turnId !== null) stopped.current.delete(turnId)
          setAsked(null)
          setProblem(reasonOf(error))
        },
      )
    },
    [session, turnId],
  )
  const askedFor = useCallback((id: TurnId) => stopped.current.has(id), [])
  return { askedAt: asked?.at ?? null, problem, press, askedFor }
}
