import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { NewEvent } from '@/lib/contract/events'
import { emptySummary, foldSessionSummary, sessionRowOf } from '@/lib/projection/session-summary'
import {
  assistant,
  claimed,
  created,
  givenStore,
  messageId,
  queued,
  requested,
  sessionId,
  stepEnd,
  stepStart,
  text,
  turnEnd,
  turnStart,
  userMessage,
} from './store-kit'

const a = sessionId('ses_a')
const some = fc.nat({ max: 4 }).map((n) => `x${n}`)

const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
  fc.tuple(some, fc.string({ unit: 'grapheme' })).map(([id, words]) => queued(id, words)),
  fc.tuple(some, fc.nat({ max: 5 })).map(
    ([id, position]): NewEvent => ({
      type: 'inbox.edited',
      data: { messageId: messageId(id), text: `edited ${id}`, position },
    }),
  ),
  fc.tuple(some, some).map(([turn, id]) => claimed(turn, id)),
  some.map((turn) => userMessage(turn, `said in ${turn}`)),
  some.map((turn) => stepStart(turn, 's1')),
  fc.tuple(some, fc.boolean()).map(([turn, partial]) => assistant(turn, 's1', [text(`words of ${turn}`)], partial)),
  some.map((turn) => stepEnd(turn, 's1', 3, 4)),
  some.map((turn) => requested(turn)),
  some.map((turn) => turnEnd(turn, { kind: 'aborted' })),
)

it('keeps beside the log exactly what the log folds to, however it was appended and after a restart', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyEvent, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), (batches) => {
      const store = givenStore()
      store.log.append(a, [created(a), ...[0, 1, 2, 3, 4].map((n) => turnStart(`x${n}`, n + 1))])
      for (const batch of batches) store.log.append(a, batch)
      const next = store.reopen()

      const folded = next.events(a).reduce(foldSessionSummary, emptySummary(a))
      expect(next.catalogue.get(a)).toEqual(sessionRowOf(folded))
      expect(next.events(a).map((event) => event.seq)).toEqual(next.events(a).map((_, index) => index + 1))
      const ended = new Set(next.events(a).flatMap((event) => (event.type === 'turn.end' ? [event.data.turnId] : [])))
      const shown = next.history.list({ outcome: ['aborted'] }).turns.map((turn) => turn.turnId)
      expect(new Set(shown)).toEqual(ended)
      next.close()
    }),
    { numRuns: 25 },
  )
}, 120_000)
