/** Real process trees that are good at staying alive, and what is left of them in the process table. */
import { describe, expect, it } from 'vitest'
import { givenTools } from './given-tools'
import { marked, newMark, zombiesHere } from './process-marks'

const within5s = 5000

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
