import { describe, expect, it } from 'vitest'
import { LogWriter, turn } from '@/lib/projection/fixtures/log-writer'
import { asFrame, givenStore } from './support/given-store'

describe('a long session', () => {
  function long(turns: number) {
    const log = new LogWriter()
    for (let at = 0; at < turns; at += 1) log.asks(`question ${at}`).steps().says(`answer ${at}`).ends()
    return log
  }
  async function joined(log: LogWriter) {
    const all = givenStore(log.events)
    await all.asked[0]?.answer()
    await all.cover()
    await all.asked[1]?.answer()
    return all
  }

  it('U9: opens at its end and loads backwards, keeping what it shows', async () => {
    const { store, asked, seqs } = await joined(long(200))
    expect(seqs()).toEqual([902, 1401])
    const shown = store.snapshot().transcript.turns.at(-1)
    const loading = store.loadOlder()
    expect(store.snapshot().loading).toBe('older')
    await asked[2]?.answer()
    await loading
    expect(seqs()).toEqual([402, 1401])
    expect(store.snapshot().transcript.turns.at(-1)).toBe(shown)
  })

  it('U8: opens at any turn and leads back to the newest', async () => {
    const { store, asked, seqs } = await joined(long(200))
    const jump = store.showTurn(turn(20))
    await asked[2]?.answer()
    await asked[3]?.answer()
    expect(await jump).toBe(true)
    expect(store.snapshot()).toMatchObject({ atEnd: false, atStart: false })
    expect(store.snapshot().transcript.turns.some((view) => view.turnId === turn(20))).toBe(true)
    store.backToLive()
    expect(seqs()).toEqual([902, 1401])
    expect(store.snapshot().atEnd).toBe(true)
  })

  it('goes forward from an older part until it meets the live one', async () => {
    const { store, asked, seqs } = await joined(long(200))
    const jump = store.showTurn(turn(100))
    await asked[2]?.answer()
    await asked[3]?.answer()
    await jump
    const forward = store.loadNewer()
    await asked[4]?.answer()
    await forward
    expect(store.snapshot().atEnd).toBe(true)
    expect(seqs()[1]).toBe(1401)
  })

  it('follows the stream also while an older part is read', async () => {
    const log = long(200)
    const { store, asked, frames } = await joined(log)
    const jump = store.showTurn(turn(20))
    await asked[2]?.answer()
    await asked[3]?.answer()
    await jump
    const before = log.events.length
    log.asks('one more')
    frames(...log.events.slice(before).map(asFrame))
    expect(store.snapshot().atEnd).toBe(false)
    expect(store.liveTranscript().turns.at(-1)?.n).toBe(201)
  })

  it('U8: begins at the turn of its address when the page was rendered with it', async () => {
    const log = long(200)
    const start = { events: log.events.slice(-200), around: log.events.slice(100, 300) }
    const { store, seqs } = givenStore(log.events, start)
    expect(store.snapshot()).toMatchObject({ phase: 'ready', atEnd: false })
    expect(seqs()).toEqual([101, 300])
    store.backToLive()
    expect(seqs()).toEqual([1202, 1401])
  })

  it('knows that there is no such turn', async () => {
    const { store, asked } = await joined(long(200))
    const jump = store.showTurn(turn(999))
    await asked[2]?.answer()
    expect(await jump).toBe(false)
  })
})
