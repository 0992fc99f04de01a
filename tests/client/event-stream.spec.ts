import { describe, expect, it } from 'vitest'
import type { ToHub } from '@/lib/client/connection'
import { EventStream } from '@/lib/client/event-stream'
import type { LinkEvents } from '@/lib/client/hub-link'
import { sessionIdSchema } from '@/lib/contract/ids'
import { settled } from './support/scripted-hub'

const a = sessionIdSchema.parse('ses_a')
const b = sessionIdSchema.parse('ses_b')

function given() {
  const posted: ToHub[] = []
  let on: LinkEvents | null = null
  let take = () => {}
  const stream = new EventStream(
    (events) => {
      on = events
      return { post: (message) => posted.push(message), close: () => {} }
    },
    (_name, held) => {
      take = held
    },
  )
  stream.start()
  const watches = () => posted.flatMap((message) => (message.type === 'watch' ? [message] : []))
  return { stream, posted, watches, holdLock: () => take(), hub: () => on as unknown as LinkEvents }
}

describe('a tab at the one stream', () => {
  it('says once what it shows, however many views there are', async () => {
    const { stream, watches } = given()
    stream.watch(a, () => {})
    stream.watch(a, () => {})
    stream.watch(b, () => {})
    await settled()
    expect(watches()).toHaveLength(2)
    expect(watches().at(-1)?.sessions).toEqual([a, b])
  })

  it('W8: names its lock to the hub only once it holds it, so that it is never taken for gone; and to every later hub at once', () => {
    const { posted, holdLock, hub } = given()
    const alive = () => posted.filter((message) => message.type === 'alive')
    expect(alive()).toEqual([])
    holdLock()
    expect(alive()).toEqual([{ type: 'alive', lock: expect.stringMatching(/^belay-tab-/) }])
    hub().restart()
    expect(alive()).toHaveLength(2)
    expect(alive()[1]).toEqual(alive()[0])
  })

  it('W7: tells a view that it is covered by a stream that was opened after its wish, once', async () => {
    const { stream, watches, hub } = given()
    const covered: string[] = []
    stream.watch(a, () => covered.push('a'))
    await settled()
    const first = watches().at(-1)?.ticket ?? 0
    stream.watch(b, () => covered.push('b'))
    await settled()
    hub().receive({ type: 'covers', ticket: first })
    expect(covered).toEqual(['a'])
    hub().receive({ type: 'covers', ticket: first + 1 })
    hub().receive({ type: 'covers', ticket: first + 2 })
    expect(covered).toEqual(['a', 'b'])
  })

  it('W8: says everything again to another hub, and is covered anew by it', async () => {
    const { stream, watches, hub } = given()
    let covered = 0
    stream.watch(a, () => {
      covered += 1
    })
    await settled()
    hub().receive({ type: 'covers', ticket: watches().at(-1)?.ticket ?? 0 })
    hub().restart()
    expect(watches().at(-1)?.sessions).toEqual([a])
    hub().receive({ type: 'covers', ticket: watches().at(-1)?.ticket ?? 0 })
    expect(covered).toBe(2)
  })

  it('lets go of a session that no view shows any more', async () => {
    const { stream, watches } = given()
    const leave = stream.watch(a, () => {})
    await settled()
    leave()
    await settled()
    expect(watches().at(-1)?.sessions).toEqual([])
  })

  it('says goodbye when the page is put away and comes back when it is taken out again', async () => {
    const { stream, posted } = given()
    stream.watch(a, () => {})
    await settled()
    stream.stop()
    expect(posted.at(-1)).toEqual({ type: 'bye' })
    stream.start()
    expect(posted.at(-1)).toMatchObject({ type: 'watch', sessions: [a] })
  })
})
