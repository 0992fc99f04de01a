/** What a command gets and gives: its shell, its environment, its output and the bounds of it. */
import { describe, expect, it } from 'vitest'
import { givenTools } from './given-tools'

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
    const { begin, put } = givenTools()
    const call = begin('run_command', {
      command: 'echo first; until [ -e gate ]; do sleep 0.02; done; echo second',
    })
    await call.hasShown('first\n')
    expect(call.live()).toBe('first\n')
    put('gate')
    expect((await call.result).status).toBe('ok')
    expect(call.live()).toBe('first\nsecond\n')
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
