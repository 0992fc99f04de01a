/**
 * `npm start`: installs and builds where needed, starts the server, prints its address and opens it (R1).
 * The server runs in this very process: a signal then has one receiver, and nothing is left behind when it ends.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readAddress, refuseWhenTaken, typedIn } from './address.mjs'
import { buildIfNeeded } from './build.mjs'
import { installIfNeeded, requireNode } from './install.mjs'
import { openBrowser } from './open-browser.mjs'
import { nextBin, root } from './run.mjs'

requireNode()
const address = readAddress()
await refuseWhenTaken(address)
await installIfNeeded()
await buildIfNeeded()

process.env.NODE_ENV = 'production'
process.env.NEXT_MANUAL_SIG_HANDLE = '1' // Shutdown is ours: see server/shutdown.ts.
process.env.NEXT_TELEMETRY_DISABLED = '1'
process.env.PORT = String(address.port)
process.env.HOST = address.host
process.env.BELAY_HOME = address.home
process.env.BELAY_WORKSPACE ||= typedIn
process.chdir(root)
process.argv = [process.execPath, nextBin, 'start', '--hostname', address.host, '--port', String(address.port)]
await import(nextBin)

await healthy(address.url)
const token = process.env.BELAY_TOKEN?.trim() || readFileSync(path.join(address.home, 'token'), 'utf8').trim()
const link = `${address.url}/?token=${encodeURIComponent(token)}`
console.log(
  `\nBelay is running at ${link}\nNew sessions work in ${process.env.BELAY_WORKSPACE}. Ctrl+C stops the server.\n`,
)
openBrowser(link)

/** Waits until the server answers; if it cannot start, it ends this process by itself. */
async function healthy(url) {
  for (;;) {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined)
    if (answer) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
