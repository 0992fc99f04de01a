import { describe, expect, it, vi } from 'vitest'
import type { NewEvent, SessionEvent } from '@/lib/contract/events'
import { sessionEventSchema } from '@/lib/contract/events'
import {
  assistant,
  call,
  claimed,
  created,
  givenStore,
  messageId,
  queued,
  requested,
  sessionId,
  stepStart,
  toolEnd,
  turnEnd,
  turnId,
  turnOf,
  turnStart,
} from './store-kit'

const a = sessionId('ses_a')
const b = sessionId('ses_b')
const signal = new AbortController().signal

describe('numbering', () => {
  it('L1: numbers each session from 1 without a gap, and all sessions together by one rising position', () => {
    const { log, events } = givenStore()
    log.append(a, [created(a), queued('m1', 'one')])
    log.append(b, [created(b)])
    log.append(a, [queued('m2', 'two')])

    expect(events(a).map((event) => event.seq)).toEqual([1, 2, 3])
    expect(events(b).map((event) => event.seq)).toEqual([1])
    expect(events(a).map((event) => event.position)).toEqual([1, 2, 4])
    expect(events(b).map((event) => event.position)).toEqual([3])
    expect(log.position()).toBe(4)
  })

  it('L1: never gives a position twice, also after the newest session was removed and the process restarted', () => {
    const store = givenStore()
    store.log.append(a, [created(a)])
    store.log.append(b, [created(b)])
    store.catalogue.hide(b)
    store.catalogue.removeHidden(b)

    const next = store.reopen()
    expect(next.log.position()).toBe(2)
    expect(next.log.append(a, [queued('m1', 'x')])[0]?.position).toBe(3)
  })

  it('L1: appends all of a batch or nothing of it', () => {
    const { log, events, catalogue } = givenStore()
    log.append(a, [created(a)])
    const before = catalogue.get(a)
    const bad = { type: 'turn.end', data: { turnId: 'bad id!', outcome: { kind: 'completed' } } } as unknown as NewEvent

    expect(() => log.append(a, [queued('m1', 'x'), bad])).toThrow()
    expect(() => log.append(a, [queued('m1', 'x', { clientId: 'c' }), queued('m2', 'y', { clientId: 'c' })])).toThrow()
    expect(events(a)).toHaveLength(1)
    expect(catalogue.get(a)).toEqual(before)
    expect(log.position()).toBe(1)
  })
})

describe('envelope', () => {
  it('L2: what is returned, announced and read back is the same plain event, valid for the schema that types the wire', () => {
    const { log, events } = givenStore()
    const heard: SessionEvent[] = []
    log.onAppended((batch) => heard.push(...batch))
    const input = { at: new Date(0), text: 'NUL \0, half a pair \ud83d, 取消', none: undefined }

    const returned = log.append(a, [
      created(a),
      turnStart('t1'),
      assistant('t1', 's1', [call('c1', 'run_command', input)]),
    ])

    expect(heard).toEqual(returned)
    expect(events(a)).toEqual(returned)
    for (const event of returned) expect(sessionEventSchema.parse(event)).toEqual(event)
    expect(events(a)[2]?.data).toMatchObject({
      blocks: [{ input: { at: '1970-01-01T00:00:00.000Z', text: 'NUL \0, half a pair \ud83d, 取消' } }],
    })
  })

  it('L2: refuses a key that the contract does not know', () => {
    const { log } = givenStore()
    const odd = { type: 'note', data: { for: 'person', text: 'x', stack: 'at …' } } as unknown as NewEvent
    log.append(a, [created(a)])
    expect(() => log.append(a, [odd])).toThrow(/stack/)
  })

  it('L2: refuses a session that was never created, and one that is created twice', () => {
    const { log } = givenStore()
    expect(() => log.append(a, [queued('m1', 'x')])).toThrow(expect.objectContaining({ code: 'not-found' }))
    log.append(a, [created(a)])
    expect(() => log.append(a, [created(a)])).toThrow()
  })
})

it('L3: keeps a control request as a fact of its own, before the end that it explains', () => {
  const { log, types, history } = givenStore()
  log.append(a, [created(a), turnStart('t1')])
  log.append(a, [requested('t1', { via: 'deny' })])
  log.append(a, [turnEnd('t1', { kind: 'aborted' })])

  expect(types(a)).toEqual(['session.created', 'turn.start', 'control.requested', 'turn.end'])
  expect(history.list({}).turns).toMatchObject([{ outcome: { kind: 'aborted' }, requestedBy: 'user', via: 'deny' }])
})

it('L4: stores a text once under its hash and gives it back unchanged in the next process', () => {
  const store = givenStore()
  const tools = JSON.stringify([{ name: 'run_command', description: '跑命令 🧗' }])
  const hash = store.log.putText(tools)

  expect(store.log.putText(tools)).toBe(hash)
  expect(store.log.putText(`${tools} `)).not.toBe(hash)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(store.database.log.value('SELECT count(*) FROM texts')).toBe(2)
  expect(store.reopen().log.text(hash)).toBe(tools)
  expect(givenStore().log.text(hash)).toBeUndefined()
})

describe('durability', () => {
  it('L5: commits with a full sync, and tells listeners only of what another connection can already read', () => {
    const store = givenStore()
    expect(store.database.log.value('PRAGMA synchronous')).toBe(2)
    expect(store.database.log.value('PRAGMA journal_mode')).toBe('wal')
    const seen: unknown[] = []
    store.log.onAppended(() => seen.push(store.database.drafts.value('SELECT count(*) FROM events')))

    store.log.append(a, [created(a), turnStart('t1')])
    store.log.append(a, [turnEnd('t1')])

    expect(seen).toEqual([2, 3])
  })

  it('L5: a flush has nothing left to wait for', async () => {
    const { log } = givenStore()
    log.append(a, [created(a)])
    await expect(log.flush(a, signal)).resolves.toBeUndefined()
  })

  it('L5: a listener that throws is logged and harms neither the append nor the next listener', () => {
    const { log, logger, events } = givenStore()
    const calm = vi.fn()
    log.onAppended(() => {
      throw new Error('listener broke')
    })
    const stop = log.onAppended(calm)

    log.append(a, [created(a)])
    stop()
    log.append(a, [queued('m1', 'x')])

    expect(events(a)).toHaveLength(2)
    expect(calm).toHaveBeenCalledTimes(1)
    expect(logger.lines.filter((line) => line.level === 'error')).toHaveLength(2)
  })

  it('L5: every listener hears the same order, also when a listener appends', () => {
    const { log } = givenStore()
    const heard: number[] = []
    log.onAppended(([event]) => {
      if (event?.type === 'session.created') log.append(a, [queued('m1', 'from a listener')])
    })
    log.onAppended((batch) => heard.push(...batch.map((event) => event.position)))

    log.append(a, [created(a)])

    expect(heard).toEqual([1, 2])
  })
})

describe('reading', () => {
  it('W2: pages forwards behind a number and backwards before one', () => {
    const { log } = givenStore()
    log.append(a, [created(a), ...Array.from({ length: 9 }, (_, n) => queued(`m${n}`, `${n}`))])
    const seqs = (query: Parameters<typeof log.readPage>[1]) => log.readPage(a, query).events.map((event) => event.seq)

    expect(seqs({ limit: 3 })).toEqual([1, 2, 3])
    expect(seqs({ after: 3, limit: 3 })).toEqual([4, 5, 6])
    expect(seqs({ before: 11, limit: 3 })).toEqual([8, 9, 10])
    expect(seqs({ before: 8, limit: 3 })).toEqual([5, 6, 7])
    expect(seqs({ after: 3, before: 6 })).toEqual([4, 5])
    expect(log.readPage(a, { after: 10 })).toEqual({ events: [], lastSeq: 10 })
    expect(log.readPage(b)).toEqual({ events: [], lastSeq: 0 })
  })

  it('W2: gives one turn with its claim and its closing note, and nothing of its neighbours', () => {
    const { log } = givenStore()
    log.append(a, [created(a), ...turnOf('t1', 'first', 'one'), queued('m2', 'second'), claimed('t2', 'm2')])
    log.append(a, turnOf('t2', 'second', 'two', { kind: 'aborted' }))
    log.append(a, [{ type: 'note', data: { for: 'model', text: 'stopped', about: 't2' } }, ...turnOf('t3', 'x', 'y')])

    const types = log.readPage(a, { turnId: turnId('t2') }).events.map((event) => event.type)

    expect(types[0]).toBe('inbox.claimed')
    expect(types.at(-1)).toBe('note')
    expect(types).toHaveLength(8)
    expect(log.readPage(a, { turnId: turnId('nope') }).events).toEqual([])
  })

  it('W7: replays what the named sessions missed, in order, up to a limit', () => {
    const { log } = givenStore()
    log.append(a, [created(a)])
    log.append(b, [created(b)])
    for (let n = 0; n < 4; n += 1) log.append(n % 2 ? a : b, [queued(`m${n}`, 'x')])

    const positions = (...args: Parameters<typeof log.since>) => log.since(...args).map((event) => event.position)
    expect(positions(2, [a, b], 100)).toEqual([3, 4, 5, 6])
    expect(positions(2, [a], 100)).toEqual([4, 6])
    expect(positions(0, [a, b], 3)).toEqual([1, 2, 3])
    expect(positions(6, [a, b], 100)).toEqual([])
    expect(positions(0, [], 100)).toEqual([])
  })

  it('W2: knows the message behind a client id for ever', () => {
    const store = givenStore()
    store.log.append(a, [created(a), queued('m1', 'x', { clientId: '客户-1' })])
    store.log.append(a, [{ type: 'inbox.discarded', data: { messageIds: [messageId('m1')], reason: 'removed' } }])
    const next = store.reopen()
    expect(next.log.messageIdOf(a, '客户-1')).toBe('m1')
    expect(next.log.messageIdOf(b, '客户-1')).toBeUndefined()
  })

  it('W2: copies another session with the times at which things happened', () => {
    const { log, events, history } = givenStore()
    log.append(a, [created(a), ...turnOf('t1', 'q', 'answer')])
    const copies = events(a)
      .slice(1)
      .map(({ at, type, data }) => ({ at, event: { type, data } as NewEvent }))
    const head = { at: '2026-05-01T00:00:00.000Z', event: created(b) }

    log.appendDated(b, [head, ...copies])

    expect(events(b).map((event) => event.at)).toEqual([head.at, ...copies.map(({ at }) => at)])
    expect(events(b).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(
      history
        .list({})
        .turns.map((turn) => turn.sessionId)
        .sort(),
    ).toEqual([a, b])
  })

  it('reads a session that is longer than one chunk', () => {
    const { log, events } = givenStore()
    log.append(a, [created(a), ...Array.from({ length: 1200 }, (_, n) => toolEnd('t1', `c${n}`, 'x'))])
    expect(events(a).map((event) => event.seq)).toEqual(Array.from({ length: 1201 }, (_, n) => n + 1))
  })
})

it('says how fast events go in, one durable append at a time (BELAY_APPENDS=100000 for more)', {
  timeout: 120_000,
}, () => {
  const { log } = givenStore()
  log.append(a, [created(a), turnStart('t1')])
  const total = Number(process.env.BELAY_APPENDS ?? 2_000)
  const start = performance.now()
  for (let n = 0; n < total; n += 1) log.append(a, [stepStart('t1', `s${n}`)])
  const ms = performance.now() - start
  console.log(`${total} appends in ${ms.toFixed(0)} ms: ${((total / ms) * 1000).toFixed(0)}/s`)
  expect(log.readPage(a, { after: total }).lastSeq).toBe(total + 2)
})
