import { afterEach, describe, expect, it, vi } from 'vitest'
import { api, reasonOf, stopTurn, UnreachableError } from '@/lib/client/api'
import { AppError } from '@/lib/contract/errors'
import { sessionIdSchema } from '@/lib/contract/ids'
import { message, session, turn } from '@/lib/projection/fixtures/log-writer'

const parent = sessionIdSchema.parse('ses_parent')
const root = { id: session, kind: 'root' as const, parentId: null }

function server(status: number, body: unknown) {
  const calls: { method: string; url: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    calls.push({
      method: init.method ?? 'GET',
      url,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    })
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
  })
  return calls
}
afterEach(() => vi.unstubAllGlobals())

describe('the typed routes', () => {
  it('W1: throw the refusal that the body carries', async () => {
    server(429, { error: { code: 'limit-reached', message: 'The queue is full.', details: { max: 100 } } })
    const failed = await api.wake(root).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(AppError)
    expect(failed).toMatchObject({ code: 'limit-reached', details: { max: 100 } })
    expect(reasonOf(failed)).toBe('The queue is full.')
  })

  it('say so when the answer is not ours', async () => {
    server(502, '<html>Bad gateway</html>')
    await expect(api.health()).rejects.toThrow('The server answered 502 and gave no reason.')
  })

  it('say so when nobody answers', async () => {
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('fetch failed')
    })
    const failed = await api.health().catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(UnreachableError)
    expect(reasonOf(failed)).toBe('The server does not answer.')
  })

  it('W2: leave out of the query what was not asked', async () => {
    const calls = server(200, { events: [], lastSeq: 0 })
    await api.events(session, { after: 0, limit: 500 })
    expect(calls[0]?.url).toBe('/api/sessions/ses_1/events?after=0&limit=500')
  })

  it("W4: send a child's input to its address under the parent", async () => {
    const calls = server(202, { messageId: 'msg_1' })
    await api.sendMessage({ id: session, kind: 'continuable', parentId: parent }, { text: 'go on' })
    await api.removeMessage({ id: session, kind: 'continuable', parentId: parent }, message(1))
    expect(calls.map((call) => `${call.method} ${call.url}`)).toEqual([
      'POST /api/sessions/ses_parent/subagents/ses_1/messages',
      'DELETE /api/sessions/ses_parent/subagents/ses_1/messages/msg_1',
    ])
  })

  it('take an empty answer for one', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
    await expect(api.removeMessage(root, message(1))).resolves.toEqual({})
  })
})

describe('the one Stop', () => {
  it('U1: cancels a root, keeps its queue, and names the turn that was meant', async () => {
    const calls = server(202, { accepted: true, effect: 'signalled', discarded: 0 })
    expect(await stopTurn(root, turn(3), 'keep')).toBe('signalled')
    expect(calls).toEqual([
      { method: 'POST', url: '/api/sessions/ses_1/cancel', body: { keepInbox: true, via: 'button', turnId: 'turn_3' } },
    ])
  })

  it('U4: clears the queue only when that was asked', async () => {
    const calls = server(202, { accepted: true, effect: 'signalled', discarded: 2 })
    await stopTurn(root, undefined, 'clear')
    expect(calls[0]?.body).toEqual({ keepInbox: false, via: 'button' })
  })

  it('U1: interrupts a continuable child and kills a one-shot one', async () => {
    const calls = server(202, { accepted: true, effect: 'signalled' })
    await stopTurn({ id: session, kind: 'continuable', parentId: parent }, turn(1), 'keep')
    await stopTurn({ id: session, kind: 'one-shot', parentId: parent }, turn(1), 'keep')
    expect(calls.map(({ url, body }) => ({ url, body }))).toEqual([
      { url: '/api/sessions/ses_parent/subagents/ses_1/interrupt', body: { turnId: 'turn_1' } },
      { url: '/api/sessions/ses_parent/subagents/ses_1/kill', body: {} },
    ])
  })
})
