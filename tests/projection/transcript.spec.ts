import { describe, expect, it } from 'vitest'
import { LogWriter, message, turn } from '@/lib/projection/fixtures/log-writer'
import {
  completedLog,
  cutLog,
  failedLog,
  nothingLog,
  replacedLog,
  runningLog,
  stoppedLog,
} from '@/lib/projection/fixtures/logs'
import { emptyTranscript, foldAll, foldTranscript } from '@/lib/projection/transcript'
import { textOf } from '@/lib/projection/transcript-text'
import { hasProduced, promptOf, type TurnItem, type TurnView } from '@/lib/projection/transcript-view'

function fold(events: Parameters<typeof foldAll>[1]) {
  return foldAll(emptyTranscript, events)
}
function firstTurn(events: Parameters<typeof foldAll>[1]): TurnView {
  const [first] = fold(events).turns
  if (!first) throw new Error('no turn')
  return first
}
function kinds(view: TurnView): string[] {
  return view.items.map((item) => item.kind)
}
function tools(view: TurnView): Extract<TurnItem, { kind: 'tool' }>[] {
  return view.items.filter((item) => item.kind === 'tool')
}

describe('the transcript of a log', () => {
  it('shows what was asked, thought, done and answered, in order', () => {
    const view = firstTurn(completedLog)
    expect(kinds(view)).toEqual(['message', 'reasoning', 'tool', 'tool', 'tool', 'text'])
    expect(promptOf(view)).toBe('Find out why upload.spec fails on CI and mend it.')
    expect(tools(view).map((item) => item.state)).toEqual(['ok', 'ok', 'error'])
    expect(view).toMatchObject({
      n: 1,
      state: 'ended',
      outcome: { kind: 'completed' },
      usage: { inputTokens: 3304, outputTokens: 500, estimated: false },
    })
  })

  it('C7: keeps who asked apart from what came of it', () => {
    const view = firstTurn(stoppedLog)
    expect(view.outcome).toEqual({ kind: 'aborted' })
    expect(view.control).toMatchObject({ action: 'cancel', via: 'button', by: { kind: 'user' } })
  })

  it('C4: lets only the first request explain a turn', () => {
    const view = firstTurn(
      new LogWriter().asks('x').isStopped('user').isStopped('parent').ends({ kind: 'aborted' }).events,
    )
    expect(view.control?.by).toEqual({ kind: 'user' })
  })

  it('C13: shows a call that never began as skipped and one that was cut as aborted', () => {
    expect(tools(firstTurn(stoppedLog)).map((item) => item.state)).toEqual(['aborted', 'skipped'])
  })

  it('C14: keeps the words that were written before a stop and says that they were cut', () => {
    const text = firstTurn(cutLog).items.find((item) => item.kind === 'text')
    expect(text?.kind === 'text' && textOf(text.flow)).toBe('To belay is to hold the rope for somebody who')
    expect(text).toMatchObject({ partial: true, live: false })
  })

  it('U4: knows a turn of which nothing came', () => {
    expect(hasProduced(firstTurn(nothingLog))).toBe(false)
    expect(hasProduced(firstTurn(cutLog))).toBe(true)
  })

  it('shows a claimed message whose own event never came', () => {
    const events = new LogWriter().queues('never said').events
    const claimed = new LogWriter()
    claimed.events.push(...events.slice(1))
    claimed.add({ type: 'inbox.claimed', data: { messageIds: [message(1)], turnId: turn(1) } })
    claimed.add({ type: 'turn.start', data: { turnId: turn(1), n: 1, kind: 'prompt' } })
    claimed.add({ type: 'turn.end', data: { turnId: turn(1), outcome: { kind: 'aborted' } } })
    expect(promptOf(firstTurn(claimed.events))).toBe('never said')
  })

  it('W2: folds away the turn that a message replaces', () => {
    const { turns } = fold(replacedLog)
    expect(turns.map((view) => view.replacedBy)).toEqual([turn(2), null])
    expect(turns[1]?.replaces).toEqual([turn(1)])
  })

  it('W2: brings a turn back when the message that would replace it is taken away before its turn', () => {
    const log = new LogWriter()
      .asks('one')
      .ends()
      .queues('two', { replaces: turn(1) })
    expect(fold(log.events).turns[0]?.replacedBy).toBeNull()
    log.add({ type: 'inbox.discarded', data: { messageIds: [message(2)], reason: 'removed' } })
    expect(fold(log.events).turns[0]?.replacedBy).toBeNull()
  })

  it('M4: shows the wait before a retry with its reason, and that it is over', () => {
    const retry = firstTurn(failedLog).items.find((item) => item.kind === 'retry')
    expect(retry).toMatchObject({ attempt: 1, reason: 'The provider is overloaded.', over: true })
  })

  it('T8: marks the one call whose end was asked for, and does not call that a stop of the turn', () => {
    const log = new LogWriter()
      .asks('x')
      .steps()
      .says({ callId: 'a', name: 'run_command', input: {} })
      .runs('a', 'run_command', {})
    log.add({
      type: 'control.requested',
      data: {
        requestId: 'req_1' as never,
        action: 'end-call',
        via: 'button',
        by: { kind: 'user' },
        turnId: turn(1),
        callId: 'a' as never,
        keepInbox: true,
      },
    })
    const view = firstTurn(log.events)
    expect(tools(view)[0]?.endAsked).toBe(true)
    expect(view).toMatchObject({ state: 'running', control: null })
  })

  it('shows notes for the person and keeps those for the model to the model', () => {
    const log = new LogWriter().asks('x').ends()
    log.add({ type: 'note', data: { for: 'model', text: 'The user stopped it.' } })
    log.add({ type: 'note', data: { for: 'person', text: 'One row could not be read.' } })
    expect(firstTurn(log.events).items.filter((item) => item.kind === 'note')).toMatchObject([
      { text: 'One row could not be read.' },
    ])
  })

  it('begins anywhere: a turn whose start is not in the range has no number but everything else', () => {
    const view = firstTurn(completedLog.slice(5))
    expect(view.n).toBeNull()
    expect(view.outcome).toEqual({ kind: 'completed' })
    expect(kinds(view)).toContain('text')
  })

  it('W7: takes an event once, whoever brings it again', () => {
    const once = fold(completedLog)
    expect(foldAll(once, completedLog)).toBe(once)
  })

  it('gives only the touched turn a new identity, and in it only the touched item', () => {
    const before = fold(
      new LogWriter()
        .asks('one')
        .steps()
        .says('first')
        .ends()
        .asks('two')
        .steps()
        .says({ callId: 'a', name: 't', input: {} })
        .runs('a', 't', {}).events,
    )
    const last = before.lastSeq
    const end = new LogWriter()
      .asks('one')
      .steps()
      .says('first')
      .ends()
      .asks('two')
      .steps()
      .says({ callId: 'a', name: 't', input: {} })
      .runs('a', 't', {})
      .ran('a', 'done')
      .events.at(-1)
    if (!end || end.seq !== last + 1) throw new Error('the fixture is off')
    const after = foldTranscript(before, end)
    expect(after.turns[0]).toBe(before.turns[0])
    expect(after.turns[1]).not.toBe(before.turns[1])
    expect(after.turns[1]?.items[0]).toBe(before.turns[1]?.items[0])
    expect(after.turns[1]?.items[1]).not.toBe(before.turns[1]?.items[1])
  })

  it('says that a turn is stopping from the request until its end', () => {
    const log = new LogWriter().asks('x').steps()
    expect(firstTurn(log.events).state).toBe('running')
    log.isStopped()
    expect(firstTurn(log.events).state).toBe('stopping')
    log.ends({ kind: 'aborted' })
    expect(firstTurn(log.events).state).toBe('ended')
  })

  it('shows a call that runs as running', () => {
    expect(tools(firstTurn(runningLog))).toMatchObject([{ state: 'running', name: 'run_command' }])
  })
})
