/** Commands end as whole trees: on Stop, on a time limit, on the end of the server. Watched in the process table. */
import { expect, test } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { endMarked, isAlive, marked, newMark, zombiesUnder } from '../support/processes'
import { Belay } from '../support/server'
import { storedEvents } from '../support/stored'
import { StreamReading } from '../support/stream'
import { atRest, expectPaired, outcomesAtRest } from '../support/turns'

const given = givenBelay()
const marks: string[] = []

test.afterEach(() => {
  for (const mark of marks.splice(0)) endMarked(mark)
})

test('S-E1: a command that traps INT and TERM is gone within 5 s of the Stop, and the session is usable again', async () => {
  const { api } = given
  const mark = mark1()
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await given.reading(id)
  await api.send(id, `run \`trap '' INT TERM; echo ready; while true; do sleep 0.2; done; : ${mark}\``)
  await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('ready'))
  expect(marked(mark).length).toBeGreaterThan(0)

  const stoppedAt = performance.now()
  await api.cancel(id, { via: 'button' })
  await expect.poll(() => marked(mark), { timeout: 5000, intervals: [50] }).toEqual([])
  expect(performance.now() - stoppedAt).toBeLessThan(5000)

  await atRest(api, id, 5000)
  const stored = storedEvents(given.belay.home, id)
  expect(ofType(stored, 'tool.end')).toMatchObject([
    { data: { status: 'aborted', output: expect.stringMatching(/ready[\s\S]*interrupted/) } },
  ])
  await api.send(id, 'run `echo fine`')
  expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
  expect(isAlive(given.belay.pid)).toBe(true)
})

test('S-E2 (a): Stop ends a pipeline, background jobs, nested shells and a process in a session of its own', async () => {
  const { api } = given
  const mark = mark1()
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await given.reading(id)
  await api.send(id, `run \`${treeOf(mark)}; wait\` with timeout 600 seconds`)
  await reading.event('tool.start')
  await grown(mark)

  await api.cancel(id, { via: 'button' })
  await expect.poll(() => marked(mark), { timeout: 5000, intervals: [50] }).toEqual([])
  expect((await reading.event('turn.end')).data.outcome).toEqual({ kind: 'aborted' })
  await expect.poll(() => zombiesUnder(given.belay.pid), { timeout: 3000 }).toEqual([])
  expectPaired(storedEvents(given.belay.home, id))
})

test('S-E2 (b): the time limit of a command ends the same tree, and the turn goes on', async () => {
  const { api } = given
  const mark = mark1()
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await given.reading(id)
  await api.send(id, `run \`${treeOf(mark)}; wait\` with timeout 2 seconds`)
  await reading.event('tool.start')
  await grown(mark)

  const end = await reading.event('tool.end')
  await expect.poll(() => marked(mark), { timeout: 5000, intervals: [50] }).toEqual([])
  expect(end.data.status).toBe('timed-out')
  expect(await outcomesAtRest(api, id, 1)).toEqual(['completed'])
  await expect.poll(() => zombiesUnder(given.belay.pid), { timeout: 3000 }).toEqual([])
})

test('S-E2 (c): the end of the server ends the same tree', async () => {
  const mark = mark1()
  const belay = await Belay.start()
  try {
    const { id } = await belay.api.create({ model: 'rehearsal/fast' })
    const reading = await StreamReading.open(belay, { sessions: [id] })
    await belay.api.send(id, `run \`${treeOf(mark)}; wait\` with timeout 600 seconds`)
    await reading.event('tool.start')
    await grown(mark)

    const exit = await belay.stop('SIGTERM')
    expect(exit.tookMs).toBeLessThan(5000)
    await expect.poll(() => marked(mark), { timeout: 5000, intervals: [50] }).toEqual([])
  } finally {
    await belay.dispose()
  }
})

test('T8: ending one command by force, also while the turn is stopping, kills its tree at once', async () => {
  const { api } = given
  const mark = mark1()
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await given.reading(id)
  await api.send(id, `run \`trap '' INT TERM; echo ready; while true; do sleep 0.2; done; : ${mark}\``)
  await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('ready'))
  const { callId } = (await reading.event('tool.start')).data
  await api.cancel(id)
  await reading.summary(id, (session) => session.waitingOn.some((wait) => wait.callId === callId && wait.killable))

  const forcedAt = performance.now()
  expect(await api.endCall(id, callId, { force: true })).toEqual({ accepted: true, effect: 'signalled' })
  const end = await reading.event('turn.end')
  expect(end.arrivedAt - forcedAt).toBeLessThan(1000)
  expect(marked(mark)).toEqual([])
  expect(end.data.outcome).toEqual({ kind: 'aborted' })
})

test('T8: ending one command leaves the turn running, and the model goes on with the output so far', async () => {
  const { api } = given
  const mark = mark1()
  const { id } = await api.create({ model: 'rehearsal/fast' })
  const reading = await given.reading(id)
  await api.send(id, `run \`echo early; sleep ${mark}\`, then talk for 5 words`)
  const { callId } = (await reading.event('tool.start')).data
  await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('early'))
  expect(await api.endCall(id, callId)).toEqual({ accepted: true, effect: 'signalled' })
  expect((await reading.event('tool.end')).data).toMatchObject({
    status: 'aborted',
    output: expect.stringContaining('early'),
  })
  expect(await outcomesAtRest(api, id, 1)).toEqual(['completed'])
  expect(marked(mark)).toEqual([])
  expect(await api.endCall(id, callId)).toEqual({ accepted: true, effect: 'none' })
})

/** A mark that the test gives back at its end, whatever happens. */
function mark1(): string {
  const mark = newMark()
  marks.push(mark)
  return mark
}

/** A pipeline, a background job, a shell in a shell, and a process that has left the group. */
function treeOf(mark: string): string {
  return [
    `sleep ${mark} | sleep ${mark} &`,
    `sleep ${mark} &`,
    `sh -c "sh -c 'sleep ${mark}; true'; true" &`,
    `setsid sleep ${mark} & true`,
  ].join(' ')
}

/** Waits until the whole tree is there: five sleeps and the shells around one of them. */
async function grown(mark: string): Promise<void> {
  await expect.poll(() => marked(mark).length, { timeout: 10_000, intervals: [50] }).toBeGreaterThanOrEqual(7)
}
