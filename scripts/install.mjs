/** Installs the packages when they are missing or the lock file has changed. Needs nothing but Node and npm. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, root, run } from './run.mjs'

const lockFile = path.join(root, 'package-lock.json')
const npmsOwn = path.join(root, 'node_modules/.package-lock.json')
const stamp = path.join(root, 'node_modules/.belay-installed')

/** Ends the process with a plain word when this Node is too old. Mirrors `engines` in package.json. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Belay needs Node 20.19 or newer; this is ${process.versions.node}.`)
}

export async function installIfNeeded() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex')
  if (isInstalled(wanted)) return
  console.log('Installing packages …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const code = await run(npm, ['ci', '--include=dev', '--no-audit', '--no-fund'], { NODE_ENV: '' })
  if (code !== 0) fail('The packages could not be installed (npm ci failed, see above).')
  writeFileSync(stamp, wanted)
}

function isInstalled(wanted) {
  if (!existsSync(npmsOwn)) return false
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === wanted
  return statSync(npmsOwn).mtimeMs >= statSync(lockFile).mtimeMs
}
