import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NewEvent, SessionEvent } from '@/lib/contract/events'
import type { SessionId, StepId, TurnId } from '@/lib/contract/ids'
import type { Activity, Session } from '@/lib/contract/session'
import type { Delta } from '@/lib/contract/stream'
import { EventStream, keepAliveInterval } from '@/server/http/event-stream'
import { streamHeaders } from '@/server/http/frame'
import { backlogLimit } from '@/server/http/stream-reader'
import type { Happening, StreamSource } from '@/server/http/stream-source'

const a = 'ses_a' as SessionId
const b = 'ses_b' as SessionId

/** A process in memory: a log with positions, drafts that are only deltas, and activities. */
class Scripted implements StreamSource {
  readonly runtimeId = 'run_1'
  readonly log: SessionEvent[] = []
  readonly drafts: Delta[] = []
  readonly activities = new Map<SessionId, Activity>()
  readonly summaries: SessionId[] = []
  #listener: ((happening: Happening) => void) | undefined

  position() {
    return this.log.at(-1)?.position ?? 0
  }
  since(after: number, ids: readonly SessionId[], limit: number) {
    return this.log.filter((event) => event.position > after && ids.includes(event.sessionId)).slice(0, limit)
  }
  changedSince(after: number) {
    return [...new Set(this.log.filter((event) => event.position > after).map((event) => event.sessionId))]
  }
  session(id: SessionId) {
    this.summaries.push(id)
    const lastSeq = this.log.filter((event) => event.sessionId === id).length
    return { id, lastSeq, activity: this.activity(id) } as Session
  }
  activity(id: SessionId) {
    return this.activities.get(id) ?? 'idle'
  }
  openDeltas(ids: readonly SessionId[]) {
    return this.drafts.filter((delta) => ids.includes(delta.sessionId))
  }
  openToolOutputs() {
    return []
  }
  subscribe(listener: (happening: Happening) => void) {
    this.#listener = listener
    return () => {
      this.#listener = undefined
    }
  }
  get subscribed() {
    return this.#listener !== undefined
  }
  happen(happening: Happening) {
    this.#listener?.(happening)
  }
  append(sessionId: SessionId, text: string) {
    const seq = this.log.filter((event) => event.sessionId === sessionId).length + 1
    const event = {
      position: this.position() + 1,
      seq,
      sessionId,
      at: '2026-01-01T00:00:00.000Z',
      ...({ type: 'note', data: { for: 'person', text } } satisfies NewEvent),
    } as SessionEvent
    this.log.push(event)
    this.happen({ kind: 'event', event })
  }
  say(sessionId: SessionId, offset: number, text: string, block = 0) {
    const delta: Delta = {
      sessionId,
      turnId: 'turn_1' as TurnId,
      stepId: 'step_1' as StepId,
      attempt: 1,
      block,
      kind: 'text',
      offset,
      text,
    }
    this.happen({ kind: 'delta', delta })
  }
}

interface SeenFrame {
  readonly event: string
  readonly id?: number
  readonly data: Record<string, unknown>
}

/** Reads like an EventSource: whole frames only; comments are kept under the name "comment". */
class Reader {
  readonly frames: SeenFrame[] = []
  failed = false
  closed = false
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }
  /** Reads until the predicate holds for what has been seen. */
  async until(done: (reader: Reader) => boolean) {
    while (!done(this) && !this.closed && !this.failed) await this.#step()
    return this
  }
  async seen(event: string, n = 1) {
    await this.until((reader) => reader.of(event).length >= n)
    return this.of(event)
  }
  of(event: string) {
    return this.frames.filter((frame) => frame.event === event)
  }
  cancel() {
    return this.#reader.cancel()
  }
  async #step() {
    try {
      const { done, value } = await this.#reader.read()
      if (done) this.closed = true
      else this.#feed(this.#decoder.decode(value))
    } catch {
      this.failed = true
    }
  }
  #feed(text: string) {
    const parts = (this.#text + text).split('\n\n')
    this.#text = parts.pop() ?? ''
    for (const part of parts) {
      const lines = new Map(
        part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      const event = lines.get('event')
      const id = lines.get('id')
      if (event) this.frames.push({ event, ...(id && { id: Number(id) }), data: JSON.parse(lines.get('data') ?? '{}') })
      else if (lines.has('')) this.frames.push({ event: 'comment', data: { text: lines.get('') } })
    }
  }
}

function given() {
  const source = new Scripted()
  const stream = new EventStream(source)
  const open = (sessions: SessionId[] = [a], after?: number) => new Reader(stream.open({ sessions, after }))
  return { source, stream, open }
}
const texts = (frames: readonly SeenFrame[]) => frames.map((frame) => (frame.data.data as { text: string }).text)

describe('joining', () => {
  it('W6: says hello first, with the runtime and the position', async () => {
    const { source, open } = given()
    source.append(a, 'before')
    const [hello] = await open().seen('hello')
    expect(hello?.data).toEqual({ runtimeId: 'run_1', position: 1 })
  })

  it('W7: starts from now without a position', async () => {
    const { source, open } = given()
    source.append(a, 'before')
    const reader = open()
    source.append(a, 'after')
    expect(texts(await reader.seen('session-event'))).toEqual(['after'])
  })

  it('W7: replays what was missed, then changed summaries, then open drafts from offset 0, then what happens', async () => {
    const { source, open } = given()
    for (const text of ['one', 'two', 'three']) source.append(a, text)
    source.append(b, 'elsewhere')
    source.drafts.push({
      sessionId: a,
      turnId: 't',
      stepId: 's',
      attempt: 1,
      block: 0,
      kind: 'text',
      offset: 0,
      text: 'Hel',
    } as unknown as Delta)
    const reader = open([a], 1)
    await reader.seen('delta')
    source.append(a, 'four')
    await reader.seen('session-event', 3)
    expect(reader.frames.slice(0, 6).map((frame) => frame.event)).toEqual([
      'hello',
      'session-event',
      'session-event',
      'session',
      'session',
      'delta',
    ])
    expect(texts(reader.of('session-event'))).toEqual(['two', 'three', 'four'])
    expect(reader.of('session-event').map((frame) => frame.id)).toEqual([2, 3, 5])
  })

  it('W7: neither doubles nor loses anything when events arrive in the middle of a long replay', async () => {
    const { source, open } = given()
    const wide = 'x'.repeat(2000)
    for (let n = 0; n < 1000; n++) source.append(a, `${n} ${wide}`)
    const reader = open([a], 0)
    for (let n = 1000; n < 1300; n++) {
      if (n % 10 === 0) await reader.seen('session-event', (n - 1000) * 3)
      source.append(a, `${n} ${wide}`)
    }
    await reader.seen('session-event', 1300)
    expect(reader.of('session-event').map((frame) => frame.id)).toEqual(Array.from({ length: 1300 }, (_, n) => n + 1))
  })

  it('W7: doubles nothing when an event was appended in the very tick in which the stream opens', async () => {
    const { source, open } = given()
    const first = open([a])
    source.append(a, 'same tick')
    const second = open([a], 0)
    source.append(a, 'next')
    expect(texts(await second.seen('session-event', 2))).toEqual(['same tick', 'next'])
    expect(texts(await first.seen('session-event', 2))).toEqual(['same tick', 'next'])
  })

  it('W6: answers a position ahead of the store with reset and goes on from now', async () => {
    const { source, open } = given()
    source.append(a, 'one')
    const reader = open([a], 99)
    await reader.seen('reset')
    source.append(a, 'two')
    expect(texts(await reader.seen('session-event'))).toEqual(['two'])
  })

  it('W6: tells a returning reader which sessions were removed meanwhile', async () => {
    const { source, open } = given()
    source.append(a, 'one')
    source.happen({ kind: 'session-removed', sessionId: b })
    expect((await open([], 0).seen('session-removed'))[0]?.data).toEqual({ sessionId: b })
  })
})

describe('what happens', () => {
  it('W6: sends events and text of the named sessions only, summaries of all', async () => {
    const { source, open } = given()
    const reader = open([a])
    source.append(b, 'not for you')
    source.say(b, 0, 'nor this')
    source.append(a, 'yours')
    await reader.seen('session', 2)
    expect(texts(reader.of('session-event'))).toEqual(['yours'])
    expect(reader.of('delta')).toEqual([])
    expect(reader.of('session').map((frame) => frame.data.id)).toEqual([b, a])
  })

  it('W6: joins pieces that arrive together into one frame without losing an offset', async () => {
    const { source, open } = given()
    const reader = open()
    source.say(a, 0, 'Hel')
    source.say(a, 3, 'lo ')
    source.say(a, 6, 'you')
    source.say(a, 0, 'other block', 1)
    const frames = await reader.seen('delta', 2)
    expect(frames.map(({ data }) => [data.block, data.offset, data.text])).toEqual([
      [0, 0, 'Hello you'],
      [1, 0, 'other block'],
    ])
  })

  it('W8: never cuts a code point, neither for a reader that was there nor for one that joins in between', async () => {
    const { source, open } = given()
    const early = open()
    const [high, low] = ['😀'.slice(0, 1), '😀'.slice(1)]
    source.say(a, 0, `a${high}`)
    await early.seen('delta')
    source.drafts.push({
      sessionId: a,
      turnId: 'turn_1',
      stepId: 'step_1',
      attempt: 1,
      block: 0,
      kind: 'text',
      offset: 0,
      text: `a${high}`,
    } as unknown as Delta)
    const late = open([a], 0)
    await late.seen('delta')
    source.say(a, 2, `${low}b`)
    for (const reader of [early, late]) {
      const frames = await reader.seen('delta', 2)
      expect(frames.map(({ data }) => [data.offset, data.text])).toEqual([
        [0, 'a'],
        [1, '😀b'],
      ])
    }
  })

  it('W5: sends the first change and every change of activity at once, and the rest of a burst as one', async () => {
    const { source, open } = given()
    const reader = open([])
    for (let n = 0; n < 100; n++) source.append(a, String(n))
    expect((await reader.seen('session'))[0]?.data.lastSeq).toBe(100)
    for (let n = 0; n < 100; n++) source.append(a, String(n))
    source.activities.set(a, 'stopping')
    source.happen({ kind: 'session-changed', sessionId: a })
    expect((await reader.seen('session', 2))[1]?.data).toMatchObject({ activity: 'stopping', lastSeq: 200 })
    source.append(a, 'more')
    expect((await reader.seen('session', 3))[2]?.data.lastSeq).toBe(201)
    expect(source.summaries.length).toBeLessThan(6)
  })

  it('W6: does nothing for nobody', () => {
    const { source } = given()
    source.append(a, 'unheard')
    source.happen({ kind: 'session-changed', sessionId: a })
    expect(source.summaries).toEqual([])
  })
})

describe('readers', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => vi.useRealTimers())

  it('W8: hears a keep-alive comment every 15 s', async () => {
    const { open } = given()
    const reader = open()
    await reader.seen('hello')
    expect(keepAliveInterval).toBe(15_000)
    vi.advanceTimersByTime(30_000)
    expect(await reader.seen('comment', 2)).toHaveLength(2)
  })

  it('W8: is told not to store, compress or buffer', () => {
    expect(streamHeaders).toMatchObject({ 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' })
  })

  it('S-K5: one that does not read is dropped at about 4 MiB, costs the others nothing, and resumes by its last id', async () => {
    const { source, stream, open } = given()
    const stalled = open()
    const healthy = open()
    const piece = 'x'.repeat(100_000)
    for (let n = 1; n <= 60; n++) {
      source.append(a, piece)
      await healthy.seen('session-event', n)
    }
    expect(stream.readers).toBe(1)
    expect(healthy.of('session-event')).toHaveLength(60)
    await stalled.until(() => false)
    expect(stalled.failed).toBe(true)
    const resumed = open([a], 3)
    await resumed.seen('session-event', 57)
    expect(resumed.of('session-event').map((frame) => frame.id)).toEqual(Array.from({ length: 57 }, (_, n) => n + 4))
    expect(backlogLimit).toBe(4 * 1024 * 1024)
  })

  it('W8: a slow replay is paced by its reader and drops nobody', async () => {
    const { source, stream, open } = given()
    for (let n = 0; n < 100; n++) source.append(a, 'x'.repeat(100_000))
    const reader = open([a], 0)
    for (let n = 0; n < 100; n++) source.append(a, 'x'.repeat(100_000))
    await reader.seen('session-event', 200)
    expect(reader.failed).toBe(false)
    expect(stream.readers).toBe(1)
  })

  it('C19: leaving is only leaving: the stream forgets the reader and asks for nothing', async () => {
    const { source, stream, open } = given()
    const reader = open()
    await reader.seen('hello')
    await reader.cancel()
    expect(stream.readers).toBe(0)
    source.append(a, 'unheard')
    expect(source.summaries).toEqual([])
  })

  it('R3: are told goodbye, get what was on its way, and are closed', async () => {
    const { source, stream, open } = given()
    const reader = open()
    source.append(a, 'last words')
    stream.close()
    await reader.until(() => false)
    expect(reader.closed).toBe(true)
    expect(reader.frames.at(-1)?.event).toBe('goodbye')
    expect(texts(reader.of('session-event'))).toEqual(['last words'])
    expect(source.subscribed).toBe(false)
    expect(stream.readers).toBe(0)
  })
})
