/** How this tab reaches the one hub of the browser: a SharedWorker, else a leader tab, else a hub of its own (W8). */
import { hubVersion, type ToHub, type ToTab } from './connection'
import { browserPorts } from './event-source'
import { type HubClient, StreamHub } from './stream-hub'
import { hasLocks, randomName, whenLockIsFree } from './tab-life'

export interface HubLink {
  post(message: ToHub): void
  close(): void
}

export interface LinkEvents {
  receive(message: ToTab): void
  /** Another hub answers from now on: say again who is here and what is shown. */
  restart(): void
}

/** Opens the best link there is. */
export function openHubLink(on: LinkEvents): HubLink {
  if (typeof SharedWorker !== 'undefined') return workerLink(on)
  return fallbackLink(on)
}

function fallbackLink(on: LinkEvents): HubLink {
  return hasLocks() && typeof BroadcastChannel !== 'undefined' ? leaderLink(on) : ownLink(on)
}

function workerLink(on: LinkEvents): HubLink {
  let worker: SharedWorker
  try {
    worker = new SharedWorker(`/event-worker.js?v=${hubVersion}`, { name: 'belay-events' })
  } catch {
    // Refused by a policy of the browser: the tabs manage without it.
    return fallbackLink(on)
  }
  let other: HubLink | null = null
  worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => on.receive(data)
  worker.onerror = () => {
    if (other) return
    other = fallbackLink(on)
    on.restart()
  }
  worker.port.start()
  return {
    post: (message) => (other ? other.post(message) : worker.port.postMessage(message)),
    close: () => (other ? other.close() : worker.port.close()),
  }
}

function ownLink(on: LinkEvents): HubLink {
  const client = new StreamHub(browserPorts).connect((message) => queueMicrotask(() => on.receive(message)))
  return { post: (message) => client.receive(message), close: () => client.leave() }
}

/** What travels on the channel between tabs. */
type Broadcast =
  | { readonly to: 'hub'; readonly from: string; readonly message: ToHub }
  | { readonly to: 'tab'; readonly tab: string; readonly message: ToTab }
  | { readonly to: 'all'; readonly leader: true }

function leaderLink(on: LinkEvents): HubLink {
  const self = randomName()
  const channel = new BroadcastChannel('belay-events')
  const closing = new AbortController()
  let own: HubClient | null = null
  let hear: ((from: string, message: ToHub) => void) | null = null

  channel.onmessage = ({ data }: MessageEvent<Broadcast>) => {
    if (data.to === 'hub') hear?.(data.from, data.message)
    else if (data.to === 'all') on.restart()
    else if (data.tab === self) on.receive(data.message)
  }

  const lead = () => {
    const hub = new StreamHub(browserPorts)
    const tabs = new Map<string, HubClient>()
    hear = (from, message) => {
      const known = tabs.get(from)
      const client =
        known ??
        hub.connect((answer) => channel.postMessage({ to: 'tab', tab: from, message: answer } satisfies Broadcast))
      tabs.set(from, client)
      const leave = () => {
        tabs.delete(from)
        client.leave()
      }
      if (message.type === 'alive') whenLockIsFree(message.lock, leave)
      if (message.type === 'bye') leave()
      else client.receive(message)
    }
    own = hub.connect((message) => queueMicrotask(() => on.receive(message)))
    channel.postMessage({ to: 'all', leader: true } satisfies Broadcast)
    on.restart()
    return new Promise<void>((resolve) => closing.signal.addEventListener('abort', () => resolve(), { once: true }))
  }
  navigator.locks.request('belay-event-leader', { signal: closing.signal }, lead).catch(() => {
    // Closed while it waited to lead.
  })

  return {
    post: (message) => {
      if (own) own.receive(message)
      else channel.postMessage({ to: 'hub', from: self, message } satisfies Broadcast)
    },
    close: () => {
      if (!own) channel.postMessage({ to: 'hub', from: self, message: { type: 'bye' } } satisfies Broadcast)
      own?.leave()
      closing.abort()
      channel.close()
    },
  }
}
