'use client'

/** What rows can do and what is unfolded. Given by the transcript, read by its rows, so that a row's props are only what it shows. */
import { createContext, useContext } from 'react'
import type { CallId, TurnId } from '@/lib/contract/ids'
import type { TurnView } from '@/lib/projection/transcript-view'

export interface TranscriptActions {
  /** Sends "Continue." */
  continueTurn(): Promise<void>
  /** Sends the same words again; the old turn is folded away. */
  retry(turn: TurnView): Promise<void>
  /** Sends changed words in place of a turn. @throws Error when the server refuses. */
  resend(turnId: TurnId, text: string): Promise<void>
  fork(turnId: TurnId): Promise<void>
  endCall(callId: CallId): Promise<void>
  /** An address that opens at this turn. */
  linkTo(turnId: TurnId): string
  /** The whole code block of which a row shows a piece. */
  codeAt(turnId: TurnId, rowKey: string): string
}

export interface Folding {
  /** What a person has chosen for this key, or the fallback. */
  isOpen(key: string, fallback: boolean): boolean
  setOpen(key: string, open: boolean): void
}

export interface TurnFacts {
  /** The last settled turn: it alone can be continued. */
  readonly lastTurnId: TurnId | null
  /** Nothing runs, so a message would be answered at once. */
  readonly idle: boolean
  /** Why nothing can be sent now; null when it can. */
  readonly blocked: string | null
}

export const ActionsContext = createContext<TranscriptActions | null>(null)
export const FoldingContext = createContext<Folding>({ isOpen: (_key, fallback) => fallback, setOpen: () => {} })
export const FactsContext = createContext<TurnFacts>({ lastTurnId: null, idle: true, blocked: null })

/** @throws Error outside a transcript. */
export function useTranscriptActions(): TranscriptActions {
  const actions = useContext(ActionsContext)
  if (!actions) throw new Error('A transcript row needs the transcript around it')
  return actions
}
