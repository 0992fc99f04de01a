import { describe, expect, it } from 'vitest'
import type { Block, NewEvent } from '@/lib/contract/events'
import type { ApprovalId, QuestionId } from '@/lib/contract/ids'
import { openTurnsQuery } from '@/server/store/catalogue'
import {
  assistant,
  call,
  callId,
  claimed,
  created,
  givenStore,
  queued,
  type Store,
  sessionId,
  stepEnd,
  stepId,
  stepStart,
  text,
  toolEnd,
  toolStart,
  turnEnd,
  turnId,
  turnOf,
  turnStart,
  userMessage,
} from './store-kit'

const a = sessionId('ses_a')
const b = sessionId('ses_b')
const opening = [created(a), queued('m1', 'go'), claimed('t1', 'm1'), turnStart('t1'), userMessage('t1', 'go')]

/** The process ends here: nothing is closed in the log, and the next one repairs. */
function nextProcess(store: Store) {
  const next = store.reopen()
  return { ...next, report: next.repair() }
}

function givenOpenTurn(...events: NewEvent[]) {
  const store = givenStore()
  store.log.append(a, [...opening, ...events])
  return store
}

describe('L6: closes an open turn', () => {
  it('L6: before its first step', () => {
    const { report, types, catalogue } = nextProcess(givenOpenTurn())
    expect(report.closed).toEqual([{ sessionId: a, turnId: 't1' }])
    expect(types(a).slice(opening.length)).toEqual(['turn.end', 'note'])
    expect(catalogue.get(a)).toMatchObject({ openTurnId: null, lastOutcome: { kind: 'orphaned' }, paused: false })
  })

  it('L6: in mid-stream: text and reasoning stay, whole calls stay, a half one and the signature go', () => {
    const store = givenOpenTurn(stepStart('t1', 's1'))
    const draft = store.drafts.open({ sessionId: a, turnId: turnId('t1'), stepId: stepId('s1'), attempt: 1 })
    draft.start(0, 'reasoning')
    draft.append(0, 'hm')
    draft.end(0)
    draft.start(1, 'text')
    draft.append(1, 'I will ')
    draft.append(1, 'look')
    draft.start(2, 'tool-call', { callId: callId('c1'), name: 'read_file' })
    draft.append(2, '{"path":"a"}')
    draft.end(2)
    draft.start(3, 'tool-call', { callId: callId('c2'), name: 'read_file' })
    draft.append(3, '{"path":"b"}')
    draft.start(4, 'tool-call', { callId: callId('c3'), name: 'read_file' })
    draft.append(4, '{"path":')
    draft.end(4)

    const { types, last } = nextProcess(store)

    expect(types(a).slice(-5)).toEqual(['assistant.message', 'tool.end', 'step.end', 'turn.end', 'note'])
    expect(last(a, 'assistant.message')?.data).toEqual({
      turnId: 't1',
      stepId: 's1',
      partial: true,
      blocks: [
        { type: 'reasoning', text: 'hm' },
        text('I will look'),
        call('c1', 'read_file', { path: 'a' }),
      ] as Block[],
    })
    expect(last(a, 'tool.end')?.data).toMatchObject({ callId: 'c1', status: 'orphaned' })
    const usage = last(a, 'step.end')?.data.usage
    expect(usage).toMatchObject({ estimated: true })
    expect(usage?.inputTokens).toBeGreaterThan(0)
    expect(usage?.outputTokens).toBeGreaterThan(3)
    expect(last(a, 'note')?.data).toMatchObject({ for: 'model', text: expect.stringContaining('died') })
  })

  it('L6: keeps only the last attempt of a step', () => {
    const store = givenOpenTurn(stepStart('t1', 's1', 1), stepStart('t1', 's1', 2))
    for (const attempt of [1, 2]) {
      const draft = store.drafts.open({ sessionId: a, turnId: turnId('t1'), stepId: stepId('s1'), attempt })
      draft.start(0, 'text')
      draft.append(0, `attempt ${attempt}`)
      store.drafts.flush()
    }
    expect(nextProcess(store).last(a, 'assistant.message')?.data.blocks).toEqual([text('attempt 2')])
  })

  it('L6: a message that reached the log beats the draft that was left of it', () => {
    const store = givenOpenTurn(stepStart('t1', 's1'))
    const draft = store.drafts.open({ sessionId: a, turnId: turnId('t1'), stepId: stepId('s1'), attempt: 1 })
    draft.start(0, 'text')
    draft.append(0, 'all of it')
    store.drafts.flush()
    store.log.append(a, [assistant('t1', 's1', [text('all of it')])])

    const { types } = nextProcess(store)
    expect(types(a).slice(opening.length)).toEqual(['step.start', 'assistant.message', 'step.end', 'turn.end', 'note'])
  })

  it('L6: gives every unanswered call exactly one result, and those that had one no second', () => {
    const calls = ['c1', 'c2', 'c3', 'c4'].map((id) => call(id, 'run_command', { command: id }))
    const store = givenOpenTurn(
      stepStart('t1', 's0'),
      assistant('t1', 's0', [call('c0', 'read_file', {})]),
      toolStart('t1', 'c0', 'read_file'),
      toolEnd('t1', 'c0', 'old'),
      stepEnd('t1', 's0'),
      stepStart('t1', 's1'),
      assistant('t1', 's1', calls),
      toolStart('t1', 'c1', 'run_command'),
      toolStart('t1', 'c2', 'run_command'),
      toolEnd('t1', 'c1', 'done'),
      toolStart('t1', 'c3', 'run_command'),
    )
    store.drafts.toolOutput(a, callId('c2'), 'line 1\n')
    store.drafts.toolOutput(a, callId('c2'), 'line 2\n')

    const { events } = nextProcess(store)

    const results = events(a).flatMap((event) => (event.type === 'tool.end' ? event.data : []))
    expect(results.map(({ callId: id, status }) => [id, status])).toEqual([
      ['c0', 'ok'],
      ['c1', 'ok'],
      ['c2', 'orphaned'],
      ['c3', 'orphaned'],
      ['c4', 'orphaned'],
    ])
    expect(results[2]?.output).toMatch(/^line 1\nline 2\n.*died.*unknown/s)
    expect(results[3]?.output).toMatch(/unknown/)
    expect(results[4]?.output).toMatch(/does not show that this call began.*unknown/s)
  })

  it('L6: what a dead command had printed is cut to a bound, and says so', () => {
    const store = givenOpenTurn(
      stepStart('t1', 's1'),
      assistant('t1', 's1', [call('c1', 'run_command', {})]),
      toolStart('t1', 'c1', 'run_command'),
    )
    for (let n = 0; n < 10_000; n += 1) store.drafts.toolOutput(a, callId('c1'), `line ${n}\n`)

    const result = nextProcess(store).last(a, 'tool.end')?.data
    expect(result?.truncated).toBe(true)
    expect(result?.output.length).toBeLessThan(33_000)
    expect(result?.output).toMatch(/^\[The beginning of the output is left out.\]\n.*line 9999\n.*died/s)
  })

  it('L6: resolves what waited for a person as cancelled', () => {
    const approval = { approvalId: 'apr_1' as ApprovalId, turnId: turnId('t1'), callId: callId('c1') }
    const question = { questionId: 'qst_1' as QuestionId, turnId: turnId('t1'), callId: callId('c2') }
    const store = givenOpenTurn(
      stepStart('t1', 's1'),
      assistant('t1', 's1', [call('c1', 'run_command', {}), call('c2', 'ask_user', {})]),
      { type: 'approval.requested', data: { ...approval, tool: 'run_command', input: {} } },
      { type: 'question.requested', data: { ...question, questions: [{ question: 'why?' }] } },
    )
    expect(store.catalogue.get(a)?.needs).toBe(2)

    const { last, catalogue } = nextProcess(store)

    expect(last(a, 'approval.resolved')?.data).toMatchObject({ decision: 'cancelled', by: 'cancelled' })
    expect(last(a, 'question.resolved')?.data).toEqual({ questionId: 'qst_1', by: 'cancelled' })
    expect(catalogue.get(a)?.needs).toBe(0)
  })
})

it('L6: is idempotent, runs nothing and leaves the queue parked', () => {
  const store = givenOpenTurn(stepStart('t1', 's1'))
  store.log.append(a, [queued('m2', 'next'), queued('m3', 'then')])
  const first = nextProcess(store)
  const after = first.events(a)

  const again = first.repair()
  const second = nextProcess(first)

  expect(again.closed).toEqual([])
  expect(second.report.closed).toEqual([])
  expect(second.events(a)).toEqual(after)
  expect(second.catalogue.get(a)).toMatchObject({ paused: true, openTurnId: null })
  expect(second.catalogue.get(a)?.queue.map(({ messageId }) => messageId)).toEqual(['m2', 'm3'])
})

it('L6: leaves settled sessions alone and clears every draft', () => {
  const store = givenOpenTurn(turnEnd('t1'))
  store.log.append(b, [created(b), ...turnOf('t1', 'q', 'r')])
  store.drafts.toolOutput(b, callId('c1'), 'left behind')
  const before = store.events(a)

  const next = nextProcess(store)

  expect(next.report.closed).toEqual([])
  expect(next.events(a)).toEqual(before)
  expect(next.drafts.left(b).output(callId('c1'))).toBe('')
})

it('L6: closes each turn in one append, so that a death during the repair leaves it whole or not done', () => {
  const store = givenOpenTurn(stepStart('t1', 's1'))
  const next = store.reopen()
  const batches: number[] = []
  next.log.onAppended((events) => batches.push(events.length))
  next.repair()
  expect(batches).toEqual([3])
})

it('L6: one session that cannot be closed does not keep the others open', () => {
  const store = givenOpenTurn()
  store.log.append(b, [created(b), turnStart('t9')])
  store.database.log.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON events WHEN NEW.session_id = 'ses_a' BEGIN SELECT RAISE(ABORT, 'no'); END",
  )
  const next = nextProcess(store)
  expect(next.report.closed.map((turn) => turn.sessionId)).toEqual([b])
  expect(next.logger.lines).toMatchObject([{ level: 'error', fields: { sessionId: a } }])
})

it('L6: finishes the removal of what was deleted, and repairs nothing of it', () => {
  const store = givenOpenTurn()
  store.log.append(b, [created(b, { kind: 'continuable', rootId: a, parentId: a, depth: 1 }), turnStart('t2')])
  store.catalogue.hide(a)

  const next = nextProcess(store)

  expect([...next.report.removed].sort()).toEqual([a, b])
  expect(next.report.closed).toEqual([])
  expect(next.database.log.value('SELECT count(*) FROM events')).toBe(0)
  expect(next.database.log.value('SELECT count(*) FROM sessions')).toBe(0)
})

it('L6: the cost of a start grows with what was open, not with the store', () => {
  const store = givenOpenTurn()
  const plan = store.database.log
    .prepare<[number, number, number, string]>(`EXPLAIN QUERY PLAN ${openTurnsQuery}`)
    .all()
  expect(plan.map((row) => row[3])).toEqual([expect.stringMatching(/SEARCH sessions USING INDEX sessions_open/)])
})
