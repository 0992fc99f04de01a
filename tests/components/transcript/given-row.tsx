/** Rows of a folded log, as the transcript draws them, with actions that note what was asked. */
import { render } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { vi } from 'vitest'
import { RowView } from '@/components/transcript/row-view'
import {
  ActionsContext,
  FactsContext,
  FoldingContext,
  type TranscriptActions,
  type TurnFacts,
} from '@/components/transcript/transcript-context'
import type { SessionEvent } from '@/lib/contract/events'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { codeOfRow, type Row, rowsOf } from '@/lib/projection/transcript-rows'
import type { Transcript } from '@/lib/projection/transcript-view'

export function givenRows(log: readonly SessionEvent[] | Transcript, facts: Partial<TurnFacts> = {}) {
  const transcript = 'turns' in log ? log : foldAll(emptyTranscript, log)
  const actions = {
    continueTurn: vi.fn(async () => {}),
    retry: vi.fn(async () => {}),
    resend: vi.fn(async () => {}),
    fork: vi.fn(async () => {}),
    endCall: vi.fn(async () => {}),
    linkTo: vi.fn((turnId: string) => `http://belay/s/ses_1?turn=${turnId}`),
    codeAt: vi.fn((turnId: string, rowKey: string) => {
      const turn = transcript.turns.find((known) => known.turnId === turnId)
      return turn ? codeOfRow(turn, rowKey) : ''
    }),
  } satisfies TranscriptActions
  const known: TurnFacts = { lastTurnId: transcript.turns.at(-1)?.turnId ?? null, idle: true, blocked: null, ...facts }
  const view = render(<Rows transcript={transcript} actions={actions} facts={known} />)
  return { ...view, actions, rows: rowsOf(transcript, new Set()) as readonly Row[] }
}

function Rows({
  transcript,
  actions,
  facts,
}: {
  transcript: Transcript
  actions: TranscriptActions
  facts: TurnFacts
}): ReactNode {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const open = new Set([...chosen].flatMap(([key, isOpen]) => (isOpen ? [key] : [])))
  const folding = {
    isOpen: (key: string, fallback: boolean) => chosen.get(key) ?? fallback,
    setOpen: (key: string, isOpen: boolean) => setChosen((before) => new Map(before).set(key, isOpen)),
  }
  return (
    <ActionsContext value={actions}>
      <FoldingContext value={folding}>
        <FactsContext value={facts}>
          {rowsOf(transcript, open).map((row) => (
            <RowView key={row.key} row={row} marked={false} />
          ))}
        </FactsContext>
      </FoldingContext>
    </ActionsContext>
  )
}
