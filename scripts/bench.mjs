/** `npm run bench`: installs and builds what is missing, then measures (bench/bench.ts). */
import { browserForTests } from './browser.mjs'
import { buildIfNeeded } from './build.mjs'
import { installIfNeeded, requireNode } from './install.mjs'
import { fail, runNode } from './run.mjs'

requireNode()
await installIfNeeded()
await buildIfNeeded()
const browser = await browserForTests()
if (!browser) fail('No Chromium could be found or installed: install one and name it in BELAY_CHROMIUM.')
process.exit(await runNode(['--import', 'tsx', 'bench/bench.ts', ...process.argv.slice(2)], browser))
