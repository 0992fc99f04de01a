/** Finds a Chromium for the browser tests, or installs one. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { root, run, runNode } from './run.mjs'

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The environment that names the browser; empty when Playwright's own is used, undefined when there is none at all. */
export async function browserForTests() {
  const named = process.env.BELAY_CHROMIUM
  if (named && existsSync(named)) return { BELAY_CHROMIUM: named }
  const found = usualPlaces.find((place) => existsSync(place))
  if (found) return { BELAY_CHROMIUM: found }
  console.log('No Chromium found; asking Playwright for its own …')
  const cli = path.join(root, 'node_modules/playwright/cli.js')
  if ((await runNode([cli, 'install', 'chromium'])) === 0) {
    if (process.platform === 'linux') await runNode([cli, 'install-deps', 'chromium'])
    return {}
  }
  console.log('Playwright’s download did not work; asking the system’s packages …')
  await aptGet('update')
  await aptGet('install', '-y', '--no-install-recommends', 'chromium')
  return existsSync('/usr/bin/chromium') ? { BELAY_CHROMIUM: '/usr/bin/chromium' } : undefined
}

function aptGet(...args) {
  return process.getuid?.() === 0 ? run('apt-get', args) : run('sudo', ['-n', 'apt-get', ...args])
}
