import { describe, expect, it } from 'vitest'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import { call, LogWriter, session, step, turn } from '@/lib/projection/fixtures/log-writer'
import { runningLog } from '@/lib/projection/fixtures/logs'
import { emptyTranscript, foldAll, foldTranscript } from '@/lib/projection/transcript'
import { foldDelta, foldToolOutput, resyncAsked } from '@/lib/projection/transcript-draft'
import { rowsOf } from '@/lib/projection/transcript-rows'
import { textOf } from '@/lib/projection/transcript-text'
import type { Transcript } from '@/lib/projection/transcript-view'

const now = Date.parse('2026-03-01T09:00:05.000Z')
const open = () => new LogWriter().asks('Hello?').steps()
const given = (log = open()) => foldAll(emptyTranscript, log.events)

function delta(offset: number, text: string, more: Partial<Delta> = {}): Delta {
  return {
    sessionId: session,
    turnId: turn(1),
    stepId: step(1),
    attempt: 1,
    block: 0,
    kind: 'text',
    offset,
    text,
    ...more,
  }
}
function streams(transcript: Transcript, ...deltas: Delta[]): Transcript {
  return deltas.reduce((view, piece) => foldDelta(view, piece, now), transcript)
}
function words(transcript: Transcript): string[] {
  return (transcript.turns[0]?.items ?? []).flatMap((item) =>
    item.kind === 'text' || item.kind === 'reasoning'
      ? [textOf(item.flow)]
      : item.kind === 'tool'
        ? [item.rawInput]
        : [],
  )
}

describe('what streams before it is a message', () => {
  it('W7: puts pieces together by their offsets', () => {
    expect(words(streams(given(), delta(0, 'Hel'), delta(3, 'lo')))).toEqual(['Hello'])
  })

  it('W7: leaves the text alone and asks for a reconnect when a piece is missing', () => {
    const before = streams(given(), delta(0, 'Hel'))
    const after = streams(before, delta(5, '!'))
    expect(words(after)).toEqual(['Hel'])
    expect(after.needsResync).toBe(true)
    expect(resyncAsked(after).needsResync).toBe(false)
  })

  it('W7: asks for a reconnect when the beginning of a block is missing', () => {
    expect(streams(given(), delta(4, 'o')).needsResync).toBe(true)
  })

  it('W7: doubles nothing when a piece comes again, in whole or in part', () => {
    const text = streams(given(), delta(0, 'Hello'), delta(2, 'll'), delta(3, 'lo world'))
    expect(words(text)).toEqual(['Hello world'])
  })

  it('W7: replaces a block by a delta at offset 0', () => {
    expect(words(streams(given(), delta(0, 'Helo'), delta(0, 'Hello')))).toEqual(['Hello'])
    expect(words(streams(given(), delta(0, 'Hello wor'), delta(0, 'Hi')))).toEqual(['Hi'])
  })

  it('W7: keeps the chunks of a block that comes again and only goes on, so that nothing flickers', () => {
    const long = `${'Words and words. '.repeat(80)}\n\nMore.`
    const before = streams(given(), delta(0, long))
    const after = streams(before, delta(0, `${long} And on.`))
    const [first] = rowsOf(before, new Set()).filter((row) => row.kind === 'chunk')
    expect(rowsOf(after, new Set())).toContain(first)
  })

  it('W7: empties the step when a higher attempt begins, and takes nothing from an older one', () => {
    const retried = streams(given(), delta(0, 'First try'), delta(0, 'Second', { attempt: 2 }))
    expect(words(retried)).toEqual(['Second'])
    expect(streams(retried, delta(9, ' more', { attempt: 1 }))).toBe(retried)
  })

  it('W7: empties the step when its next attempt is in the log before anything of it streams', () => {
    const before = streams(given(), delta(0, 'First try'))
    const again = foldAll(before, open().steps(2).events.slice(before.lastSeq))
    expect(words(again)).toEqual([])
  })

  it('W7: ignores deltas of a step whose message is in the log', () => {
    const settled = given(open().says('Hello'))
    expect(streams(settled, delta(5, ' there'))).toBe(settled)
  })

  it('W7: ignores deltas of a turn that is over or unknown', () => {
    const over = given(open().ends({ kind: 'aborted' }))
    expect(streams(over, delta(0, 'x'))).toBe(over)
    expect(streams(over, delta(0, 'x', { turnId: turn(7) }))).toBe(over)
  })

  it('U9: lets the message take the place of its draft under the same keys', () => {
    const drafted = streams(
      given(),
      delta(0, 'Hm', { kind: 'reasoning' }),
      delta(0, 'Hello', { block: 1 }),
      delta(0, '{"command":"ls"}', { block: 2, kind: 'tool-call', name: 'run_command' }),
    )
    const settled = foldAll(
      drafted,
      open().says({ thought: 'Hm' }, 'Hello', { callId: 'a', name: 'run_command', input: { command: 'ls' } }).events,
    )
    const keys = (transcript: Transcript) => transcript.turns[0]?.items.map((item) => item.key)
    expect(keys(settled)).toEqual(keys(drafted))
    expect(settled.turns[0]?.items.at(-1)).toMatchObject({ state: 'waiting', callId: 'a', rawInput: '' })
  })

  it('U9: does not draw a finished text anew: its chunks stay the same objects', () => {
    const text = `${'Words and words. '.repeat(80)}\n\nThe end.`
    const drafted = streams(given(), delta(0, text))
    const settled = foldAll(drafted, open().says(text).events)
    const chunks = (transcript: Transcript) =>
      transcript.turns[0]?.items.flatMap((item) => (item.kind === 'text' ? item.flow.chunks : []))
    expect(chunks(settled)?.[0]).toBe(chunks(drafted)?.[0])
  })

  it('shows a half-written call by its name until its message comes, and drops it when it never does', () => {
    const drafted = streams(
      given(),
      delta(0, '', { kind: 'tool-call', name: 'write_file' }),
      delta(0, '{"path":"no', { kind: 'tool-call' }),
    )
    expect(drafted.turns[0]?.items.at(-1)).toMatchObject({
      kind: 'tool',
      name: 'write_file',
      state: 'writing',
      rawInput: '{"path":"no',
    })
    const cut = foldAll(drafted, open().isCutAfter('Half').events)
    expect(cut.turns[0]?.items.map((item) => item.kind)).toEqual(['message', 'text'])
  })

  it('knows how long a thought took once the next block begins', () => {
    const thinking = foldDelta(given(), delta(0, 'Hm', { kind: 'reasoning' }), now)
    const after = foldDelta(thinking, delta(0, 'So', { block: 1 }), now + 2_500)
    expect(after.turns[0]?.items.find((item) => item.kind === 'reasoning')).toMatchObject({ durationMs: 2_500 })
  })

  it('takes drafts of a step that begins after the range was read', () => {
    const early = foldAll(emptyTranscript, new LogWriter().asks('Hello?').events)
    expect(words(streams(early, delta(0, 'Hi')))).toEqual(['Hi'])
  })
})

describe('live output of a running call', () => {
  const output = (offset: number, text: string): ToolOutput => ({
    sessionId: session,
    callId: call('r1'),
    offset,
    text,
  })
  const running = () => foldAll(emptyTranscript, runningLog)
  const printed = (transcript: Transcript) =>
    transcript.turns[0]?.items
      .flatMap((item) => (item.kind === 'tool' ? [item.output.head + item.output.tail] : []))
      .join('')

  it('W7: is put together by offsets, doubled pieces once, missing ones noticed', () => {
    const first = foldToolOutput(running(), output(0, 'line 1\n'))
    expect(printed(foldToolOutput(first, output(0, 'line 1\nline 2\n')))).toBe('line 1\nline 2\n')
    expect(foldToolOutput(first, output(20, 'x')).needsResync).toBe(true)
  })

  it('T3: keeps the first and the last part of an output without end, and counts what it let go', () => {
    let transcript = running()
    const line = `${'x'.repeat(99)}\n`
    for (let at = 0; at < 6_000; at += 1) transcript = foldToolOutput(transcript, output(at * 100, line))
    const item = transcript.turns[0]?.items.at(-1)
    if (item?.kind !== 'tool') throw new Error('no tool')
    expect(item.output.length).toBe(600_000)
    expect(item.output.head.length + item.output.tail.length + item.output.dropped).toBe(600_000)
    expect(item.output.head.length + item.output.tail.length).toBeLessThan(320_000)
  })

  it('counts no more once the call has ended', () => {
    const log = new LogWriter()
      .asks('x')
      .steps()
      .says({ callId: 'r1', name: 't', input: {} })
      .runs('r1', 't', {})
      .ran('r1', 'all of it')
    const over = foldAll(emptyTranscript, log.events)
    expect(foldToolOutput(over, output(0, 'late'))).toBe(over)
  })

  it('gives way to the result', () => {
    const live = foldToolOutput(running(), output(0, 'so far'))
    const log = new LogWriter()
      .asks('Watch the build.')
      .steps()
      .says({ callId: 'r1', name: 'run_command', input: {} })
      .runs('r1', 'run_command', {})
      .ran('r1', 'the whole result')
    const end = log.events.at(-1)
    expect(end && printed(foldTranscript(live, end))).toBe('the whole result')
  })
})
