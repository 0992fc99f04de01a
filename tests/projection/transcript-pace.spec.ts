import { expect, it } from 'vitest'
import { FrameQueue } from '@/lib/client/frame-queue'
import type { Frame } from '@/lib/contract/stream'
import { LogWriter, session, step, turn } from '@/lib/projection/fixtures/log-writer'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { foldDelta } from '@/lib/projection/transcript-draft'
import { rowsOf } from '@/lib/projection/transcript-rows'
import { textOf } from '@/lib/projection/transcript-text'

/** Not a timed test: the figure is printed, and what is expected is that every word arrives. */
it('U9: folds 8,000 tokens a second, as the hub hands them on, and says what that costs of a core', () => {
  const log = new LogWriter()
  for (let at = 0; at < 200; at += 1) log.asks(`question ${at}`).steps().says('An answer. '.repeat(60)).ends()
  log.asks('go on').steps()
  let transcript = foldAll(emptyTranscript, log.events)
  const seconds = 5
  const perFlush = 32
  let offset = 0
  const begun = performance.now()
  for (let flush = 0; flush < (seconds * 8_000) / perFlush; flush += 1) {
    const queue = new FrameQueue()
    for (let at = 0; at < perFlush; at += 1) {
      const text = at === 0 && flush % 20 === 0 ? '.\n\n' : 'word '
      queue.push({
        event: 'delta',
        data: {
          sessionId: session,
          turnId: turn(201),
          stepId: step(201),
          attempt: 1,
          block: 0,
          kind: 'text',
          offset,
          text,
        },
      } satisfies Frame)
      offset += text.length
    }
    for (const frame of queue.take()) if (frame.event === 'delta') transcript = foldDelta(transcript, frame.data, 0)
    // The screen looks once per frame, every fourth flush.
    if (flush % 4 === 0) rowsOf(transcript, new Set())
  }
  const share = (performance.now() - begun) / (seconds * 1_000)
  console.log(`fold at 8,000 tokens/s over 200 turns: ${(share * 100).toFixed(1)} % of a core (target: under 20 %)`)
  const text = transcript.turns.at(-1)?.items.at(-1)
  expect(text?.kind === 'text' && textOf(text.flow).length).toBe(offset)
})
