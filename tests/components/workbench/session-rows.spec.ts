import { describe, expect, it } from 'vitest'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import { composeRows, type LiveSessions, noFilter, serverFilter } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

const session = (id: string, change: Partial<Session> = {}) =>
  sampleSession({ id: id as SessionId, title: id, ...change })
const heard = (...sessions: Session[]): LiveSessions => ({
  byId: new Map(sessions.map((each) => [each.id, each])),
  removed: new Set(),
})
const ids = (rows: Session[]) => rows.map((row) => row.id)

describe('the rows of the list', () => {
  it('keep their place while their state changes', () => {
    const answered = [session('a'), session('b'), session('c')]
    const live = heard(session('c', { activity: 'running', lastSeq: 9, updatedAt: '2030-01-01T00:00:00.000Z' }))
    const rows = composeRows(answered, live, noFilter)
    expect(ids(rows)).toEqual(['a', 'b', 'c'])
    expect(rows[2]?.activity).toBe('running')
  })

  it('W6: let an older summary lose against a newer one', () => {
    const rows = composeRows(
      [session('a', { lastSeq: 9, title: 'new' })],
      heard(session('a', { lastSeq: 3 })),
      noFilter,
    )
    expect(rows[0]?.title).toBe('new')
  })

  it('take the live fields of the stream where the log says the same', () => {
    const rows = composeRows(
      [session('a', { lastSeq: 9, activity: 'running' })],
      heard(session('a', { lastSeq: 9, activity: 'stopping' })),
      noFilter,
    )
    expect(rows[0]?.activity).toBe('stopping')
  })

  it('show a session that was just made first, and children never', () => {
    const live = heard(session('new'), session('child', { kind: 'continuable', parentId: 'a' as SessionId, depth: 1 }))
    expect(ids(composeRows([session('a')], live, noFilter))).toEqual(['new', 'a'])
  })

  it('drop what was deleted while the page was open', () => {
    const live: LiveSessions = { byId: new Map(), removed: new Set(['a' as SessionId]) }
    expect(ids(composeRows([session('a'), session('b')], live, noFilter))).toEqual(['b'])
  })

  it('leave the desk when they are archived, and stand in the archive', () => {
    const live = heard(session('a', { lastSeq: 2, archived: true }))
    expect(ids(composeRows([session('a')], live, noFilter))).toEqual([])
    expect(ids(composeRows([session('a')], live, { ...noFilter, archived: true }))).toEqual(['a'])
  })

  it('are sifted by state words, the live ones included', () => {
    const answered = Object.values(sampleSessions())
    const rows = composeRows(answered, heard(), { ...noFilter, states: ['paused', 'needs-you'] })
    expect(ids(rows).sort()).toEqual(['ses_needs-you', 'ses_paused'])
  })

  it('do not take a newcomer that the words do not fit', () => {
    const live = heard(session('n1', { title: 'Release notes' }), session('n2', { title: 'Old spike' }))
    expect(ids(composeRows([], live, { ...noFilter, text: ' release' }))).toEqual(['n1'])
  })
})

describe('the part of a filter that the server sifts', () => {
  it.each([
    [{ states: ['running', 'stopping'] as const }, { activity: ['running', 'stopping'], archived: false }],
    [{ states: ['failed'] as const }, { outcome: ['failed', 'blocked'], archived: false }],
    [{ states: ['paused'] as const }, { archived: false }],
    [{ states: ['failed', 'running'] as const }, { archived: false }],
    [{ text: '  upload ' }, { query: 'upload', archived: false }],
    [{ archived: true }, { archived: true }],
  ])('W2: %j asks for %j', (filter, query) => {
    expect(serverFilter({ ...noFilter, ...filter })).toEqual(query)
  })
})
