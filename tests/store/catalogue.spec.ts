import { describe, expect, it } from 'vitest'
import type { EventData } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'
import type { LiveSessions } from '@/server/store/catalogue'
import { created, givenStore, queued, type Store, sessionId, turnEnd, turnOf, turnStart } from './store-kit'

const a = sessionId('ses_a')

function givenSessions(store: Store, ...ids: string[]): SessionId[] {
  return ids.map((id) => {
    store.log.append(sessionId(id), [created(sessionId(id), { title: `title of ${id}` })])
    return sessionId(id)
  })
}

function child(store: Store, id: string, parentId: SessionId, data: Partial<EventData<'session.created'>> = {}) {
  const own = sessionId(id)
  store.log.append(own, [created(own, { kind: 'continuable', parentId, rootId: a, depth: 1, label: id, ...data })])
  return own
}

describe('one session', () => {
  it('W5: is its summary without the live fields; an unknown one is none', () => {
    const { log, catalogue } = givenStore()
    log.append(a, [created(a, { label: null }), queued('m1', 'Fix the tests\nplease')])
    expect(catalogue.get(a)).toMatchObject({
      id: a,
      title: 'Fix the tests',
      lastSeq: 2,
      paused: true,
      queue: [{ messageId: 'm1', text: 'Fix the tests\nplease', delivery: 'follow-up' }],
      createdAt: '2026-03-01T10:00:01.000Z',
    })
    expect(catalogue.get(sessionId('ses_none'))).toBeUndefined()
  })
})

describe('the list', () => {
  it('W2: shows roots, newest activity first, without the archived ones', () => {
    const store = givenStore()
    const [first, second, third] = givenSessions(store, 'ses_a', 'ses_b', 'ses_c')
    child(store, 'ses_child', a)
    if (first) store.log.append(first, [queued('m1', 'active again')])
    if (second) store.log.append(second, [{ type: 'session.changed', data: { archived: true } }])

    const ids = (query: Parameters<typeof store.catalogue.list>[0]) =>
      store.catalogue.list(query).rows.map((row) => row.id)
    expect(ids({})).toEqual([first, third])
    expect(ids({ archived: true })).toEqual([second])
    expect(ids({ kind: ['continuable', 'one-shot'] })).toEqual(['ses_child'])
  })

  it('W2: pages deep without losing or doubling a session, also when many share one moment', () => {
    const store = givenStore()
    store.clock.now = () => new Date('2026-03-01T10:00:00.000Z')
    const all = givenSessions(store, ...Array.from({ length: 137 }, (_, n) => `ses_${n}`))

    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = store.catalogue.list({ limit: 10, cursor })
      seen.push(...page.rows.map((row) => row.id))
      cursor = page.nextCursor ?? undefined
    } while (cursor)

    expect(seen).toHaveLength(137)
    expect(new Set(seen)).toEqual(new Set(all))
  })

  it('W2: has no next page after an exactly full one, and refuses a foreign cursor', () => {
    const store = givenStore()
    givenSessions(store, 'ses_a', 'ses_b')
    expect(store.catalogue.list({ limit: 2 }).nextCursor).toBeNull()
    for (const cursor of ['nonsense', '', Buffer.from('[1,2]').toString('base64url')].filter(Boolean)) {
      expect(() => store.catalogue.list({ cursor })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    }
  })

  it('W2: filters by the outcome of the last turn', () => {
    const store = givenStore()
    const [, b] = givenSessions(store, 'ses_a', 'ses_b')
    store.log.append(a, [...turnOf('t1', 'q', 'r'), ...turnOf('t2', 'q', 'r', { kind: 'aborted' })])
    if (b) store.log.append(b, turnOf('t1', 'q', 'r'))
    const ids = (outcome: ('aborted' | 'completed' | 'failed')[]) =>
      store.catalogue.list({ outcome }).rows.map((row) => row.id)
    expect(ids(['aborted'])).toEqual([a])
    expect(ids(['completed', 'aborted'])).toEqual([b, a])
    expect(ids(['failed'])).toEqual([])
  })

  it.each([
    ['einde', 'Das Ende, GRÜNDLICH'],
    ['GRÜND', 'Das Ende, gründlich'],
    ['取消', '如何取消一个回合'],
    ['%', '100% sure'],
    ['é', 'Cafe\u0301'],
  ])('W2: finds %s in a title or a label, in any case and language', (query, title) => {
    const store = givenStore()
    givenSessions(store, 'ses_other')
    store.log.append(a, [created(a, { title })])
    child(store, 'ses_child', a, { label: title })
    const found = (kind: ('root' | 'continuable')[]) => store.catalogue.list({ query, kind }).rows.map((row) => row.id)
    const expected = query === 'einde' ? [] : [a]
    expect(found(['root'])).toEqual(expected)
    expect(found(['continuable'])).toEqual(expected.map(() => 'ses_child'))
  })

  it('W2: filters by live activity, with full pages', () => {
    const store = givenStore()
    const all = givenSessions(store, ...Array.from({ length: 30 }, (_, n) => `ses_${n}`))
    const live: LiveSessions = {
      running: all.filter((_, n) => n % 5 === 0),
      stopping: all.filter((_, n) => n % 5 === 1),
    }
    const page = (activity: ('idle' | 'running' | 'stopping')[], cursor?: string) =>
      store.catalogue.list({ activity, limit: 4, cursor }, live)

    const first = page(['running'])
    const second = page(['running'], first.nextCursor ?? undefined)
    expect([...first.rows, ...second.rows].map((row) => row.id)).toEqual([...live.running].reverse())
    expect(first.rows).toHaveLength(4)
    expect(second.nextCursor).toBeNull()
    expect(page(['running', 'stopping']).rows).toHaveLength(4)
    const idle = store.catalogue.list({ activity: ['idle'], limit: 200 }, live).rows.map((row) => row.id)
    expect(idle).toEqual(all.filter((_, n) => n % 5 > 1).reverse())
    expect(store.catalogue.list({ activity: ['idle'], limit: 200 }).rows).toHaveLength(30)
  })
})

it('W2: the tree is a root and its descendants, pre-order, siblings as they were created', () => {
  const store = givenStore()
  givenSessions(store, 'ses_a', 'ses_other')
  const one = child(store, 'ses_1', a)
  child(store, 'ses_2', a)
  child(store, 'ses_1a', one, { depth: 2 })
  store.log.append(one, [queued('m1', 'newest activity changes nothing')])

  expect(store.catalogue.tree(a).map((row) => row.id)).toEqual(['ses_a', 'ses_1', 'ses_1a', 'ses_2'])
  expect(store.catalogue.tree(sessionId('ses_none'))).toEqual([])
})

it('W7: knows the sessions of every kind that changed behind a position', () => {
  const store = givenStore()
  givenSessions(store, 'ses_a', 'ses_b', 'ses_c')
  const one = child(store, 'ses_1', a)
  const position = store.log.position()
  store.log.append(sessionId('ses_c'), [queued('m1', 'x')])
  store.log.append(one, [queued('m2', 'x'), queued('m3', 'x')])
  store.catalogue.hide(sessionId('ses_c'))

  expect(store.reopen().catalogue.changedSince(position)).toEqual([one])
})

describe('a deleted tree', () => {
  function givenDeleted() {
    const store = givenStore()
    givenSessions(store, 'ses_a', 'ses_b')
    child(store, 'ses_1', a)
    store.log.append(a, [...turnOf('t1', 'secret word', 'secret answer'), turnStart('t2')])
    return { ...store, tree: store.catalogue.hide(a) }
  }

  it('W2: is nowhere to be seen from that moment on, children included', () => {
    const { catalogue, history, log, tree } = givenDeleted()
    expect([...tree].sort()).toEqual(['ses_1', 'ses_a'])
    expect(catalogue.get(a)).toBeUndefined()
    expect(catalogue.get(sessionId('ses_1'))).toBeUndefined()
    expect(catalogue.tree(a)).toEqual([])
    expect(catalogue.list({ kind: ['root', 'continuable'] }).rows.map((row) => row.id)).toEqual(['ses_b'])
    expect(history.list({}).turns).toEqual([])
    expect(history.list({ query: 'secret' }).turns).toEqual([])
    expect(history.list({ query: 'se' }).turns).toEqual([])
    expect(log.since(0, [a], 100)).toEqual([])
  })

  it('W2: can still write down how its turn ended, but nobody is told, and a child born late is hidden too', () => {
    const store = givenDeleted()
    const heard: unknown[] = []
    store.log.onAppended((events) => heard.push(events))
    store.log.append(a, [turnEnd('t2', { kind: 'aborted' })])
    child(store, 'ses_late', a)

    expect(heard).toEqual([])
    expect(store.last(a, 'turn.end')?.data.outcome).toEqual({ kind: 'aborted' })
    expect(store.catalogue.get(sessionId('ses_late'))).toBeUndefined()
  })

  it('W2: is removed with everything that was said in it, and with nothing else', () => {
    const store = givenDeleted()
    store.drafts.toolOutput(a, 'c1' as never, 'secret output')
    store.drafts.flush()
    store.catalogue.removeHidden(a)
    store.catalogue.removeHidden(sessionId('ses_b'))

    expect(store.catalogue.hidden()).toEqual([])
    expect(store.events(a)).toEqual([])
    expect(store.types(sessionId('ses_b'))).toEqual(['session.created'])
    for (const table of ['turns', 'search_texts', 'draft_outputs', 'client_ids']) {
      expect(store.database.log.value(`SELECT count(*) FROM ${table}`)).toBe(0)
    }
    expect(store.database.log.value("SELECT count(*) FROM search_index WHERE search_index MATCH 'secret'")).toBe(0)
  })
})
