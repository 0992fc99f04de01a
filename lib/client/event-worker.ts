/** The SharedWorker's script: one hub, one port per tab. */
import type { ToHub, ToTab } from './connection'
import { browserPorts } from './event-source'
import { StreamHub } from './stream-hub'
import { whenLockIsFree } from './tab-life'

/** The part of SharedWorkerGlobalScope that is used; the DOM library does not describe it. */
interface WorkerScope {
  onconnect: ((event: MessageEvent) => void) | null
}

const hub = new StreamHub(browserPorts)

;(globalThis as unknown as WorkerScope).onconnect = (event) => {
  const [port] = event.ports
  if (!port) return
  const client = hub.connect((message: ToTab) => port.postMessage(message))
  port.onmessage = ({ data }: MessageEvent<ToHub>) => {
    if (data.type === 'alive') whenLockIsFree(data.lock, () => client.leave())
    client.receive(data)
    if (data.type === 'bye') port.close()
  }
}
