/** A loopback port for a server that is stopped and started again: outside the range that outgoing connections take from. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const port = randomInt(12_000, 31_000)
    if (await isFree(port)) return port
  }
  throw new Error('No free port was found.')
}

/** True when nothing listens there. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
