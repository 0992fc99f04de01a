/** The configuration of this process, read once and shared by every bundle (R2). */
import { type Config, readConfig } from '@/server/config'
import type { Access } from '@/server/http/guard'
import { keptToken, prepareDataFolder } from './data-folder'

interface Shared {
  readonly config: Config
  readonly access: Access
}

const key = Symbol.for('belay.config')
const shared = globalThis as { [key]?: Shared }

export function processConfig(): Config {
  return load().config
}

/** What the guard compares with. Makes the token on first use. */
export function processAccess(): Access {
  return load().access
}

function load(): Shared {
  const loaded = shared[key]
  if (loaded) return loaded
  const config = readConfig(process.env, process.cwd())
  prepareDataFolder(config.home)
  const token = config.givenToken ?? keptToken(config.home)
  const fresh = { config, access: { port: config.port, token, allowedHosts: config.allowedHosts } }
  shared[key] = fresh
  return fresh
}
