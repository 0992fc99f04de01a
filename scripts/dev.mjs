/** `npm run dev`: the development server with the same environment as `npm start`. */
import { spawn } from 'node:child_process'
import { readAddress, refuseWhenTaken, typedIn } from './address.mjs'
import { buildWorker } from './build-worker.mjs'
import { installIfNeeded, requireNode } from './install.mjs'
import { nextBin, root } from './run.mjs'

requireNode()
const address = readAddress()
await refuseWhenTaken(address)
await installIfNeeded()
await buildWorker()

const child = spawn(process.execPath, [nextBin, 'dev', '--hostname', address.host, '--port', String(address.port)], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    PORT: String(address.port),
    HOST: address.host,
    BELAY_HOME: address.home,
    BELAY_WORKSPACE: process.env.BELAY_WORKSPACE || typedIn,
  },
})
// The terminal's Ctrl+C reaches the child by itself; this process only has to outlive it.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('close', (code) => process.exit(code ?? 1))
