/** Builds for production. `npm run build` always does; start and test only when a source has changed since the last build. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWorker } from './build-worker.mjs'
import { fail, nextBin, root, runNode } from './run.mjs'

const stamp = path.join(root, '.next/belay-sources')
const worker = path.join(root, 'public/event-worker.js')
const folders = ['app', 'components', 'lib', 'server', 'public']
const files = [
  'instrumentation.ts',
  'next.config.mjs',
  'package-lock.json',
  'package.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

/** Returns whether the build succeeded. */
export async function build() {
  await buildWorker()
  const sources = sourcesHash()
  const code = await runNode([nextBin, 'build'], { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' })
  if (code === 0) writeFileSync(stamp, sources)
  return code === 0
}

/** In a process of its own, so that nothing of the build stays in the server's. */
export async function buildIfNeeded() {
  if (isBuilt()) return
  console.log('Building …')
  if ((await runNode([fileURLToPath(import.meta.url)])) !== 0) fail('The build failed, see above.')
}

function isBuilt() {
  const made = [path.join(root, '.next/BUILD_ID'), worker, stamp]
  return made.every((file) => existsSync(file)) && readFileSync(stamp, 'utf8') === sourcesHash()
}

/** One hash over the names and contents of everything that goes into a build. */
function sourcesHash() {
  const hash = createHash('sha256')
  for (const file of [...folders.flatMap(filesIn), ...files].sort()) {
    const full = path.join(root, file)
    if (existsSync(full)) hash.update(file).update('\0').update(readFileSync(full)).update('\0')
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  const full = path.join(root, folder)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await build()) ? 0 : 1)
