// Bundles the SharedWorker of the event stream into public/event-worker.js.
// Turbopack copies a `new SharedWorker(new URL(…))` script as it is instead of bundling it, so this one file is ours to build.
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Writes public/event-worker.js. Takes some tens of milliseconds. */
export async function buildWorker() {
  // Loaded late: `npm start` reads this file before it has installed anything.
  const { build } = await import('esbuild')
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/client/event-worker.ts'],
    outfile: 'public/event-worker.js',
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWorker()
