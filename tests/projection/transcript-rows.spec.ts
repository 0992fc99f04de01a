import { describe, expect, it } from 'vitest'
import { LogWriter, session, step, turn } from '@/lib/projection/fixtures/log-writer'
import { completedLog, replacedLog, runningLog } from '@/lib/projection/fixtures/logs'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { foldDelta } from '@/lib/projection/transcript-draft'
import { codeOfRow, replacedKey, rowsOf } from '@/lib/projection/transcript-rows'

const fold = (events: Parameters<typeof foldAll>[1]) => foldAll(emptyTranscript, events)
const none: ReadonlySet<string> = new Set()

describe('the rows of a transcript', () => {
  it('end every turn with one row: its footer, or what runs', () => {
    expect(rowsOf(fold(completedLog), none).at(-1)?.kind).toBe('footer')
    expect(rowsOf(fold(runningLog), none).at(-1)?.kind).toBe('working')
  })

  it('W2: fold a replaced turn into one row, and show it again when unfolded', () => {
    const transcript = fold(replacedLog)
    const closed = rowsOf(transcript, none)
    expect(closed.filter((row) => row.turnId === turn(1)).map((row) => row.kind)).toEqual(['replaced'])
    const open = rowsOf(transcript, new Set([replacedKey(turn(1))]))
    expect(open.filter((row) => row.turnId === turn(1)).map((row) => row.kind)).toEqual([
      'replaced',
      'message',
      'chunk',
      'footer',
    ])
  })

  it('U9: stay the same objects while only the last one grows', () => {
    const long = `${'Words and words. '.repeat(80)}\n\n`
    const log = new LogWriter().asks('one').steps().says(long.repeat(3)).ends().asks('two').steps()
    const delta = (offset: number, text: string) => ({
      sessionId: session,
      turnId: turn(2),
      stepId: step(2),
      attempt: 1,
      block: 0,
      kind: 'text' as const,
      offset,
      text,
    })
    const before = foldDelta(fold(log.events), delta(0, `${long.repeat(2)}Tail`), 0)
    const after = foldDelta(before, delta(long.length * 2 + 4, ' grows'), 0)
    const [was, is] = [rowsOf(before, none), rowsOf(after, none)]
    const changed = is.filter((row, at) => row !== was[at])
    expect(changed.map((row) => row.kind)).toEqual(['chunk', 'working'])
  })

  it('have keys that are theirs alone', () => {
    const keys = rowsOf(fold(completedLog), none).map((row) => row.key)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('give the whole of a code block of which one shows a piece', () => {
    const lines = Array.from({ length: 150 }, (_, at) => `line ${at}`).join('\n')
    const transcript = fold(
      new LogWriter().asks('code').steps().says(`Here:\n\n\`\`\`\n${lines}\n\`\`\`\n`).ends().events,
    )
    const pieces = rowsOf(transcript, none).filter((row) => row.kind === 'chunk' && row.chunk.kind === 'code')
    expect(pieces.length).toBeGreaterThan(1)
    const [view] = transcript.turns
    for (const piece of pieces) expect(view && codeOfRow(view, piece.key)).toBe(lines)
  })
})
