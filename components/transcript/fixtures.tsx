'use client'

/** The transcript in every state, for the fixture page; the same logs feed the tests. */
import { useState } from 'react'
import { RowView } from '@/components/transcript/row-view'
import { PendingRow } from '@/components/transcript/small-rows'
import {
  ActionsContext,
  FactsContext,
  FoldingContext,
  type TranscriptActions,
} from '@/components/transcript/transcript-context'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import type { SessionEvent } from '@/lib/contract/events'
import { call, LogWriter, session, step, turn } from '@/lib/projection/fixtures/log-writer'
import {
  byParentLog,
  completedLog,
  cutLog,
  failedLog,
  hostileLog,
  nothingLog,
  orphanedLog,
  replacedLog,
  runningLog,
  stoppedLog,
} from '@/lib/projection/fixtures/logs'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { foldDelta, foldToolOutput } from '@/lib/projection/transcript-draft'
import { codeOfRow, rowsOf } from '@/lib/projection/transcript-rows'
import type { Transcript } from '@/lib/projection/transcript-view'

const ended: Readonly<Record<string, readonly SessionEvent[]>> = {
  completed: completedLog,
  'stopped in a command': stoppedLog,
  'stopped in a sentence': cutLog,
  'stopped before anything came': nothingLog,
  'stopped by the parent': byParentLog,
  failed: failedLog,
  'lost at restart': orphanedLog,
  'an earlier version, folded': replacedLog,
  'untrusted text': hostileLog,
}

/** `now` is when the page was rendered, epoch ms: what runs has just begun. */
export function TranscriptFixtures({ now }: { now: number }) {
  return (
    <SpecimenGroup title="Transcript">
      {Object.entries(ended).map(([name, log]) => (
        <Specimen key={name} name={name} wide>
          <Rows transcript={fold(log)} idle />
        </Specimen>
      ))}
      {Object.entries(open(now)).map(([name, transcript]) => (
        <Specimen key={name} name={name} wide>
          <Rows transcript={transcript} idle={false} />
        </Specimen>
      ))}
      <Specimen name="being sent" wide>
        <PendingRow send={{ ...pending, state: 'sending', reason: null }} retry={nothing} dismiss={nothing} />
      </Specimen>
      <Specimen name="not sent" wide>
        <PendingRow
          send={{ ...pending, state: 'failed', reason: 'The server does not answer.' }}
          retry={nothing}
          dismiss={nothing}
        />
      </Specimen>
    </SpecimenGroup>
  )
}

const nothing = () => {}
const pending = { text: 'also check retries', delivery: 'follow-up' as const, clientId: 'c-1' }

function fold(log: readonly SessionEvent[]): Transcript {
  return foldAll(emptyTranscript, log)
}

/** Turns that run: they begin a moment before the page was rendered, so that their watches count. */
function open(now: number): Readonly<Record<string, Transcript>> {
  const begun = () => new LogWriter(now - 42_000)
  const asked = begun().asks('Watch the build.').steps()
  const delta = (kind: 'text' | 'reasoning' | 'tool-call', text: string) => ({
    sessionId: session,
    turnId: turn(1),
    stepId: step(1),
    attempt: 1,
    block: 0,
    kind,
    offset: 0,
    text,
    ...(kind === 'tool-call' && { name: 'write_file' }),
  })
  const printed = Array.from({ length: 60 }, (_, at) => `\u001b[32mbuilt\u001b[0m chunk ${at + 1}`).join('\n')
  const runs = fold(runningLog)
  const waiting = begun().asks('And now?').steps()
  waiting.add({
    type: 'retry.waiting',
    data: {
      turnId: turn(1),
      stepId: step(1),
      attempt: 2,
      until: new Date(now + 30_000).toISOString(),
      reason: 'The provider asks to slow down.',
    },
  })
  return {
    thinking: foldDelta(fold(asked.events), delta('reasoning', 'The watch mode first, '), now - 4_000),
    'writing, a mark half open': foldDelta(fold(asked.events), delta('text', 'It has **just beg'), now),
    'writing a call': foldDelta(fold(asked.events), delta('tool-call', '{"path":"notes.txt","content":"A'), now),
    'a command that prints': foldToolOutput(runs, { sessionId: session, callId: call('r1'), offset: 0, text: printed }),
    'waiting for the next try': fold(waiting.events),
    stopping: fold(begun().asks('Stop, please.').steps().isStopped().events),
  }
}

function Rows({ transcript, idle }: { transcript: Transcript; idle: boolean }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const unfolded = new Set([...chosen].flatMap(([key, isOpen]) => (isOpen ? [key] : [])))
  const folding = {
    isOpen: (key: string, fallback: boolean) => chosen.get(key) ?? fallback,
    setOpen: (key: string, isOpen: boolean) => setChosen((before) => new Map(before).set(key, isOpen)),
  }
  const facts = { lastTurnId: transcript.turns.at(-1)?.turnId ?? null, idle, blocked: null }
  const actions: TranscriptActions = {
    continueTurn: async () => {},
    retry: async () => {},
    resend: async () => {},
    fork: async () => {},
    endCall: async () => {},
    linkTo: (turnId) => `/s/${session}?turn=${turnId}`,
    codeAt: (turnId, rowKey) => {
      const found = transcript.turns.find((known) => known.turnId === turnId)
      return found ? codeOfRow(found, rowKey) : ''
    },
  }
  return (
    <div className="rounded-card border bg-surface">
      <ActionsContext value={actions}>
        <FoldingContext value={folding}>
          <FactsContext value={facts}>
            {rowsOf(transcript, unfolded).map((row) => (
              <RowView key={row.key} row={row} marked={false} />
            ))}
          </FactsContext>
        </FoldingContext>
      </ActionsContext>
    </div>
  )
}
