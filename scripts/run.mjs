/** Runs one child process to its end, in the project's folder, without npm or a shell in front of it. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
export const nextBin = path.join(root, 'node_modules/next/dist/bin/next')

/** Resolves with the exit code (1 when a signal ended it). Its output is the terminal's. */
export function run(command, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
}

export function runNode(args, env = {}) {
  return run(process.execPath, args, env)
}

/** Says in one sentence what is wrong and what to do, and ends. */
export function fail(message) {
  console.error(`\n${message}\n`)
  process.exit(1)
}
