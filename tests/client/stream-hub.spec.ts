import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@/lib/contract/events'
import { type SessionId, sessionIdSchema } from '@/lib/contract/ids'
import type { Delta } from '@/lib/contract/stream'
import { step, turn } from '@/lib/projection/fixtures/log-writer'
import { sampleSummary } from './support/sample-summary'
import { scriptedHub, settled } from './support/scripted-hub'

const a = sessionIdSchema.parse('ses_a')
const b = sessionIdSchema.parse('ses_b')

function event(sessionId: SessionId, position: number, seq = position): SessionEvent {
  const at = '2026-03-01T09:00:00.000Z'
  return { position, seq, sessionId, at, type: 'note', data: { for: 'person', text: `event ${position}` } }
}
function delta(sessionId: SessionId, offset: number, text: string): Delta {
  return { sessionId, turnId: turn(1), stepId: step(1), attempt: 1, block: 0, kind: 'text', offset, text }
}
const positions = (frames: readonly { event: string; data: unknown }[]) =>
  frames.flatMap((frame) => (frame.event === 'session-event' ? [(frame.data as SessionEvent).position] : []))

describe('the one stream of a browser', () => {
  it('W8: opens one stream for what all tabs show', async () => {
    const { streams, tab } = scriptedHub()
    const [first, second] = [tab(), tab()]
    await first.watch(a)
    streams.at(-1)?.hello(10)
    await second.watch(b)
    streams.at(-1)?.hello(10)
    expect(streams.filter((stream) => !stream.isClosed())).toHaveLength(1)
    expect(streams.at(-1)?.query.get('sessions')).toBe('ses_a,ses_b')
  })

  it('W7: opens the new stream with the last id and closes the old one only when the new one is up', async () => {
    const { streams, tab } = scriptedHub()
    const view = tab()
    await view.watch(a)
    const [old] = streams
    old?.hello(10)
    old?.event(event(a, 12))
    await view.watch(a, b)
    const next = streams.at(-1)
    expect(next?.query.get('after')).toBe('12')
    expect(old?.isClosed()).toBe(false)
    old?.event(event(a, 13))
    next?.hello(13)
    expect(old?.isClosed()).toBe(true)
  })

  it('W7: drops what both streams bring, and loses nothing of the session that came new', async () => {
    const { streams, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    streams[0]?.hello(10)
    streams[0]?.event(event(a, 11))
    await view.watch(a, b)
    streams[0]?.event(event(a, 15))
    streams[1]?.hello(16)
    for (const replayed of [event(b, 14), event(a, 15), event(b, 16)]) streams[1]?.event(replayed)
    await pass(20)
    expect(positions(view.frames())).toEqual([11, 15, 14, 16])
  })

  it('W7: tells a tab that its session is covered only once a stream opened after its wish is up', async () => {
    const { streams, tab } = scriptedHub()
    const view = tab()
    const first = await view.watch(a)
    expect(view.covered()).toEqual([])
    streams[0]?.hello(10)
    expect(view.covered()).toEqual([first])
  })

  it('W7: opens anew for a second tab with the same session, because it needs the drafts from offset 0', async () => {
    const { streams, tab } = scriptedHub()
    const [one, two] = [tab(), tab()]
    await one.watch(a)
    streams[0]?.hello(10)
    const ticket = await two.watch(a)
    expect(streams).toHaveLength(2)
    expect(two.covered()).toEqual([])
    streams[1]?.hello(10)
    expect(two.covered()).toEqual([ticket])
  })

  it('W6: gives summaries to every tab and events only to those that show the session', async () => {
    const { streams, tab, pass } = scriptedHub()
    const [shows, other] = [tab(), tab()]
    await shows.watch(a)
    streams.at(-1)?.hello(10)
    streams.at(-1)?.event(event(a, 11))
    streams.at(-1)?.send({ event: 'session', data: sampleSummary({ id: b }) })
    await pass(20)
    expect(shows.frames().map((frame) => frame.event)).toEqual(['session-event', 'session'])
    expect(other.frames().map((frame) => frame.event)).toEqual(['session'])
  })

  it('W6: tells a tab that comes later every summary known, and lets an older lastSeq lose', async () => {
    const { streams, tab } = scriptedHub()
    await tab().watch()
    streams[0]?.hello(1)
    streams[0]?.send({ event: 'session', data: sampleSummary({ id: a, lastSeq: 9, title: 'new' }) })
    streams[0]?.send({ event: 'session', data: sampleSummary({ id: a, lastSeq: 7, title: 'old' }) })
    const late = tab()
    expect(late.frames()).toMatchObject([{ event: 'session', data: { id: a, title: 'new' } }])
  })

  it('U9: hands on the first piece at once and what follows in one message, joined', async () => {
    const { newest, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(1)
    await pass(50)
    const before = view.heard.length
    for (let at = 0; at < 40; at += 1) newest().send({ event: 'delta', data: delta(a, at, 'x') })
    expect(view.heard.length - before).toBe(1)
    await pass(50)
    expect(view.heard.length - before).toBe(2)
    expect(view.frames().map((frame) => frame.data)).toMatchObject([
      { offset: 0, text: 'x' },
      { offset: 1, text: 'x'.repeat(39) },
    ])
  })
})

describe('a stream that is lost', () => {
  it('U9: says at once that the server is lost, since when and when it is tried again', async () => {
    const { newest, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(10)
    await pass(1_000)
    newest().breaks()
    expect(view.status()).toMatchObject({ state: 'lost', since: 1_001_000, retryAt: 1_001_250, why: 'no-answer' })
  })

  it('comes back with what it missed and keeps counting the loss from its beginning', async () => {
    const { newest, streams, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(10)
    newest().event(event(a, 20))
    newest().breaks()
    await pass(250)
    newest().breaks()
    expect(view.status()).toMatchObject({ state: 'lost', since: 1_000_000 })
    await pass(500)
    expect(streams).toHaveLength(3)
    expect(newest().query.get('after')).toBe('20')
    newest().hello(22)
    newest().event(event(a, 21))
    await pass(20)
    expect(view.status()).toMatchObject({ state: 'open' })
    expect(positions(view.frames())).toEqual([20, 21])
  })

  it('tries again at once when asked to', async () => {
    const { newest, streams, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(10)
    for (let at = 0; at < 6; at += 1) {
      newest().breaks()
      await pass(at < 5 ? 20_000 : 0)
    }
    const before = streams.length
    view.client.receive({ type: 'retry-now' })
    expect(streams.length).toBe(before + 1)
    expect(view.status()).toMatchObject({ state: 'lost', retryAt: null })
  })

  it('R3: takes a goodbye as a loss with a known reason and comes back soon', async () => {
    const { newest, tab, pass, streams } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(10)
    newest().send({ event: 'goodbye', data: {} })
    expect(view.status()).toMatchObject({ state: 'lost', why: 'goodbye' })
    await pass(300)
    expect(streams).toHaveLength(2)
  })

  it('has everything fetched again when another process answers', async () => {
    const { newest, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(10, 'runtime-1')
    newest().breaks()
    await pass(300)
    newest().hello(30, 'runtime-2')
    expect(view.heard.map((message) => message.type)).toContain('refetch')
  })

  it('W6: has everything fetched again on a reset, and goes on from the position of that store', async () => {
    const { newest, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    newest().hello(900)
    newest().event(event(a, 901))
    newest().breaks()
    await pass(300)
    newest().hello(5)
    newest().send({ event: 'reset', data: {} })
    expect(view.heard.map((message) => message.type)).toContain('refetch')
    newest().event(event(a, 6, 1))
    newest().breaks()
    await pass(600)
    expect(newest().query.get('after')).toBe('6')
  })

  it('gives up a stream that never says hello', async () => {
    const { streams, tab, pass } = scriptedHub()
    const view = tab()
    await view.watch(a)
    await pass(10_000)
    expect(view.status()).toMatchObject({ state: 'lost' })
    expect(streams[0]?.isClosed()).toBe(true)
  })

  it('W7: opens the stream again when a tab missed a piece', async () => {
    const { streams, tab } = scriptedHub()
    const view = tab()
    await view.watch(a)
    streams[0]?.hello(10)
    view.client.receive({ type: 'resync' })
    await settled()
    expect(streams).toHaveLength(2)
  })
})

describe('tabs that go', () => {
  it('lets go of the sessions of a tab that is gone', async () => {
    const { newest, tab, pass } = scriptedHub()
    const [stays, goes] = [tab(), tab()]
    await stays.watch(a)
    await goes.watch(b)
    newest().hello(10)
    goes.client.leave()
    await pass(4_000)
    newest().hello(10)
    expect(newest().query.get('sessions')).toBe('ses_a')
  })

  it('closes the stream with the last tab and opens it with the next', async () => {
    const { newest, streams, tab } = scriptedHub()
    const only = tab()
    await only.watch(a)
    newest().hello(10)
    only.client.receive({ type: 'bye' })
    expect(newest().isClosed()).toBe(true)
    await tab().watch(a)
    expect(streams).toHaveLength(2)
  })

  it('does not hear a tab that has left', async () => {
    const { streams, tab } = scriptedHub()
    const view = tab()
    await view.watch(a)
    view.client.leave()
    const before = streams.length
    view.client.receive({ type: 'watch', sessions: [b], ticket: 99 })
    await settled()
    expect(streams.length).toBe(before)
  })
})
