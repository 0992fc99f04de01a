import { describe, expect, it } from 'vitest'
import { ConnectionStore } from '@/lib/client/connection-store'
import { DraftMemory, emptyDraft } from '@/lib/client/draft-memory'
import { FramePacer } from '@/lib/client/frame-pacer'
import { retryDelay } from '@/lib/client/retry-delay'
import { SummaryStore } from '@/lib/client/summary-store'
import { turnPhase } from '@/lib/client/turn-phase'
import { sessionIdSchema } from '@/lib/contract/ids'
import { LogWriter, session, turn } from '@/lib/projection/fixtures/log-writer'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { sampleSummary } from './support/sample-summary'

const atOnce = () => new FramePacer({ now: () => 0, nextFrame: (run) => run() })

describe('summaries', () => {
  const frame = (fields: Parameters<typeof sampleSummary>[0]) => ({
    event: 'session' as const,
    data: sampleSummary(fields),
  })

  it('W6: let an older lastSeq lose and one of the same age win, because activity changes without an event', () => {
    const store = new SummaryStore(atOnce())
    store.frames([frame({ lastSeq: 5, activity: 'running' })])
    store.frames([frame({ lastSeq: 4, activity: 'idle' })])
    expect(store.get(session)?.activity).toBe('running')
    store.frames([frame({ lastSeq: 5, activity: 'stopping' })])
    expect(store.get(session)?.activity).toBe('stopping')
  })

  it('prefer the stream to an answer of the same age, and a newer answer to the stream', () => {
    const store = new SummaryStore(atOnce())
    store.frames([frame({ lastSeq: 5, activity: 'stopping' })])
    store.put([sampleSummary({ lastSeq: 5, activity: 'running' })])
    expect(store.get(session)?.activity).toBe('stopping')
    store.put([sampleSummary({ lastSeq: 6, activity: 'idle' })])
    expect(store.get(session)?.activity).toBe('idle')
  })

  it('W6: forget a removed session and do not bring it back from a late answer', () => {
    const store = new SummaryStore(atOnce())
    store.put([sampleSummary()])
    store.frames([{ event: 'session-removed', data: { sessionId: session } }])
    store.put([sampleSummary()])
    expect(store.get(session)).toBeUndefined()
    expect(store.removed().has(session)).toBe(true)
  })

  it('take whatever comes next once another process answers', () => {
    const store = new SummaryStore(atOnce())
    store.frames([frame({ lastSeq: 50, activity: 'running' })])
    store.distrust()
    store.frames([frame({ lastSeq: 3, activity: 'idle' })])
    expect(store.get(session)).toMatchObject({ lastSeq: 3, activity: 'idle' })
  })

  it('stay the same map while nothing changes', () => {
    const store = new SummaryStore(atOnce())
    store.put([sampleSummary({ lastSeq: 5 })])
    const before = store.all()
    store.frames([frame({ lastSeq: 4 })])
    expect(store.all()).toBe(before)
  })
})

describe('the connection', () => {
  it('says how often lists must be fetched again: after a loss and after a restart', () => {
    const store = new ConnectionStore()
    store.setStatus({ state: 'open', runtimeId: 'r' })
    expect(store.snapshot().generation).toBe(0)
    store.setStatus({ state: 'lost', since: 1, retryAt: 2, why: 'no-answer' })
    store.setStatus({ state: 'open', runtimeId: 'r' })
    expect(store.snapshot().generation).toBe(1)
    store.refetched()
    expect(store.snapshot().generation).toBe(2)
  })

  it('waits longer after each failure, never all at the same moment, and not long after a goodbye', () => {
    expect(retryDelay(0, 'no-answer', 0.5)).toBe(250)
    expect(retryDelay(3, 'no-answer', 0.5)).toBe(2_000)
    expect(retryDelay(99, 'no-answer', 0.999)).toBeLessThanOrEqual(18_750)
    expect(retryDelay(99, 'goodbye', 0.5)).toBe(3_000)
    expect(retryDelay(3, 'no-answer', 0)).not.toBe(retryDelay(3, 'no-answer', 0.9))
  })
})

describe('notifications', () => {
  it('U9: come at once after a pause, then once per frame', () => {
    let now = 100
    const frames: (() => void)[] = []
    const pacer = new FramePacer({ now: () => now, nextFrame: (run) => frames.push(run) })
    let told = 0
    const tell = () => {
      told += 1
    }
    pacer.schedule(tell)
    expect(told).toBe(1)
    for (let at = 0; at < 50; at += 1) pacer.schedule(tell)
    expect([told, frames.length]).toEqual([1, 1])
    now += 16
    frames[0]?.()
    expect(told).toBe(2)
  })
})

describe('drafts', () => {
  function storage() {
    const kept = new Map<string, string>()
    return {
      kept,
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    }
  }

  it('U4: are kept per session over a reload and gone when sent', () => {
    const disk = storage()
    const before = new DraftMemory(disk)
    before.set(session, { text: 'half a thought', replaces: turn(1), clientId: 'c-1' })
    const after = new DraftMemory(disk)
    expect(after.get(session)).toEqual({ text: 'half a thought', replaces: turn(1), clientId: 'c-1' })
    expect(after.get(sessionIdSchema.parse('ses_other'))).toEqual(emptyDraft)
    after.set(session, emptyDraft)
    expect(disk.kept.size).toBe(0)
  })

  it('live as long as the page where nothing can be stored', () => {
    const memory = new DraftMemory({
      getItem: () => '{broken',
      setItem: () => {
        throw new Error('full')
      },
      removeItem: () => {},
    })
    expect(memory.get(session)).toEqual(emptyDraft)
    memory.set(session, { text: 'x', replaces: null, clientId: null })
    expect(memory.get(session).text).toBe('x')
  })
})

describe('whether a turn runs', () => {
  const last = (log: LogWriter) => foldAll(emptyTranscript, log.events).turns.at(-1)

  it('U1: is known from the accepted wake on, before there is a turn', () => {
    expect(turnPhase({ activity: 'running', openTurnId: null }, undefined)).toEqual({ kind: 'running', turnId: null })
  })

  it('U2: is stopping as soon as either source says so', () => {
    const log = new LogWriter().asks('x')
    expect(turnPhase({ activity: 'stopping', openTurnId: turn(1) }, last(log)).kind).toBe('stopping')
    expect(turnPhase({ activity: 'running', openTurnId: turn(1) }, last(log.isStopped())).kind).toBe('stopping')
  })

  it('U2: is over with the end in the log, also while the summary has not heard of it', () => {
    const log = new LogWriter().asks('x').ends()
    expect(turnPhase({ activity: 'running', openTurnId: turn(1) }, last(log))).toEqual({ kind: 'idle' })
  })

  it('is running again when the summary knows the next turn first', () => {
    const log = new LogWriter().asks('x').ends()
    expect(turnPhase({ activity: 'running', openTurnId: turn(2) }, last(log))).toEqual({
      kind: 'running',
      turnId: turn(2),
    })
  })
})
