/** A session store whose server and stream are in the test's hand. */
import { FramePacer } from '@/lib/client/frame-pacer'
import type { SessionStart } from '@/lib/client/session-start'
import { SessionStore, type SessionStorePorts } from '@/lib/client/session-store'
import type { SessionEvent } from '@/lib/contract/events'
import type { Frame } from '@/lib/contract/stream'
import { session } from '@/lib/projection/fixtures/log-writer'
import { settled } from './scripted-hub'

type Page = { events: readonly SessionEvent[]; lastSeq: number }
export interface Asked {
  readonly query: Parameters<SessionStorePorts['api']['events']>[1]
  answer(page?: Page): Promise<void>
  fail(error: unknown): Promise<void>
}

/** A store whose server and stream are in the test's hand. `log` is what the server has; an answer is a page of it, as the route cuts it. */
export function givenStore(log: SessionEvent[], start?: Partial<SessionStart>) {
  const asked: Asked[] = []
  const sent: { answer: () => void; fail: (error: unknown) => void }[] = []
  const listeners = new Set<{ frames(frames: readonly Frame[]): void; refetch(): void }>()
  let covered = () => {}
  let resyncs = 0
  let now = 10_000
  const ports: SessionStorePorts = {
    api: {
      events: (_id, query) =>
        new Promise((resolve, reject) => {
          asked.push({
            query,
            answer: async (page = pageOf(log, query)) => {
              resolve(page)
              await settled()
            },
            fail: async (error) => {
              reject(error)
              await settled()
            },
          })
        }),
      sendMessage: () =>
        new Promise((resolve, reject) => {
          sent.push({ answer: () => resolve({ messageId: 'msg_x' as never }), fail: reject })
        }),
    },
    stream: {
      watch: (_id, run) => {
        covered = run
        return () => {
          covered = () => {}
        }
      },
      listen: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      resync: () => {
        resyncs += 1
      },
    },
    pacer: new FramePacer({ now: () => 0, nextFrame: (run) => run() }),
    now: () => now,
  }
  const store = new SessionStore(
    session,
    ports,
    start && { events: [], deltas: [], outputs: [], around: null, ...start },
  )
  let changes = 0
  const leave = store.subscribe(() => {
    changes += 1
  })
  return {
    store,
    asked,
    sent,
    leave,
    changes: () => changes,
    resyncs: () => resyncs,
    later: (ms: number) => {
      now += ms
    },
    cover: async () => {
      covered()
      await settled()
    },
    frames: (...frames: Frame[]) => {
      for (const listener of listeners) listener.frames(frames)
    },
    refetch: async () => {
      for (const listener of listeners) listener.refetch()
      await settled()
    },
    seqs: () => [store.snapshot().transcript.firstSeq, store.snapshot().transcript.lastSeq],
  }
}

function pageOf(log: readonly SessionEvent[], query: Asked['query']): Page {
  const { after = 0, before = Number.MAX_SAFE_INTEGER, limit = 500, turnId } = query
  const range = log.filter((event) => event.seq > after && event.seq < before)
  const own = turnId ? range.filter((event) => 'turnId' in event.data && event.data.turnId === turnId) : range
  const events = query.before !== undefined && query.after === undefined ? own.slice(-limit) : own.slice(0, limit)
  return { events, lastSeq: log.at(-1)?.seq ?? 0 }
}
export const asFrame = (event: SessionEvent): Frame => ({ event: 'session-event', data: event })
