import { describe, expect, it } from 'vitest'
import type { NewEvent, SessionEvent } from '@/lib/contract/events'
import type { ApprovalId, MessageId, QuestionId, SessionId, StepId, TurnId } from '@/lib/contract/ids'
import { sessionSchema } from '@/lib/contract/session'
import { emptySummary, foldSessionSummary, sessionRowOf } from '@/lib/projection/session-summary'

const id = 'ses_a' as SessionId
const turn = 't1' as TurnId
const time = (seq: number) => new Date(Date.parse('2026-03-01T10:00:00.000Z') + seq * 1000).toISOString()

function rowOf(...events: NewEvent[]) {
  const numbered = events.map(
    (event, index) =>
      ({ position: index + 1, seq: index + 1, sessionId: id, at: time(index + 1), ...event }) as SessionEvent,
  )
  return sessionRowOf(numbered.reduce(foldSessionSummary, emptySummary(id)))
}

const created = (data: object = {}): NewEvent => ({
  type: 'session.created',
  data: {
    kind: 'root',
    parentId: null,
    rootId: id,
    depth: 0,
    label: null,
    workspace: '/work',
    model: 'rehearsal/script',
    approvalMode: 'ask',
    ...data,
  },
})
const queued = (messageId: string, text: string, data: object = {}): NewEvent => ({
  type: 'inbox.queued',
  data: { messageId: messageId as MessageId, delivery: 'follow-up', text, from: { kind: 'user' }, ...data },
})
const claimed = (...ids: string[]): NewEvent => ({
  type: 'inbox.claimed',
  data: { messageIds: ids as MessageId[], turnId: turn },
})
const said = (text: string): NewEvent => ({
  type: 'user.message',
  data: { turnId: turn, messageId: 'm1' as MessageId, blocks: [{ type: 'text', text }] },
})
const start: NewEvent = { type: 'turn.start', data: { turnId: turn, n: 1, kind: 'prompt' } }
const end = (kind: 'completed' | 'aborted'): NewEvent => ({
  type: 'turn.end',
  data: { turnId: turn, outcome: { kind } },
})

it('W5: folds a whole session into what the contract calls one, but for the live fields', () => {
  const row = rowOf(created({ label: 'look' }), queued('m1', 'hi'), claimed('m1'), start, said('hi'), end('completed'))
  expect(sessionSchema.parse({ ...row, activity: 'idle', resident: false, waitingOn: [] })).toMatchObject(row)
  expect(row).toMatchObject({
    id,
    label: 'look',
    createdAt: time(1),
    updatedAt: time(6),
    lastSeq: 6,
    openTurnId: null,
    lastOutcome: { kind: 'completed' },
    paused: false,
    queue: [],
    needs: 0,
  })
})

describe('title', () => {
  it('W5: comes from the first line of the first message until somebody gives one', () => {
    expect(rowOf(created()).title).toBe('')
    expect(rowOf(created(), queued('m1', '\n  Fix   the tests \nand more')).title).toBe('Fix the tests')
    expect(rowOf(created(), queued('m1', 'first'), queued('m2', 'second')).title).toBe('first')
    expect(rowOf(created(), queued('m1', 'draft'), claimed('m1'), start, said('as it was sent')).title).toBe(
      'as it was sent',
    )
    const renamed: NewEvent = { type: 'session.changed', data: { title: 'Mine' } }
    expect(rowOf(created(), queued('m1', 'first'), renamed, said('other')).title).toBe('Mine')
    expect(rowOf(created({ title: 'Given' }), queued('m1', 'first')).title).toBe('Given')
  })

  it('W5: is not made of what only the model gets', () => {
    expect(rowOf(created(), queued('m1', 'a notice', { delivery: 'inject' })).title).toBe('')
  })

  it('W5: is cut at 80 units and never in the middle of a character', () => {
    const { title } = rowOf(created(), queued('m1', `${'x'.repeat(78)}🧗🧗🧗`))
    expect(title).toBe(`${'x'.repeat(78)}…`)
  })
})

describe('paused', () => {
  it('W5: a session without an open turn is paused while something waits', () => {
    expect(rowOf(created(), queued('m1', 'x')).paused).toBe(true)
    expect(rowOf(created(), queued('m1', 'x'), claimed('m1'), start, queued('m2', 'y')).paused).toBe(false)
    expect(rowOf(created(), start, queued('m2', 'y'), end('aborted')).paused).toBe(true)
    expect(rowOf(created(), start, end('aborted')).paused).toBe(false)
  })

  it('W5: injects do not pause, a stopped continuable child does', () => {
    expect(rowOf(created(), queued('m1', 'x', { delivery: 'inject' })).paused).toBe(false)
    expect(rowOf(created({ kind: 'continuable' }), start, end('aborted')).paused).toBe(true)
    expect(rowOf(created({ kind: 'continuable' }), start, end('completed')).paused).toBe(false)
    expect(rowOf(created({ kind: 'one-shot' }), start, end('aborted')).paused).toBe(false)
  })
})

it('W5: shows the queue in its order, each text cut at 500 units', () => {
  const edit: NewEvent = { type: 'inbox.edited', data: { messageId: 'm2' as MessageId, text: 'edited', position: 0 } }
  const row = rowOf(
    created(),
    queued('m1', 'y'.repeat(2000)),
    queued('m2', 'z'),
    queued('m3', 'i', { delivery: 'inject' }),
    edit,
  )
  expect(row.queue).toEqual([
    { messageId: 'm2', text: 'edited', delivery: 'follow-up', at: time(3) },
    { messageId: 'm1', text: 'y'.repeat(500), delivery: 'follow-up', at: time(2) },
  ])
})

it('W5: counts what waits for a person, until it is answered or its turn ends', () => {
  const approval = { turnId: turn, callId: 'c1', tool: 'run_command', input: {} }
  const asks = [
    { type: 'approval.requested', data: { approvalId: 'apr_1', ...approval } },
    { type: 'approval.requested', data: { approvalId: 'apr_2', ...approval } },
    { type: 'question.requested', data: { questionId: 'qst_1', turnId: turn, callId: 'c2', questions: [] } },
  ] as unknown as NewEvent[]
  const answers: NewEvent[] = [
    { type: 'approval.resolved', data: { approvalId: 'apr_1' as ApprovalId, decision: 'allow', by: 'user' } },
    { type: 'question.resolved', data: { questionId: 'qst_1' as QuestionId, by: 'user', answers: [['yes']] } },
  ]
  expect(rowOf(created(), start, ...asks).needs).toBe(3)
  expect(rowOf(created(), start, ...asks, ...answers).needs).toBe(1)
  expect(rowOf(created(), start, ...asks, end('aborted')).needs).toBe(0)
})

it('W5: adds up the usage of all steps and says when any of it is an estimate', () => {
  const step = (inputTokens: number, estimated: boolean): NewEvent => ({
    type: 'step.end',
    data: { turnId: turn, stepId: 's' as StepId, usage: { inputTokens, outputTokens: 1, estimated } },
  })
  expect(rowOf(created(), step(5, false), step(7, false)).usage).toEqual({
    inputTokens: 12,
    outputTokens: 2,
    estimated: false,
  })
  expect(rowOf(created(), step(5, true), step(7, false)).usage.estimated).toBe(true)
})

it('W5: a change touches only what it names', () => {
  const row = rowOf(created({ title: 'T' }), { type: 'session.changed', data: { archived: true, model: undefined } })
  expect(row).toMatchObject({ archived: true, title: 'T', model: 'rehearsal/script', approvalMode: 'ask' })
})

it('W5: an open turn is known by its id', () => {
  expect(rowOf(created(), start)).toMatchObject({ openTurnId: turn, lastOutcome: null })
})
