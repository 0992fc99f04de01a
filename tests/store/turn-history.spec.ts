import { describe, expect, it } from 'vitest'
import type { ListTurnsQuery } from '@/lib/contract/commands'
import { turnRowSchema } from '@/lib/contract/session'
import {
  assistant,
  call,
  created,
  givenStore,
  requested,
  sessionId,
  stepStart,
  text,
  toolEnd,
  toolStart,
  turnEnd,
  turnOf,
  turnStart,
  userMessage,
} from './store-kit'

const a = sessionId('ses_a')
const b = sessionId('ses_b')

function givenTurns() {
  const store = givenStore()
  store.log.append(a, [created(a, { title: 'The root' }), ...turnOf('t1', '请取消这个回合', '好的，已经停下来了。')])
  store.log.append(b, [created(b, { kind: 'continuable', parentId: a, rootId: a, depth: 1 })])
  store.log.append(b, [turnStart('t2'), userMessage('t2', 'Count the "quoted" files AND (more) 100%')])
  store.log.append(b, [
    stepStart('t2', 's2'),
    assistant('t2', 's2', [text('Let me look'), call('c1', 'run_command', { command: 'ls\n--color=never' })]),
    toolStart('t2', 'c1', 'run_command', { command: 'ls' }),
    toolEnd('t2', 'c1', 'README.md\n目录一\nZEBRA'),
    assistant('t2', 's3', [text('There are thr')], true),
  ])
  store.log.append(b, [requested('t2', { by: { kind: 'parent', sessionId: a }, via: 'tool', action: 'interrupt' })])
  store.log.append(b, [turnEnd('t2', { kind: 'aborted' })])
  store.log.append(a, turnOf('t3', 'third', 'no way', { kind: 'failed', code: 'internal', message: 'x' }))
  const ids = (query: ListTurnsQuery) => store.history.list(query).turns.map((turn) => turn.turnId)
  const snippets = (query: string) => store.history.list({ query }).turns.map((turn) => turn.snippet?.text)
  return { ...store, ids, snippets }
}

it('U8: lists every turn of every session, newest first, as the contract has it', () => {
  const { history, ids } = givenTurns()
  expect(ids({})).toEqual(['t3', 't2', 't1'])
  const { turns } = history.list({})
  for (const turn of turns) expect(turnRowSchema.parse(turn)).toEqual(turn)
  expect(turns[1]).toMatchObject({
    sessionId: b,
    rootId: a,
    prompt: 'Count the "quoted" files AND (more) 100%',
    outcome: { kind: 'aborted' },
    requestedBy: 'parent',
    via: 'tool',
    lastStep: { text: 'There are thr' },
  })
  expect(turns[2]).toMatchObject({ title: 'The root', usage: { inputTokens: 10, outputTokens: 5, estimated: false } })
})

describe('filters', () => {
  it('U8: by outcome, by who asked, by session', () => {
    const { ids } = givenTurns()
    expect(ids({ outcome: ['completed', 'failed'] })).toEqual(['t3', 't1'])
    expect(ids({ requestedBy: ['parent'] })).toEqual(['t2'])
    expect(ids({ requestedBy: ['user'] })).toEqual([])
    expect(ids({ session: a })).toEqual(['t3', 't1'])
    expect(ids({ session: a, outcome: ['aborted'] })).toEqual([])
  })

  it('U8: by time, a date being a whole day', () => {
    const { ids } = givenStoreWithDays()
    expect(ids({ from: '2026-03-02' })).toEqual(['d3', 'd2'])
    expect(ids({ to: '2026-03-02' })).toEqual(['d2', 'd1'])
    expect(ids({ from: '2026-03-02', to: '2026-03-02' })).toEqual(['d2'])
    expect(ids({ from: '2026-03-02T23:59:00Z', to: '2026-03-03T00:00:01Z' })).toEqual(['d3', 'd2'])
  })

  function givenStoreWithDays() {
    const store = givenStore()
    store.log.append(a, [created(a)])
    for (const [turn, at] of [
      ['d1', '2026-03-01T12:00:00.000Z'],
      ['d2', '2026-03-02T23:59:59.000Z'],
      ['d3', '2026-03-03T00:00:01.000Z'],
    ] as const) {
      store.clock.set(at)
      store.log.append(a, turnOf(turn, 'q', 'r'))
    }
    return { ...store, ids: (query: ListTurnsQuery) => store.history.list(query).turns.map((turn) => turn.turnId) }
  }
})

describe('search', () => {
  it.each([
    ['取', ['t1']],
    ['取消', ['t1']],
    ['取消这', ['t1']],
    ['停下来了。', ['t1']],
    ['录一', ['t2']],
    ['目录一', ['t2']],
    ['zebra', ['t2']],
    ['z', ['t2']],
    ['re thr', ['t2']],
    ['"quoted" files AND (mo', ['t2']],
    ['0%', ['t2']],
    ['100%', ['t2']],
    ['ls\n--color', ['t2']],
    ['run_command', ['t2']],
    ['NO WAY', ['t3']],
    ['no', ['t3']],
    ['取消 NOT 回合', []],
    ['_____', []],
    ['"', ['t2']],
    ['""""', []],
    ['*', []],
    ['', ['t3', 't2', 't1']],
  ] as const)(
    'U8: finds %j in prompts, replies cut short, tool input and output, children included',
    (query, expected) => {
      expect(givenTurns().ids({ query })).toEqual(expected)
    },
  )

  it('U8: shows about 120 characters around the hit and the event it stands in', () => {
    const { log, history, events, snippets } = givenTurns()
    const long = `${'before '.repeat(50)}the NEEDLE itself${' after'.repeat(50)}`
    log.append(a, turnOf('t4', 'prompt', long))

    const [turn] = history.list({ query: 'needle' }).turns
    expect(turn?.snippet?.text).toMatch(/^….*(before ){5}the NEEDLE itself( after){5}.*…$/)
    expect(turn?.snippet?.text.length).toBeLessThan(130)
    expect(events(a).find((event) => event.seq === turn?.snippet?.seq)?.type).toBe('assistant.message')
    expect(snippets('目录')).toEqual(['README.md 目录一 ZEBRA'])
  })

  it('U8: combines with filters and pages', () => {
    const { log, history, ids } = givenTurns()
    log.append(a, Array.from({ length: 25 }, (_, n) => turnOf(`p${n}`, `page word ${n}`, 'x')).flat())
    for (const query of ['page word', 'wo']) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = history.list({ query, limit: 10, session: a, cursor })
        seen.push(...page.turns.map((turn) => turn.turnId))
        cursor = page.nextCursor ?? undefined
      } while (cursor)
      expect(seen).toEqual(Array.from({ length: 25 }, (_, n) => `p${24 - n}`))
    }
    expect(ids({ query: 'page word', outcome: ['aborted'] })).toEqual([])
  })
})

it('U8: pages deep without losing or doubling a turn, also when all share one moment', () => {
  const store = givenStore()
  store.clock.now = () => new Date('2026-03-01T10:00:00.000Z')
  store.log.append(a, [created(a), ...Array.from({ length: 333 }, (_, n) => turnOf(`t${n}`, `p${n}`, 'x')).flat()])
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = store.history.list({ limit: 50, cursor })
    seen.push(...page.turns.map((turn) => turn.turnId))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(seen).toEqual(Array.from({ length: 333 }, (_, n) => `t${332 - n}`))
  expect(() => store.history.list({ cursor: 'x' })).toThrow(expect.objectContaining({ code: 'invalid-request' }))
})

it('U8: leaves out a turn whose row is damaged, and shows the rest', () => {
  const { database, ids } = givenTurns()
  database.log.exec("UPDATE turns SET record = CAST(x'ff' AS TEXT) WHERE turn_id = 't2'")
  expect(ids({})).toEqual(['t3', 't1'])
})
