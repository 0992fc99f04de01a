/** Where this server will be: port, host and data folder from the environment, and whether somebody is there already. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import path from 'node:path'
import { fail } from './run.mjs'

/** The folder in which the person typed the command, also when npm changed it. */
export const typedIn = process.env.npm_lifecycle_event ? (process.env.INIT_CWD ?? process.cwd()) : process.cwd()

export function readAddress() {
  const port = Number(process.env.PORT?.trim() || 4310)
  if (!Number.isInteger(port) || port < 1 || port > 65535) fail('PORT: a port is a number from 1 to 65535.')
  const host = process.env.HOST?.trim() || '127.0.0.1'
  const folder = process.env.BELAY_HOME?.trim() || '~/.belay'
  const home = path.resolve(folder === '~' || folder.startsWith('~/') ? homedir() + folder.slice(1) : folder)
  return { port, host, home, url: `http://${urlHost(host)}:${port}` }
}

/** Ends with a plain word when another server holds the data folder or something holds the port. */
export async function refuseWhenTaken({ port, host, home }) {
  const holder = lockHolder(home)
  if (holder)
    fail(
      `Another Belay server already uses the data folder ${home}: process ${holder.pid}, ${holder.address}.\n` +
        `Open that address, or stop it (kill ${holder.pid}), or start this one on another folder: BELAY_HOME=… PORT=… npm start`,
    )
  const code = await listenError(port, host)
  if (code === 'EADDRINUSE')
    fail(`Port ${port} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`)
  if (code === 'EACCES') fail(`Port ${port} needs more rights. Choose another port: PORT=4310 npm start`)
  if (code) fail(`HOST=${host} cannot be listened on (${code}). Leave HOST away for this machine only.`)
}

/** The lock that the server writes, if its process lives. The server itself decides; this only says it sooner. */
function lockHolder(home) {
  try {
    const holder = JSON.parse(readFileSync(path.join(home, 'server.lock'), 'utf8'))
    process.kill(holder.pid, 0)
    return holder.born === null || holder.born === birthOf(holder.pid) ? holder : undefined
  } catch {
    return undefined // No lock, or nobody behind it.
  }
}

function birthOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}

function listenError(port, host) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(error.code))
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}

/** A wildcard address is not one that can be opened. */
function urlHost(host) {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
