/** The platform's EventSource as the hub wants it: typed frames, and one `lost` instead of its own way of coming back. */
import type { Frame, FrameName } from '@/lib/contract/stream'
import type { HubPorts } from './hub-ports'

/** All names of `lib/contract/stream`; written out so that the worker need not load the schemas. */
const names: readonly FrameName[] = [
  'hello',
  'session-event',
  'delta',
  'tool-output',
  'session',
  'session-removed',
  'reset',
  'goodbye',
]

export const browserPorts: HubPorts = {
  openStream,
  now: () => Date.now(),
  later: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  random: () => Math.random(),
}

/** The server wrote these frames from validated values, so they are read as what they say they are. */
function openStream(url: string, on: { frame(frame: Frame): void; lost(): void }): { close(): void } {
  const source = new EventSource(url)
  let over = false
  const close = () => {
    over = true
    source.close()
  }
  for (const event of names) {
    source.addEventListener(event, (message: MessageEvent<string>) => {
      if (!over) on.frame({ event, data: JSON.parse(message.data) } as Frame)
    })
  }
  source.addEventListener('error', () => {
    if (over) return
    close()
    on.lost()
  })
  return { close }
}
