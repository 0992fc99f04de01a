import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Delta, ToolOutput } from '@/lib/contract/stream'
import { liveOutputMax } from '@/server/store/output-drafts'
import { callId, givenStore, sessionId, stepId, tempFolder, turnId } from './store-kit'

const a = sessionId('ses_a')
const b = sessionId('ses_b')
const step = { sessionId: a, turnId: turnId('t1'), stepId: stepId('s1'), attempt: 1 }

function givenDrafts() {
  const store = givenStore()
  const deltas: Delta[] = []
  const outputs: ToolOutput[] = []
  store.drafts.onDelta((delta) => deltas.push(delta))
  store.drafts.onToolOutput((output) => outputs.push(output))
  const onDisk = () => store.drafts.left(a).blocks(step.stepId)
  return { ...store, deltas, outputs, onDisk }
}

describe('live', () => {
  it('L6: announces every piece at once, with its offset in UTF-16 units', () => {
    const { drafts, deltas } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, '🧗a')
    draft.append(0, 'b')

    const base = { ...step, block: 0, kind: 'text' }
    expect(deltas).toEqual([
      { ...base, offset: 0, text: '' },
      { ...base, offset: 0, text: '🧗a' },
      { ...base, offset: 3, text: 'b' },
    ])
  })

  it('W8: holds half a character back until its other half arrives, and lets it go at the end', () => {
    const { drafts, deltas } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, 'a\ud83e')
    draft.append(0, '\uddd7')
    draft.append(0, '\ud83e')
    draft.end(0)
    expect(deltas.map(({ offset, text }) => [offset, text])).toEqual([
      [0, ''],
      [0, 'a'],
      [1, '🧗'],
      [3, '\ud83e'],
    ])
  })

  it('W7: gives a reader who joins every open block whole, and the name of a tool', () => {
    const { drafts } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, 'Hello ')
    draft.append(0, 'world')
    draft.start(1, 'tool-call', { callId: callId('c1'), name: 'read_file' })
    draft.append(1, '{"pa')
    drafts.open({ ...step, sessionId: b }).start(0, 'text')

    expect(drafts.openDeltas([a])).toEqual([
      { ...step, block: 0, kind: 'text', offset: 0, text: 'Hello world' },
      { ...step, block: 1, kind: 'tool-call', offset: 0, text: '{"pa', name: 'read_file' },
    ])
    expect(drafts.openDeltas([a, b])).toHaveLength(3)
    expect(drafts.openDeltas([])).toEqual([])
  })

  it('W7: a new attempt empties the step, and the old draft can say no more', () => {
    const { drafts, deltas } = givenDrafts()
    const first = drafts.open(step)
    first.start(0, 'text')
    first.append(0, 'old')
    const second = drafts.open({ ...step, attempt: 2 })
    first.append(0, 'ghost')
    first.discard()
    second.start(0, 'text')
    second.append(0, 'new')

    expect(drafts.openDeltas([a])).toMatchObject([{ attempt: 2, text: 'new' }])
    expect(deltas.map(({ text }) => text)).not.toContain('ghost')
  })

  it('keeps the output of a command that never ends within bounds, and sends the rest again from offset 0', () => {
    const { drafts, outputs } = givenDrafts()
    const line = `${'x'.repeat(1023)}\n`
    for (let n = 0; n < 3 * (liveOutputMax / 1024); n += 1) drafts.toolOutput(a, callId('c1'), line)
    drafts.flush()

    const [open] = drafts.openToolOutputs([a])
    expect(open?.text.length).toBeLessThanOrEqual(liveOutputMax)
    expect(open?.text).toMatch(/^\[The earlier output is no longer shown here.\]\nx/)
    expect(rebuilt(outputs)).toBe(open?.text)
    expect(drafts.left(a).output(callId('c1'))).toBe(open?.text)
  })
})

function rebuilt(outputs: readonly ToolOutput[]): string {
  return outputs.reduce((whole, { offset, text }) => {
    expect(offset).toBeLessThanOrEqual(whole.length)
    return offset === 0 ? text : whole + text
  }, '')
}

describe('on disk', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('L6: is there within 250 ms of the first unwritten piece, however many follow', () => {
    const { drafts, onDisk } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    for (let n = 0; n < 25; n += 1) {
      draft.append(0, `${n} `)
      vi.advanceTimersByTime(10)
    }
    expect(onDisk()).toEqual([{ type: 'text', text: expect.stringMatching(/^0 1 2 .* 18 19 $/) }])
  })

  it('L6: writes all sessions in one transaction, only what is new, and rests when nothing is', () => {
    const { drafts, database } = givenDrafts()
    const drafted = [a, b].map((id) => drafts.open({ ...step, sessionId: id }))
    const rows = () => database.log.value("SELECT group_concat(text, '|') FROM draft_texts")
    for (const draft of drafted) draft.start(0, 'text')
    for (const draft of drafted) draft.append(0, 'one')
    vi.advanceTimersByTime(200)
    drafted[0]?.append(0, 'two')
    vi.advanceTimersByTime(200)

    expect(rows()).toBe('"one"|"one"|"two"')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('L6: forgets a discarded draft and a closed output, live and on disk', () => {
    const { drafts, database } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, 'gone')
    drafts.toolOutput(a, callId('c1'), 'gone too')
    drafts.flush()
    draft.discard()
    drafts.closeToolOutput(a, callId('c1'))
    vi.advanceTimersByTime(250)

    expect(drafts.openDeltas([a])).toEqual([])
    expect(drafts.openToolOutputs([a])).toEqual([])
    expect(database.log.value('SELECT count(*) FROM draft_texts')).toBe(0)
    expect(database.log.value('SELECT count(*) FROM draft_outputs')).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('L6: writes nothing for a draft that was discarded before its time', () => {
    const { drafts, database } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, 'quick')
    draft.discard()
    vi.advanceTimersByTime(250)
    expect(database.log.value('SELECT count(*) FROM draft_texts')).toBe(0)
  })

  it('L6: tries again when the disk refuses, and loses nothing', () => {
    const { drafts, database, logger, onDisk } = givenDrafts()
    const draft = drafts.open(step)
    draft.start(0, 'text')
    draft.append(0, 'x'.repeat(100_000))
    const pages = Number(database.drafts.value('PRAGMA page_count'))
    database.drafts.exec(`PRAGMA max_page_count = ${pages}`)
    vi.advanceTimersByTime(200)
    expect(onDisk()).toEqual([])
    expect(logger.lines).toMatchObject([{ level: 'warn', fields: { reason: expect.stringContaining('full') } }])

    database.drafts.exec('PRAGMA max_page_count = 100000')
    draft.append(0, 'y')
    vi.advanceTimersByTime(1000)
    expect(onDisk()).toEqual([{ type: 'text', text: `${'x'.repeat(100_000)}y` }])
  })
})

it('L6: a stream survives kill -9 up to its last 250 ms, and the next start closes it as orphaned', async () => {
  const folder = tempFolder()
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/store/draft-writer.child.ts', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const said = new Map<number, number>()
  for await (const line of createInterface({ input: child.stdout })) {
    const [, n, at] = /^said (\d+) at (\d+)$/.exec(line) ?? []
    said.set(Number(n), Number(at))
    if (Number(n) >= 150) break
  }
  const killedAt = Date.now()
  child.kill('SIGKILL')
  await once(child, 'close')
  const mustHave = Math.max(...[...said].filter(([, at]) => at <= killedAt - 250).map(([n]) => n))

  const store = givenStore(folder)
  expect(store.repair().closed).toEqual([{ sessionId: a, turnId: 't1' }])

  const message = store.last(a, 'assistant.message')
  expect(message?.data).toMatchObject({
    partial: true,
    blocks: [
      { type: 'reasoning', text: 'thinking 取消 🧗' },
      { type: 'tool-call', callId: 'c1', name: 'run_command', input: { command: 'ls' } },
      { type: 'text', text: expect.stringContaining(`1 2 3 `) },
    ],
  })
  const words = message?.data.blocks[2]
  const kept = words?.type === 'text' ? words.text.trim().split(' ').map(Number) : []
  expect(kept).toEqual(kept.map((_, index) => index + 1))
  expect(kept.length).toBeGreaterThanOrEqual(mustHave)
  expect(mustHave).toBeGreaterThan(0)
  expect(store.types(a).slice(3)).toEqual(['assistant.message', 'tool.end', 'step.end', 'turn.end', 'note'])
  expect(store.last(a, 'turn.end')?.data.outcome).toEqual({ kind: 'orphaned' })
})
