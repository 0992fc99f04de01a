/** The one live connection of this page and the stores that it feeds. Made on first use, in the browser only. */
import { api } from '@/lib/client/api'
import { ConnectionStore } from '@/lib/client/connection-store'
import { EventStream } from '@/lib/client/event-stream'
import { browserFrames, FramePacer } from '@/lib/client/frame-pacer'
import type { SessionStart } from '@/lib/client/session-start'
import { SessionStore } from '@/lib/client/session-store'
import { SummaryStore } from '@/lib/client/summary-store'
import type { SessionId } from '@/lib/contract/ids'

export interface Live {
  readonly stream: EventStream
  readonly summaries: SummaryStore
  readonly connection: ConnectionStore
  /** The store of a session; the last few stay warm, so that going back is instant. `start` is what the page was rendered with. */
  session(id: SessionId, start?: SessionStart): SessionStore
}

const warmSessions = 8
let made: Live | null = null

/** @throws Error on the server: there is nothing live while a page is rendered there. */
export function live(): Live {
  if (typeof window === 'undefined') throw new Error('The live connection exists in the browser only.')
  made ??= connect()
  return made
}

function connect(): Live {
  const stream = new EventStream()
  const pacer = new FramePacer(browserFrames)
  const summaries = new SummaryStore(pacer)
  const connection = new ConnectionStore()
  const stores = new Map<SessionId, SessionStore>()
  stream.listen({
    frames: (frames) => summaries.frames(frames),
    refetch: () => {
      summaries.distrust()
      connection.refetched()
    },
    status: (status) => connection.setStatus(status),
  })
  const session = (id: SessionId, start?: SessionStart): SessionStore => {
    const known = stores.get(id)
    if (known) {
      stores.delete(id)
      stores.set(id, known)
      return known
    }
    const store = new SessionStore(id, { api, stream, pacer, now: () => Date.now() }, start)
    stores.set(id, store)
    for (const [oldest, old] of stores) {
      if (stores.size <= warmSessions) break
      if (!old.isFollowed) stores.delete(oldest)
    }
    return store
  }
  stream.start()
  // A page put away keeps nothing open; one that comes back from the cache of the browser connects anew.
  window.addEventListener('pagehide', () => stream.stop())
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) stream.start()
  })
  return { stream, summaries, connection, session }
}
