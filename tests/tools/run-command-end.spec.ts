/** How a command ends: the cases of the process table, and one call ended without its turn. */
import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endAllCommands } from '@/server/tools/run-command/live-commands'
import { signalProcess } from '@/server/tools/run-command/process-table'
import { givenTools } from './given-tools'
import { groupOf, marked, newMark, zombiesHere } from './process-marks'

const within5s = 5000

describe('the cases of the process table', () => {
  it('S-E1: a loop that traps the polite signals is asked, then killed after the grace, and the next command works', async () => {
    const mark = newMark()
    const { begin, call } = givenTools()
    const running = begin('run_command', {
      command: `trap 'echo heard TERM' TERM; trap '' INT; echo up; while :; do sleep 0.1; : ${mark}; done`,
    })
    await running.hasShown('up')
    const stoppedAt = performance.now()
    running.abort()
    const result = await running.result
    expect(performance.now() - stoppedAt).toBeGreaterThanOrEqual(1990)
    expect(performance.now() - stoppedAt).toBeLessThan(within5s)
    expect(marked(mark)).toEqual([])
    expect(result.output).toContain('heard TERM')
    expect(result.output).toContain('interrupted')
    expect(result.meta?.signal).toBe('SIGKILL')
    expect((await call('run_command', { command: 'echo next' })).status).toBe('ok')
  })

  it('T4: nobody is asked to end twice', async () => {
    const { begin } = givenTools()
    const polite = (name: string) => `trap "echo ${name} was asked" TERM; echo ${name} up; while :; do sleep 0.05; done`
    const call = begin('run_command', {
      command: `bash -c '${polite('child')}' & setsid bash -c '${polite('stray')}' & ${polite('shell').replaceAll('"', "'")}`,
    })
    for (const name of ['child', 'stray', 'shell']) await call.hasShown(`${name} up`)
    call.abort()
    const { output } = await call.result
    for (const name of ['child', 'stray', 'shell']) expect(output.split(`${name} was asked`)).toHaveLength(2)
  })

  const tree = (mark: string) =>
    `export M=${mark}; (sleep 1000 | cat) & sleep 1000 & sleep 0.1; sh -c 'sh -c "echo up; sleep 1000; :"; :' & wait`

  it('S-E2: (a) a stop leaves neither pipeline, background job nor nested shell, and no zombie', async () => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', { command: tree(mark) })
    await call.hasShown('up')
    expect(marked(mark).length).toBeGreaterThanOrEqual(5)
    call.abort()
    await call.result
    expect(marked(mark)).toEqual([])
    expect(zombiesHere()).toEqual([])
  })

  it('S-E2: (b) a time limit leaves nothing either', async () => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', { command: tree(mark), timeout_seconds: 0.5 })
    await call.hasShown('up')
    expect((await call.result).status).toBe('timed-out')
    expect(marked(mark)).toEqual([])
    expect(zombiesHere()).toEqual([])
  })

  it('S-E2: (c) the last moment of the server kills every command at once, whatever it ignores', async () => {
    const mark = newMark()
    const { begin } = givenTools()
    const stubborn = `export M=${mark}; trap '' TERM INT; setsid sh -c 'trap "" TERM; sleep 1000; :' & (sleep 1000 | cat) & echo up; while :; do sleep 1; done`
    const calls = [begin('run_command', { command: stubborn }), begin('run_command', { command: stubborn })]
    await Promise.all(calls.map((call) => call.hasShown('up')))
    endAllCommands()
    const results = await Promise.all(calls.map((call) => call.result))
    expect(results.map((result) => result.meta?.signal)).toEqual(['SIGKILL', 'SIGKILL'])
    expect(marked(mark)).toEqual([])
  })

  it('S-E3: stopping one of ten commands touches neither the others nor the server', async () => {
    const calls = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const mark = newMark()
        const call = givenTools().begin('run_command', { command: `echo up; sleep 1000; : ${mark}` })
        await call.hasShown('up')
        return { mark, call }
      }),
    )
    const own = groupOf(process.pid)
    const groups = calls.map(({ mark }) => marked(mark)[0]?.group)
    expect(new Set(groups).size).toBe(10)
    expect(groups).not.toContain(own)
    for (const { mark } of calls) for (const one of marked(mark)) expect(one.group).not.toBe(own)

    calls[0]?.call.abort()
    await calls[0]?.call.result
    expect(calls.map(({ mark }) => marked(mark).length > 0)).toEqual([false, ...Array(9).fill(true)])

    for (const { call } of calls) call.abort()
    await Promise.all(calls.map(({ call }) => call.result))
    expect(calls.flatMap(({ mark }) => marked(mark))).toEqual([])
    expect(groupOf(process.pid)).toBe(own)
  })

  it('ends what a command has left in the background when its shell ends by itself, and says so', async () => {
    const mark = newMark()
    const { call } = givenTools()
    const holding = await call('run_command', { command: `export M=${mark}; sleep 1000 & echo started` })
    expect(holding).toMatchObject({ status: 'ok', meta: { exitCode: 0, leftBehind: 1 } })
    expect(holding.output).toBe(
      'started\n[exit code 0]\n[1 process left running in the background ended with the command]',
    )
    const quiet = await call('run_command', {
      command: `export M=${mark}; setsid sleep 1000 >/dev/null 2>&1 & echo started`,
    })
    expect(quiet).toMatchObject({ status: 'ok', meta: { leftBehind: 1 } })
    expect(marked(mark)).toEqual([])
  })

  it('waits for output that is still coming when the shell has ended', async () => {
    const { call } = givenTools()
    const result = await call('run_command', { command: '(sleep 0.1; echo late) & echo early' })
    expect(result).toMatchObject({ output: 'early\nlate\n[exit code 0]', meta: { leftBehind: 0 } })
  })

  it('never signals a process that has taken over a number', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    const seen = {
      pid: child.pid ?? 0,
      parent: 0,
      group: 0,
      session: 0,
      state: 'S',
      isKernelThread: false,
      startTime: '1',
    }
    expect(signalProcess(seen, 'SIGKILL')).toBe('over')
    expect(child.kill(0)).toBe(true)
    expect(signalProcess({ ...seen, pid: 1 }, 'SIGKILL')).toBe('over')
  })
})

describe('ending one call', () => {
  it('T8: the call settles aborted with its output so far, whatever the reason of its signal', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', { command: 'echo so far; sleep 1000' })
    await call.hasShown('so far')
    call.abort(new Error('ended by the person'))
    expect(await call.result).toMatchObject({
      status: 'aborted',
      output: expect.stringMatching(/^so far\n\[interrupted/),
    })
  })

  it('T8: force kills at once, also while the polite signal is being ignored', async () => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', {
      command: `export M=${mark}; trap 'echo no' TERM; setsid sh -c 'trap "" TERM; sleep 1000; :' & echo up; while :; do sleep 0.1; done`,
    })
    await call.hasShown('up')
    call.abort()
    await call.hasShown('no')
    const forcedAt = performance.now()
    call.force()
    const result = await call.result
    expect(performance.now() - forcedAt).toBeLessThan(1000)
    expect(marked(mark)).toEqual([])
    expect(result).toMatchObject({ status: 'aborted', meta: { signal: 'SIGKILL' } })
  })

  it('T8: force alone ends the call too', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', { command: "trap '' TERM; echo up; while :; do sleep 0.1; done" })
    await call.hasShown('up')
    call.force()
    expect(await call.result).toMatchObject({ status: 'aborted', meta: { signal: 'SIGKILL' } })
  })

  it('T8: leaves no listener on either signal, however the call ended', async () => {
    const { begin } = givenTools()
    const ok = begin('run_command', { command: 'echo up' })
    const limited = begin('run_command', { command: 'sleep 1000', timeout_seconds: 0.1 })
    const aborted = begin('run_command', { command: 'echo up; sleep 1000' })
    await aborted.hasShown('up')
    expect(getEventListeners(aborted.signal, 'abort')).toHaveLength(1)
    expect(getEventListeners(aborted.forceSignal, 'abort')).toHaveLength(1)
    aborted.abort()
    for (const call of [ok, limited, aborted]) {
      await call.result
      expect(getEventListeners(call.signal, 'abort')).toEqual([])
      expect(getEventListeners(call.forceSignal, 'abort')).toEqual([])
    }
  })

  it('T8: leaves no timer', async () => {
    const { call } = givenTools()
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    await Promise.all(Array.from({ length: 20 }, () => call('run_command', { command: 'echo x' })))
    // The test runner has a few of its own that come and go.
    expect(timers()).toBeLessThan(before + 10)
  })

  it('T1: an abort that comes while a command is being started ends it too', async () => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', { command: `sleep 1000; : ${mark}` })
    call.abort()
    expect((await call.result).status).toBe('aborted')
    expect(marked(mark)).toEqual([])
  })
})
