import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@/lib/contract/events'
import { openDatabase } from '@/server/store/database'
import { StoreError } from '@/server/store/store-error'
import {
  assistant,
  call,
  created,
  givenStore,
  queued,
  type Store,
  sessionId,
  stepStart,
  tempFolder,
  text,
  turnOf,
  turnStart,
  userMessage,
} from './store-kit'

const a = sessionId('ses_a')
const b = sessionId('ses_b')

describe('a file that must not be touched', () => {
  function givenFile(content: Buffer | string): string {
    const file = join(tempFolder(), 'belay.db')
    writeFileSync(file, content)
    return file
  }
  const filesBeside = (file: string) =>
    readdirSync(dirname(file)).map((name) => {
      const content = readFileSync(join(dirname(file), name))
      return { name, hash: createHash('sha256').update(content).digest('hex') }
    })

  function expectRefused(file: string, code: string, words: RegExp) {
    const before = filesBeside(file)
    let refusal: unknown
    try {
      openDatabase(file)
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(StoreError)
    expect(refusal).toMatchObject({ code, message: expect.stringMatching(words) })
    expect((refusal as StoreError).message).toContain(file)
    expect(filesBeside(file)).toEqual(before)
  }

  /** A store with something in it, closed, so that the file alone is all of it. */
  function givenClosedStore(change: (store: Store) => void = () => {}): string {
    const store = givenStore()
    store.log.append(a, [created(a), ...turnOf('t1', 'question', 'answer')])
    change(store)
    store.close()
    return givenFile(readFileSync(store.file))
  }

  it('L7: refuses a file that is no database', () => {
    expectRefused(givenFile('this is not a database, it is a letter'.repeat(500)), 'corrupt', /damaged/)
    expectRefused(givenFile('x'), 'corrupt', /damaged/)
  })

  it('L7: refuses a file whose header is fine and whose pages are garbage', () => {
    const file = givenClosedStore()
    const size = readFileSync(file).length
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(size - 4096, 0xa5), 0, size - 4096, 4096)
    closeSync(handle)
    expectRefused(file, 'corrupt', /damaged/)
  })

  it('L7: refuses a file that was cut short', () => {
    const whole = readFileSync(givenClosedStore())
    expectRefused(givenFile(whole.subarray(0, 5000)), 'corrupt', /damaged/)
    expectRefused(givenFile(whole.subarray(0, Math.floor(whole.length / 2 / 4096) * 4096)), 'corrupt', /damaged/)
  })

  it('L7: refuses a newer schema and says what to do', () => {
    const file = givenClosedStore((store) => store.database.log.exec('PRAGMA user_version = 99'))
    expectRefused(file, 'newer-schema', /newer Belay.*99/)
  })

  it('L7: refuses the database of another program', () => {
    const file = givenClosedStore((store) => store.database.log.exec('PRAGMA application_id = 7'))
    expectRefused(file, 'foreign', /another program/)
  })

  it('L7: opens a sound file again, also one that a killed process left with its write-ahead log', () => {
    const store = givenStore()
    store.log.append(a, [created(a)])
    expect(existsSync(`${store.file}-wal`)).toBe(true)
    const second = givenStore(store.folder)
    expect(second.types(a)).toEqual(['session.created'])
    expect(givenStore(tempFolder()).log.position()).toBe(0)
  })

  it('L7: takes an empty file for a new one, and makes the folder', () => {
    expect(() => openDatabase(givenFile('')).close()).not.toThrow()
    const file = join(tempFolder(), 'new', 'folder', 'belay.db')
    openDatabase(file).close()
    expect(existsSync(file)).toBe(true)
  })

  it('opens a file whose path has signs that mean something in an address', () => {
    const file = join(tempFolder(), 'a b%20?mode=ro#数据', 'belay.db')
    openDatabase(file).close()
    const again = openDatabase(file)
    expect(again.log.value('SELECT count(*) FROM sessions')).toBe(0)
    again.close()
  })

  it('says clearly when the place cannot be written', () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'a-file'), '')
    mkdirSync(join(folder, 'belay.db'))
    const readOnly = '/proc/belay.db'
    for (const file of [join(folder, 'a-file', 'belay.db'), join(folder, 'belay.db'), readOnly]) {
      expect(() => openDatabase(file)).toThrow(
        expect.objectContaining({ code: 'not-writable', message: expect.stringContaining('BELAY_HOME') }),
      )
    }
  })

  it('says clearly when the disk is full, writes nothing, and goes on when there is space again', () => {
    const store = givenStore()
    store.log.append(a, [created(a)])
    store.database.log.exec(`PRAGMA max_page_count = ${store.database.log.value('PRAGMA page_count')}`)
    const big = queued('m1', 'x'.repeat(500_000))

    expect(() => store.log.append(a, [big])).toThrow(
      expect.objectContaining({ code: 'disk-full', message: expect.stringContaining('full') }),
    )
    expect(store.types(a)).toEqual(['session.created'])
    store.database.log.exec('PRAGMA max_page_count = 1000000')
    expect(store.log.append(a, [big])).toMatchObject([{ seq: 2 }])
  })
})

describe('a row that does not parse', () => {
  const damages = {
    'is cut in mid-JSON': 'data = substr(data, 1, 20)',
    'is empty': "data = ''",
    'is not UTF-8': "data = CAST(x'7b2261223a22ff80fe227d' AS TEXT)",
    'is a blob': "data = x'00ff00ff'",
    'is JSON of another shape': `data = '{"for":"person"}'`,
    'has an unknown type': "type = 'session.exploded'",
    'has a time that is none': "at = 'yesterday'",
  }

  /** Seven events of which the fifth (`assistant.message`) is damaged, seen by the next process. */
  function givenDamage(damage: string) {
    const store = givenStore()
    store.log.append(a, [created(a), ...turnOf('t1', 'question', 'answer')])
    store.log.append(b, [created(b), ...turnOf('t1', 'other', 'sound')])
    store.database.log.exec(`UPDATE events SET ${damage} WHERE session_id = 'ses_a' AND seq = 5`)
    return store.reopen()
  }
  const summary = (events: readonly SessionEvent[]) => events.map(({ seq, type }) => `${seq} ${type}`)
  const readable = ['1 session.created', '2 turn.start', '3 user.message', '4 step.start']
  const standIns = ['5 note', '6 step.end', '7 turn.end', '8 note']

  it.each(Object.entries(damages))('L7: one that %s ends what can be read of its session, with a note', (_, damage) => {
    const { events, log } = givenDamage(damage)

    expect(summary(events(a))).toEqual([...readable, ...standIns])
    expect(events(a)[4]?.data).toEqual({ for: 'person', text: expect.stringContaining('damaged') })
    expect(events(a)[6]?.data).toMatchObject({ outcome: { kind: 'orphaned' } })
    expect(summary(log.readPage(a).events)).toEqual([...readable, ...standIns])
    expect(summary(log.readPage(a, { before: 100, limit: 2 }).events)).toEqual(['7 turn.end', '8 note'])
    expect(summary(log.readPage(a, { after: 4, limit: 1 }).events)).toEqual(['5 note'])
    expect(summary(log.since(0, [a], 100))).toEqual([...readable, ...standIns])
  })

  it('L7: leaves every other session as it was, and the lists too', () => {
    const { events, catalogue, history } = givenDamage(damages['is not UTF-8'])
    expect(events(b).map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(
      catalogue
        .list({})
        .rows.map((row) => row.id)
        .sort(),
    ).toEqual([a, b])
    expect(history.list({ query: 'answer' }).turns).toHaveLength(1)
    expect(history.list({ query: 'sound' }).turns).toHaveLength(1)
  })

  it('L7: reading writes nothing, and says the same each time', () => {
    const { events, database } = givenDamage(damages['is empty'])
    const before = database.log.value('PRAGMA data_version')
    const changes = database.log.value('SELECT total_changes()')
    expect(events(a)).toEqual(events(a))
    expect(database.log.value('SELECT total_changes()')).toBe(changes)
    expect(database.log.value('PRAGMA data_version')).toBe(before)
  })

  it('L7: the session goes on behind the damage, with higher numbers, in this process and the next', () => {
    const store = givenDamage(damages['is cut in mid-JSON'])
    expect(summary(store.events(a))).toHaveLength(8)

    store.log.append(a, [queued('m2', 'go on')])
    store.log.append(a, turnOf('t2', 'go on', 'gladly'))

    const expected = [...readable, ...standIns, '9 inbox.queued', '10 turn.start', '11 user.message']
    expect(summary(store.events(a)).slice(0, 11)).toEqual(expected)
    const next = store.reopen()
    expect(summary(next.log.readPage(a).events).slice(0, 11)).toEqual(expected)
    expect(next.catalogue.get(a)).toMatchObject({ lastSeq: 15, openTurnId: null, lastOutcome: { kind: 'completed' } })
    expect(summary(next.log.since(14, [a], 3))).toEqual(['9 inbox.queued', '10 turn.start', '11 user.message'])
  })

  it('L7: an append that fails behind the damage changes nothing of that', () => {
    const store = givenDamage(damages['is empty'])
    const before = store.events(a)
    const pages = store.database.log.value('PRAGMA page_count')
    store.database.log.exec(`PRAGMA max_page_count = ${pages}`)
    expect(() => store.log.append(a, [queued('m2', 'x'.repeat(500_000))])).toThrow()
    expect(store.events(a)).toEqual(before)

    store.database.log.exec('PRAGMA max_page_count = 1000000')
    store.log.append(a, [queued('m2', 'small')])
    expect(summary(store.events(a)).slice(8)).toEqual(['9 inbox.queued'])
  })

  it('L7: a second damage behind the first is treated alike', () => {
    const store = givenDamage(damages['is empty'])
    store.events(a)
    store.log.append(a, turnOf('t2', 'second', 'two'))
    store.database.log.exec("UPDATE events SET data = '' WHERE session_id = 'ses_a' AND seq = 11")
    const next = store.reopen()
    const seen = summary(next.events(a))
    expect(seen.slice(8)).toEqual(['9 turn.start', '10 user.message', '11 note', '12 turn.end', '13 note'])
    next.log.append(a, [queued('m3', 'third')])
    expect(summary(next.reopen().events(a))).toEqual([...seen, '15 inbox.queued'])
  })

  it('L7: repair closes a damaged session that was left open, once', () => {
    const store = givenStore()
    const calls = [text('look'), call('c1', 'run_command', {})]
    store.log.append(a, [created(a), turnStart('t1'), userMessage('t1', 'q'), stepStart('t1', 's1')])
    store.log.append(a, [assistant('t1', 's1', calls)])
    store.database.log.exec("UPDATE events SET data = '{' WHERE session_id = 'ses_a' AND seq = 5")

    const next = store.reopen()
    next.repair()

    expect(next.catalogue.get(a)?.openTurnId).toBeNull()
    expect(next.catalogue.withOpenTurn()).toEqual([])
    expect(next.types(a).filter((type) => type === 'turn.end')).toHaveLength(1)
  })

  it('L7: a damaged summary is folded anew from the log', () => {
    const store = givenStore()
    store.log.append(a, [created(a, { title: 'kept' }), queued('m1', 'waits')])
    const row = store.catalogue.get(a)
    for (const damage of ["'{'", "'{}'", "CAST(x'ff80fe' AS TEXT)"]) {
      store.database.log.exec(`UPDATE sessions SET summary = ${damage}`)
      expect(store.catalogue.get(a)).toEqual(row)
      expect(store.catalogue.list({}).rows).toEqual([row])
    }
    store.log.append(a, [queued('m2', 'waits too')])
    expect(store.catalogue.get(a)?.queue).toHaveLength(2)
  })
})
