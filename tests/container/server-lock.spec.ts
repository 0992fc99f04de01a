import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockHolder, takeServerLock } from '@/server/container/server-lock'
import { tempFolder } from './given-server'

const address = 'http://127.0.0.1:4310'
const lockOf = (home: string) => path.join(home, 'server.lock')

/** Another process that tries to take the lock, says what came of it, and keeps it until it is ended. */
async function contender(home: string) {
  const child = fork(path.join(import.meta.dirname, 'lock-contender.child.ts'), [home], {
    execArgv: ['--import', 'tsx'],
    silent: true,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [message] = (await once(child, 'message')) as [{ taken: boolean; text: string }]
  return {
    ...message,
    pid: child.pid ?? 0,
    kill: async () => {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

describe('one server per data folder', () => {
  it('R2: a second server is told who holds the folder, where, and what to do', async () => {
    const home = tempFolder('home')
    const first = await contender(home)
    expect(first.taken).toBe(true)
    expect(() => takeServerLock(home, address)).toThrow(
      new RegExp(`process ${first.pid}, http://127\\.0\\.0\\.1:1, [\\s\\S]*BELAY_HOME=`),
    )
    expect(lockHolder(home)?.pid).toBe(first.pid)
  })

  it('R2: takes over from a server that was killed', async () => {
    const home = tempFolder('home')
    const first = await contender(home)
    await first.kill()
    expect(existsSync(lockOf(home))).toBe(true)
    const release = takeServerLock(home, address)
    expect(lockHolder(home)?.pid).toBe(process.pid)
    release()
    expect(existsSync(lockOf(home))).toBe(false)
  })

  it('R2: is not fooled by a pid that another program has now', () => {
    const home = tempFolder('home')
    writeFileSync(lockOf(home), JSON.stringify({ pid: process.ppid, born: '1', startedAt: '2026-01-01', address }))
    takeServerLock(home, address)()
  })

  it.each(['', 'not json', '{"pid":-1}'])('R2: takes over a lock file that says nothing: "%s"', (text) => {
    const home = tempFolder('home')
    writeFileSync(lockOf(home), text)
    takeServerLock(home, address)()
  })

  it('R2: exactly one of many that find a dead holder at the same time gets the folder', async () => {
    const home = tempFolder('home')
    writeFileSync(lockOf(home), JSON.stringify({ pid: 2 ** 22 - 1, born: null, startedAt: '2026-01-01', address }))
    const results = await Promise.all(Array.from({ length: 5 }, () => contender(home)))
    expect(results.filter((result) => result.taken)).toHaveLength(1)
    for (const result of results.filter(({ taken }) => !taken)) expect(result.text).toContain('Another Belay server')
  })

  it('R2: may be taken twice in one process, and its release leaves another holder alone', () => {
    const home = tempFolder('home')
    takeServerLock(home, address)
    const release = takeServerLock(home, address)
    const other = JSON.stringify({ pid: process.ppid, born: null, startedAt: '2026-01-01', address })
    writeFileSync(lockOf(home), other)
    release()
    expect(readFileSync(lockOf(home), 'utf8')).toBe(other)
  })
})
