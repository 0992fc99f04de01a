import { describe, expect, it } from 'vitest'
import type { SessionStore } from '@/lib/client/session-store'
import { AppError } from '@/lib/contract/errors'
import type { Delta, Frame } from '@/lib/contract/stream'
import { LogWriter, session, step, turn } from '@/lib/projection/fixtures/log-writer'
import { textOf } from '@/lib/projection/transcript-text'
import { asFrame, givenStore } from './support/given-store'

const delta = (offset: number, text: string): Frame => ({
  event: 'delta',
  data: {
    sessionId: session,
    turnId: turn(1),
    stepId: step(1),
    attempt: 1,
    block: 0,
    kind: 'text',
    offset,
    text,
  } satisfies Delta,
})
const started = () => new LogWriter().asks('Hello?').steps()
function saidIn(store: SessionStore): string {
  const items = store.snapshot().transcript.turns.at(-1)?.items ?? []
  return items.flatMap((item) => (item.kind === 'text' ? [textOf(item.flow)] : [])).join('|')
}

describe('joining a session', () => {
  it('W7: shows the page at once, and what streams only after the log is known to have no gap before it', async () => {
    const log = started()
    const { store, asked, cover, frames } = givenStore(log.events)
    expect(store.snapshot().phase).toBe('loading')
    await asked[0]?.answer()
    expect(store.snapshot().phase).toBe('ready')
    await cover()
    frames(delta(0, 'Hel'))
    expect(saidIn(store)).toBe('')
    await asked[1]?.answer()
    expect(saidIn(store)).toBe('Hel')
  })

  it('W7: catches up with what was written between the page and the stream', async () => {
    const log = started()
    const { asked, cover, seqs } = givenStore(log.events)
    await asked[0]?.answer()
    log.says('Hello').ends()
    await cover()
    expect(asked[1]?.query.after).toBe(6)
    await asked[1]?.answer()
    expect(seqs()).toEqual([1, 8])
  })

  it('W7: needs no second question when the stream was up before the first', async () => {
    const log = started()
    const { asked, cover, frames, store } = givenStore(log.events)
    await asked[0]?.fail(new Error('gone for a moment'))
    await cover()
    store.retry()
    frames(delta(0, 'Hi'))
    await asked[1]?.answer()
    expect(asked).toHaveLength(2)
    expect(saidIn(store)).toBe('Hi')
  })

  it('W7: takes an event once, whether page or stream brings it first', async () => {
    const log = started().says('Hello')
    const { asked, cover, frames, store, seqs } = givenStore(log.events)
    await asked[0]?.answer()
    await cover()
    frames(...log.events.slice(-2).map(asFrame))
    await asked[1]?.answer()
    frames(...log.events.slice(-2).map(asFrame))
    expect(seqs()).toEqual([1, 7])
    expect(saidIn(store)).toBe('Hello')
  })

  it('W7: fetches what is missing when the stream jumps, and applies what came meanwhile behind it', async () => {
    const log = started()
    const { asked, cover, frames, store } = givenStore(log.events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    log.says('Hello').ends()
    const last = log.events.at(-1)
    if (last) frames(asFrame(last))
    expect(asked[2]?.query.after).toBe(6)
    await asked[2]?.answer()
    expect(saidIn(store)).toBe('Hello')
    expect(store.snapshot().transcript.turns.at(-1)?.state).toBe('ended')
  })

  it('W7: asks for the drafts again when a piece is missing, but not more than once a second', async () => {
    const { asked, cover, frames, resyncs, later, store } = givenStore(started().events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    frames(delta(0, 'Hel'), delta(9, 'x'), delta(10, 'y'))
    frames(delta(11, 'z'))
    expect(resyncs()).toBe(1)
    frames(delta(0, 'Hello, all of it'))
    expect(saidIn(store)).toBe('Hello, all of it')
    later(2_000)
    frames(delta(40, 'x'))
    expect(resyncs()).toBe(2)
  })

  it('begins with the events that the page was rendered with', () => {
    const { store } = givenStore([], { events: started().events })
    expect(store.snapshot()).toMatchObject({ phase: 'ready', atStart: true, atEnd: true })
  })

  it('U9: begins with what streamed when the page was rendered, and goes on from there without a flicker', async () => {
    const log = started()
    const first = { sessionId: session, turnId: turn(1), stepId: step(1), attempt: 1, block: 0, kind: 'text' as const }
    const start = { events: [...log.events], deltas: [{ ...first, offset: 0, text: 'Hel' }] }
    const { store, asked, cover, frames } = givenStore(log.events, start)
    expect(saidIn(store)).toBe('Hel')
    await cover()
    frames(delta(0, 'Hello'))
    await asked[0]?.answer()
    expect(saidIn(store)).toBe('Hello')
  })

  it('W6: starts over when everything is void, and shows the old until the new is there', async () => {
    const log = started().says('old')
    const { asked, cover, refetch, store } = givenStore(log.events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    await refetch()
    expect(saidIn(store)).toBe('old')
    await asked[2]?.answer({ events: started().says('new').events, lastSeq: 7 })
    expect(saidIn(store)).toBe('new')
  })

  it('says why it could not be read, and knows a session that is gone', async () => {
    const failing = givenStore([])
    await failing.asked[0]?.fail(new AppError('internal', 'The server answered 500 and gave no reason.'))
    expect(failing.store.snapshot()).toMatchObject({
      phase: 'failed',
      reason: 'The server answered 500 and gave no reason.',
    })
    const gone = givenStore([])
    await gone.asked[0]?.fail(new AppError('not-found', 'There is no such session.'))
    expect(gone.store.snapshot().phase).toBe('gone')
  })

  it('tells its views once for many frames of one message', async () => {
    const { asked, cover, frames, changes } = givenStore(started().events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    const before = changes()
    frames(delta(0, 'a'), delta(1, 'b'), delta(2, 'c'))
    expect(changes() - before).toBe(1)
  })
})

describe('sending', () => {
  it('U4: shows a message until the log has it, found by its client id', async () => {
    const log = new LogWriter()
    const { store, asked, cover, frames, sent } = givenStore(log.events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    const done = store.send(
      { id: session, kind: 'root', parentId: null },
      { text: 'Hello', delivery: 'follow-up', clientId: 'c-1' },
    )
    expect(store.snapshot().pending).toMatchObject([{ text: 'Hello', state: 'sending' }])
    sent[0]?.answer()
    await done
    expect(store.snapshot().pending).toHaveLength(1)
    log.queues('Hello', { clientId: 'c-1' })
    const queued = log.events.at(-1)
    if (queued) frames(asFrame(queued))
    expect(store.snapshot().pending).toEqual([])
  })

  it('U4: keeps a message that could not be sent, with the reason, until it is tried again or let go', async () => {
    const { store, sent } = givenStore(new LogWriter().events)
    const address = { id: session, kind: 'root' as const, parentId: null }
    const wish = { text: 'Hello', delivery: 'follow-up' as const, clientId: 'c-1' }
    const done = store.send(address, wish)
    sent[0]?.fail(new AppError('limit-reached', 'The queue is full.'))
    await expect(done).rejects.toThrow('The queue is full.')
    expect(store.snapshot().pending).toMatchObject([{ state: 'failed', reason: 'The queue is full.' }])
    void store.send(address, wish)
    expect(store.snapshot().pending).toMatchObject([{ state: 'sending', clientId: 'c-1' }])
    store.dismiss('c-1')
    expect(store.snapshot().pending).toEqual([])
  })

  it('W2: shows no failure for a message that arrived although its answer was lost', async () => {
    const log = new LogWriter()
    const { store, asked, cover, frames, sent } = givenStore(log.events)
    await asked[0]?.answer()
    await cover()
    await asked[1]?.answer()
    const done = store.send(
      { id: session, kind: 'root', parentId: null },
      { text: 'Hi', delivery: 'follow-up', clientId: 'c-2' },
    )
    log.queues('Hi', { clientId: 'c-2' })
    const queued = log.events.at(-1)
    if (queued) frames(asFrame(queued))
    sent[0]?.fail(new Error('the line broke'))
    await done.catch(() => {})
    expect(store.snapshot().pending).toEqual([])
  })
})
