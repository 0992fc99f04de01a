/** A private copy of the sources for the development server, in which a test may change a file. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import { projectRoot } from './server'

const copied = [
  'app',
  'components',
  'lib',
  'server',
  'public',
  'instrumentation.ts',
  'next.config.mjs',
  'package.json',
  'postcss.config.mjs',
  'proxy.ts',
  'tsconfig.json',
]

/**
 * The copy lies in an ignored folder inside the project, so that packages are found in the project's own node_modules.
 * The lock file stays out: the bundler takes the folder of the nearest one for its root.
 */
export function copyForDev(): { readonly folder: string; remove(): void } {
  const parent = path.join(projectRoot, '.belay')
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(path.join(parent, 'dev-'))
  for (const name of copied) {
    const from = path.join(projectRoot, name)
    if (existsSync(from)) cpSync(from, path.join(folder, name), { recursive: true })
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) }
}
