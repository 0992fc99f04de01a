import { expect, it } from 'vitest'
import type { EventData, EventOf, NewEvent, SessionEvent } from '@/lib/contract/events'
import type { MessageId, RequestId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { Outcome } from '@/lib/contract/outcome'
import { foldTurnRow, startedTurn } from '@/lib/projection/turn-row'

const turnId = 't1' as TurnId
const stepId = 's1' as StepId
const time = (seq: number) => new Date(Date.parse('2026-03-01T10:00:00.000Z') + seq * 1500).toISOString()
const numbered = (event: NewEvent, seq: number) =>
  ({ position: seq, seq, sessionId: 'ses_a' as SessionId, at: time(seq), ...event }) as SessionEvent

function rowOf(...events: NewEvent[]) {
  const start = numbered({ type: 'turn.start', data: { turnId, n: 1, kind: 'prompt' } }, 0) as EventOf<'turn.start'>
  return events.map((event, index) => numbered(event, index + 1)).reduce(foldTurnRow, startedTurn(start))
}

const said = (text: string): NewEvent => ({
  type: 'user.message',
  data: { turnId, messageId: 'm1' as MessageId, blocks: [{ type: 'text', text }] },
})
const replied = (...blocks: unknown[]): NewEvent =>
  ({ type: 'assistant.message', data: { turnId, stepId, partial: false, blocks } }) as NewEvent
const text = (words: string) => ({ type: 'text', text: words })
const call = (name: string, input: unknown) => ({ type: 'tool-call', callId: 'c1', name, input })
const asked = (data: Partial<EventData<'control.requested'>>): NewEvent => ({
  type: 'control.requested',
  data: {
    requestId: 'req_1' as RequestId,
    action: 'cancel',
    via: 'button',
    by: { kind: 'user' },
    turnId,
    keepInbox: true,
    ...data,
  },
})
const end = (outcome: Outcome): NewEvent => ({ type: 'turn.end', data: { turnId, outcome } })
const aborted = end({ kind: 'aborted' })

it('U8: knows the prompt that opened the turn, when, how long and how it ended', () => {
  expect(rowOf(said('do it'), said('a steer'), aborted)).toMatchObject({
    turnId,
    prompt: 'do it',
    startedAt: time(0),
    durationMs: 4500,
    outcome: { kind: 'aborted' },
  })
  expect(rowOf(said('do it'))).toMatchObject({ outcome: null, durationMs: null })
  expect(rowOf(said('x'.repeat(9000))).prompt).toHaveLength(500)
})

it('L3: names who asked first for the end, and by which way', () => {
  const parent = { kind: 'parent', sessionId: 'ses_p' as SessionId } as const
  const row = rowOf(asked({ via: 'deny' }), asked({ by: parent, via: 'tool', action: 'interrupt' }), aborted)
  expect(row).toMatchObject({ requestedBy: 'user', via: 'deny' })
  expect(rowOf(asked({ by: parent, via: 'tool', action: 'interrupt' }), aborted)).toMatchObject({
    requestedBy: 'parent',
    via: 'tool',
  })
})

it('L3: the end of one call does not explain the end of the turn', () => {
  expect(rowOf(asked({ action: 'end-call' }), aborted)).toMatchObject({ requestedBy: null, via: null })
  expect(rowOf(asked({ action: 'end-call' }), asked({ action: 'stop-all', via: 'api' }), aborted)).toMatchObject({
    requestedBy: 'user',
    via: 'api',
  })
})

it('L3: a request explains an abort and nothing else, and not one that came after the end', () => {
  for (const kind of ['disposed', 'orphaned', 'completed'] as const) {
    expect(rowOf(asked({}), end({ kind }))).toMatchObject({ requestedBy: null, via: null })
  }
  expect(rowOf(aborted, asked({}))).toMatchObject({ requestedBy: null })
})

it('U8: the last step is the last thing said or the tool that was asked for', () => {
  expect(rowOf().lastStep).toEqual({ text: '' })
  expect(rowOf(replied(text('one'), text('two '))).lastStep).toEqual({ text: 'two' })
  expect(rowOf(replied(text('look'), call('run_command', { command: 'ls' }))).lastStep).toEqual({
    tool: 'run_command',
    text: 'look',
  })
  expect(rowOf(replied(call('run_command', { command: 'ls -la\npwd' }))).lastStep).toEqual({
    tool: 'run_command',
    text: 'ls -la',
  })
  expect(rowOf(replied(call('x', {})), replied(text('done'))).lastStep).toEqual({ text: 'done' })
  expect(rowOf(replied(text('kept')), replied(text(' '))).lastStep).toEqual({ text: 'kept' })
})

it('U8: adds up the usage of its steps', () => {
  const step = (estimated: boolean): NewEvent => ({
    type: 'step.end',
    data: { turnId, stepId, usage: { inputTokens: 3, outputTokens: 2, estimated } },
  })
  expect(rowOf(step(false), step(true)).usage).toEqual({ inputTokens: 6, outputTokens: 4, estimated: true })
})
