/** A composer on a real session store; the server is a scripted `fetch`, the stream is in the test's hand. */
import { act, cleanup, render } from '@testing-library/react'
import { vi } from 'vitest'
import { Composer } from '@/components/composer/composer'
import type { Live } from '@/components/live/live'
import { drafts } from '@/components/live/use-draft'
import { api } from '@/lib/client/api'
import { ConnectionStore } from '@/lib/client/connection-store'
import { emptyDraft } from '@/lib/client/draft-memory'
import { FramePacer } from '@/lib/client/frame-pacer'
import { SessionStore } from '@/lib/client/session-store'
import { SummaryStore } from '@/lib/client/summary-store'
import type { Session } from '@/lib/contract/session'
import { type LogWriter, session as sessionId } from '@/lib/projection/fixtures/log-writer'
import { sampleSummary } from '../../client/support/sample-summary'
import { setLive } from './live-double'

export interface Call {
  readonly method: string
  readonly path: string
  readonly body: Record<string, unknown>
  answer(body?: unknown, status?: number): Promise<void>
  refuse(code: string, message: string, status?: number): Promise<void>
  /** The line breaks. */
  breaks(): Promise<void>
}

export async function givenComposer(log: LogWriter, fields: Partial<Session> = {}) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (init.method === 'GET') {
      const after = Number(new URL(url, 'http://belay').searchParams.get('after') ?? 0)
      const events = log.events.filter((event) => event.seq > after)
      return Promise.resolve(new Response(JSON.stringify({ events, lastSeq: log.events.length })))
    }
    return new Promise<Response>((resolve, reject) => {
      const respond = (body: unknown, status: number) =>
        act(async () => resolve(new Response(JSON.stringify(body), { status })))
      calls.push({
        method: init.method ?? '',
        path: url,
        body: init.body === undefined ? {} : (JSON.parse(String(init.body)) as Record<string, unknown>),
        answer: (body = { accepted: true, effect: 'signalled', discarded: 0 }, status = 202) => respond(body, status),
        refuse: (code, message, status = 409) => respond({ error: { code, message } }, status),
        breaks: () => act(async () => reject(new TypeError('fetch failed'))),
      })
    })
  })

  const pacer = new FramePacer({ now: () => 0, nextFrame: (run) => run() })
  const listeners = new Set<Parameters<Live['stream']['listen']>[0]>()
  const connection = new ConnectionStore()
  connection.setStatus({ state: 'open', runtimeId: 'r' })
  let covered = () => {}
  const stream = {
    watch: (_id: unknown, run: () => void) => {
      covered = run
      return () => {}
    },
    listen: (listener: Parameters<Live['stream']['listen']>[0]) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    resync: () => {},
    retryNow: () => {},
  }
  const store = new SessionStore(
    sessionId,
    { api, stream, pacer, now: () => Date.now() },
    { events: [...log.events], deltas: [], outputs: [], around: null },
  )
  setLive({ stream, summaries: new SummaryStore(pacer), connection, session: () => store } as unknown as Live)

  let summary = sampleSummary(fields)
  let told = log.events.length
  const view = render(<Composer session={summary} />)
  await act(async () => covered())
  return {
    calls,
    store,
    connection,
    /** The server's summary changes; what the log has gained since arrives with it. */
    hears: (changed: Partial<Session> = {}) =>
      act(async () => {
        summary = { ...summary, ...changed }
        const frames = log.events.slice(told).map((data) => ({ event: 'session-event' as const, data }))
        told = log.events.length
        for (const listener of listeners) listener.frames(frames)
        view.rerender(<Composer session={summary} />)
      }),
    /** The page is loaded anew. */
    reload: () => {
      view.unmount()
      return render(<Composer session={summary} />)
    },
  }
}

/** Between two tests: nothing mounted, nothing drafted, no scripted server. */
export function clear(): void {
  cleanup()
  drafts().set(sessionId, emptyDraft)
  window.localStorage.clear()
  vi.unstubAllGlobals()
}
