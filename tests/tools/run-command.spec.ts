/** `run_command` with real processes: its output, its end, and what of it is left in the process table. */
import { spawn } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endAllCommands } from '@/server/tools/run-command/live-commands'
import { signalProcess } from '@/server/tools/run-command/process-table'
import { givenTools } from './given-tools'
import { groupOf, marked, newMark, zombiesHere } from './process-marks'

const within5s = 5000

describe('what a command gets and gives', () => {
  it('T3: returns stdout and stderr in the order in which they were printed, and the exit code', async () => {
    const { call } = givenTools()
    const result = await call('run_command', { command: 'echo one; echo two >&2; echo three; exit 3' })
    expect(result).toMatchObject({ status: 'error', output: 'one\ntwo\nthree\n[exit code 3]', truncated: false })
    expect(result.meta).toMatchObject({ exitCode: 3, signal: null, leftOut: 0, leftBehind: 0 })
    expect(result.meta?.pid).toBeTypeOf('number')
    expect(new Date(String(result.meta?.startTime)).toString()).not.toBe('Invalid Date')
  })

  it('T3: says by which signal a command ended itself', async () => {
    const { call } = givenTools()
    const result = await call('run_command', { command: 'kill -9 $$' })
    expect(result).toMatchObject({ status: 'error', output: '[ended by SIGKILL]', meta: { signal: 'SIGKILL' } })
  })

  it('T3: shows each line while the command still runs', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', { command: 'echo first; read -r _ < gate; echo second' })
    await call.hasShown('No such file')
    expect(call.live()).toContain('first\n')
    expect((await call.result).status).toBe('ok')
    expect(call.live()).toContain('second\n')
  })

  it('T3: runs in the workspace, with its input closed', async () => {
    const { call, workspace } = givenTools()
    const result = await call('run_command', { command: 'pwd; cat; echo read' })
    expect(result.output).toBe(`${workspace}\nread\n[exit code 0]`)
  })

  it('T3: runs without bash when there is none on the path', async () => {
    const { call } = givenTools({ environment: { PATH: '/nowhere' } })
    const result = await call('run_command', { command: 'echo plain' })
    expect(result).toMatchObject({ status: 'ok', output: 'plain\n[exit code 0]' })
  })

  it("withholds the server's secrets and its own settings from commands", async () => {
    const environment = {
      PATH: process.env.PATH,
      OPENAI_API_KEY: 'leak-1',
      github_token: 'leak-2',
      BELAY_TOKEN: 'leak-3',
      BELAY_HOME: 'leak-4',
      NODE_ENV: 'production',
      NEXT_RUNTIME: 'leak-5',
      npm_config_x: 'leak-6',
      PORT: '4310',
      KEPT: 'kept-value',
    }
    const { call } = givenTools({ environment })
    const { output } = await call('run_command', { command: 'env' })
    expect(output).toContain('KEPT=kept-value')
    expect(output).toMatch(/^BELAY_CALL_ID=\S{36}$/m)
    expect(output).not.toMatch(/leak-|NODE_ENV|^PORT=/m)
  })

  it('never splits a character that arrives in two pieces', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', {
      command: String.raw`printf '\xe5\x8f'; printf 'x' > ready; sleep 0.1; printf '\x96\xe6\xb6\x88 \xf0\x9f'; sleep 0.1; printf '\xa7\x97'`,
    })
    expect((await call.result).output).toBe('取消 🧗\n[exit code 0]')
    expect(call.live()).toBe('取消 🧗')
  })

  it('strips terminal escapes and control characters, live and in the result, also when cut in two', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', {
      command: String.raw`printf 'a\033[1;3'; sleep 0.1; printf '1mb\033[0m\033]0;title\007c\0\033(Bd\be\033[2K'`,
    })
    expect((await call.result).output).toBe('abcde\n[exit code 0]')
    expect(call.live()).toBe('abcde')
  })

  it.each([
    ['an empty command', { command: '' }],
    ['a NUL', { command: 'echo \0' }],
    ['an unknown key', { command: 'true', cwd: '/' }],
    ['a time limit that is no number', { command: 'true', timeout_seconds: '5' }],
    ['a time limit of a day', { command: 'true', timeout_seconds: 86_400 }],
    ['no object', 'ls'],
  ])('T2: answers %s with a readable error', async (_what, input) => {
    const { call } = givenTools()
    const result = await call('run_command', input)
    expect(result.status).toBe('error')
    expect(result.output).toMatch(/^The input of run_command is not valid:\n- /)
  })

  it('answers readably when the system cannot take so long a command', async () => {
    const { call } = givenTools()
    const result = await call('run_command', { command: `echo ${'é'.repeat(90_000)}` })
    expect(result).toMatchObject({ status: 'error', output: expect.stringContaining('too long') })
  })
})

describe('bounds of the output', () => {
  it('S-E5: cuts 10 MB to the documented head and tail and says how much was left out', async () => {
    const { call } = givenTools()
    const result = await call('run_command', { command: "head -c 10000000 /dev/zero | tr '\\0' x; echo; echo THE END" })
    expect(result).toMatchObject({ status: 'ok', truncated: true })
    const cut = /^(x{16384})\n\[… (\d+) characters left out …\]\n(x+\nTHE END\n)\[exit code 0\]$/.exec(result.output)
    expect(cut?.[3]).toHaveLength(48 * 1024)
    expect(16384 + Number(cut?.[2]) + 48 * 1024).toBe(10_000_000 + '\nTHE END\n'.length)
    expect(result.meta?.leftOut).toBe(Number(cut?.[2]))
  })

  it('T3: thins the live output of a flood and keeps its calls apart', async () => {
    const { begin } = givenTools()
    const start = performance.now()
    const call = begin('run_command', { command: 'yes', timeout_seconds: 0.5 })
    expect((await call.result).status).toBe('timed-out')
    const elapsed = performance.now() - start
    expect(call.live().length).toBeLessThan(150_000)
    expect(call.live()).toMatch(/\[… \d+ characters not shown live …\]/)
    // One more for what is shown at the very end.
    expect(call.liveCalls()).toBeLessThanOrEqual(elapsed / 16 + 2)
  })

  it('S-E5: gives the model what was printed before the abort, together with the word interrupted', async () => {
    const { begin } = givenTools()
    const call = begin('run_command', { command: 'n=0; while :; do n=$((n+1)); echo $n; sleep 0.05; done' })
    await call.hasShown('4\n')
    call.abort()
    const result = await call.result
    expect(result.status).toBe('aborted')
    expect(result.output.startsWith(call.live())).toBe(true)
    expect(result.output).toMatch(/^1\n2\n3\n4\n/)
    expect(result.output).toMatch(/\[interrupted before it ended\. The output above is what it had printed so far\.\]$/)
  })
})

/** Commands that are good at staying alive; each prints `up` when everything it starts is there. */
const survivors: readonly [string, (mark: string) => string][] = [
  ['a loop that ignores TERM and INT', (m) => `trap '' TERM INT HUP; echo up; while :; do sleep 0.2; : ${m}; done`],
  ['a pipeline', (m) => `(sleep 1000; : ${m}) | (cat; : ${m}) | cat & echo up; wait`],
  ['a background job', (m) => `export M=${m}; sleep 1000 & echo up; sleep 1000`],
  ['nested shells', (m) => `sh -c 'sh -c "echo up; sleep 1000; : ${m}"; : ${m}'; : ${m}`],
  ['a setsid shell', (m) => `export M=${m}; setsid sh -c 'echo up; sleep 1000; :' & wait`],
  [
    'a setsid shell that ignores TERM',
    (m) => `export M=${m}; setsid sh -c 'trap "" TERM; echo up; while :; do sleep 1; done' & wait`,
  ],
  ['nohup', (m) => `export M=${m}; nohup sleep 1000 >/dev/null 2>&1 & echo up; wait`],
  ['a daemon forked twice', (m) => `export M=${m}; (setsid sh -c 'sleep 1000 & echo up' &) ; sleep 1000`],
  ['a setsid shell without environment', (m) => `env -i setsid sh -c 'echo up; sleep 1000; : ${m}' & wait`],
  ['a stopped process', (m) => `export M=${m}; sleep 1000 & kill -STOP $!; echo up; wait`],
  [
    'a shell that starts a new job when told to end',
    (m) => `export M=${m}; trap 'setsid sleep 1000 & sleep 1000' TERM; echo up; while :; do sleep 0.1; done`,
  ],
]

describe.concurrent('the whole tree ends', () => {
  it.each(survivors)('T4: %s is gone within 5 s of a stop', async (_what, commandOf) => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', { command: commandOf(mark) })
    await call.hasShown('up')
    expect(marked(mark)).not.toEqual([])
    const stoppedAt = performance.now()
    call.abort()
    const result = await call.result
    expect(marked(mark)).toEqual([])
    expect(performance.now() - stoppedAt).toBeLessThan(within5s)
    expect(result).toMatchObject({ status: 'aborted', output: expect.stringMatching(/^up\n[^[]*\[interrupted/) })
    expect(zombiesHere().filter((one) => one.pid === result.meta?.pid)).toEqual([])
  })

  it.each(survivors)('T4: %s is gone within 5 s of its time limit', async (_what, commandOf) => {
    const mark = newMark()
    const { begin } = givenTools()
    const call = begin('run_command', { command: commandOf(mark), timeout_seconds: 1 })
    await call.hasShown('up')
    const startedAt = performance.now()
    const result = await call.result
    expect(marked(mark)).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(1000 + within5s)
    expect(result).toMatchObject({ status: 'timed-out' })
    expect(result.output).toMatch(/^up\n[^[]*\[ended after the time limit of 1 s\./)
  })
})

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
    const result = await call('run_command', { command: '(sleep 0.2; echo late) & echo early' })
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

  it('T1: does not start a command whose signal was aborted before', async () => {
    const { begin, workspace, call } = givenTools()
    const first = begin('run_command', { command: 'touch first; sleep 1000' })
    first.abort()
    expect((await first.result).status).toBe('aborted')
    expect(workspace).toBeTruthy()
    expect((await call('list_files', {})).status).toBe('ok')
  })
})
