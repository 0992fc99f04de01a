/** A person's stop and a provider's failure are two things and never swap; whichever way a turn ends, the session is free again. */
import { expect, test } from '@playwright/test'
import { ofType } from '../support/api'
import { alarmsIn, givenBelay } from '../support/given-belay'
import { type ServerStep, says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, outcomesAtRest, outcomesIn, textsIn } from '../support/turns'

const given = givenBelay()

const unluckyModels: readonly { name: string; steps: readonly ServerStep[] }[] = [
  { name: 'never answers', steps: [{ kind: 'hang' }] },
  { name: 'hangs in the middle of a sentence', steps: saysThenHangs('Half a sent') },
  {
    name: 'hangs in the middle of a thought',
    steps: [{ kind: 'reasoning', pieces: 'Hm', open: true }, { kind: 'hang' }],
  },
  {
    name: 'hangs in the middle of a tool’s input',
    steps: [{ kind: 'call', name: 'read_file', input: { path: 'a.txt' }, half: true }, { kind: 'hang' }],
  },
  { name: 'never stops talking', steps: [{ kind: 'stamps', count: 100_000, perSecond: 200 }] },
  {
    name: 'sends an error when it is asked to stop',
    steps: [
      { kind: 'text', pieces: 'Well. ' },
      { kind: 'wait', ms: 300 },
      { kind: 'error', type: 'server_error', message: 'boom' },
    ],
  },
]

for (const { name, steps } of unluckyModels) {
  test(`S-B1: after a Stop of a model that ${name} the session is idle within 2 s and the next prompt completes`, async () => {
    const { api } = given
    const model = given.models.script((_request, n) => (n === 1 ? steps : says('Here I am.')))
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'go')
    await expect.poll(() => model.requests().length, { intervals: [10] }).toBe(1)
    if (steps[0]?.kind !== 'hang') await reading.until((frame) => frame.event === 'delta')

    const stoppedAt = performance.now()
    expect(await api.cancel(id, { via: 'button' })).toMatchObject({ effect: 'signalled' })
    await reading.event('turn.end')
    await reading.summary(id, (session) => session.activity === 'idle' && session.lastOutcome?.kind === 'aborted')
    expect(performance.now() - stoppedAt).toBeLessThan(2000)

    await api.send(id, 'and again')
    expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
    expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted', 'completed'])
  })
}

test('S-B1: a model that ignores the signal for 2 s leaves the session idle right after, with one turn.end', async () => {
  const { api } = given
  const { id } = await api.create({ model: 'rehearsal/script' })
  const reading = await given.reading(id)
  await api.send(id, 'ignore the signal for 2 seconds')
  await reading.text(id, (text) => text.includes('signal'))
  const stoppedAt = performance.now()
  await api.cancel(id)
  await reading.summary(id, (session) => session.activity === 'stopping' && session.waitingOn[0]?.kind === 'model')
  const end = await reading.event('turn.end')
  expect(end.arrivedAt - stoppedAt).toBeLessThan(4000)
  await api.send(id, 'talk for 3 words')
  expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
  expect(textsIn(await api.events(id))[0], 'late words are not added').not.toContain('Now I listen')
})

test('S-B4: a Stop is aborted and leaves no error in the server’s log', async () => {
  const { api } = given
  const model = given.models.script(saysThenHangs('Something. '))
  const { id } = await api.create({ model: model.id })
  const reading = await given.reading(id)
  const logged = given.belay.stderr.length
  await api.send(id, 'go')
  await reading.text(id, (text) => text !== '')
  await api.cancel(id, { via: 'button' })
  const end = await reading.event('turn.end')
  await atRest(api, id)
  expect(end.data.outcome).toEqual({ kind: 'aborted' })
  expect(given.belay.stderr.slice(logged)).toBe('')
  const { turns } = await api.turns(`?session=${id}`)
  expect(turns).toMatchObject([{ outcome: { kind: 'aborted' }, requestedBy: 'user', via: 'button' }])
})

const failures: readonly { name: string; steps: readonly ServerStep[]; code: string }[] = [
  {
    name: 'a provider that closes the socket in mid-stream',
    steps: [{ kind: 'text', pieces: 'I had begun. ' }, { kind: 'cut' }],
    code: 'stream-cut',
  },
  {
    name: 'a provider that ends without a finish',
    steps: [{ kind: 'text', pieces: 'I had begun. ' }, { kind: 'end-without-finish' }],
    code: 'stream-cut',
  },
  {
    name: 'a gateway that times out',
    steps: [{ kind: 'answer', status: 504, headers: { 'retry-after': '0' }, body: 'gateway timeout' }],
    code: 'provider-',
  },
]

for (const { name, steps, code } of failures) {
  test(`S-B4: ${name} is a failure with a readable cause, never aborted`, async () => {
    const { api } = given
    const model = given.models.script(steps)
    const { id } = await api.create({ model: model.id })
    await api.send(id, 'go')
    expect(await outcomesAtRest(api, id, 1, 30_000)).toEqual(['failed'])
    const stored = storedEvents(given.belay.home, id)
    const [end] = ofType(stored, 'turn.end')
    const outcome = end?.data.outcome
    expect(outcome).toMatchObject({ kind: 'failed', code: expect.stringContaining(code) })
    expect(outcome?.kind === 'failed' && outcome.message).toMatch(/^[A-Z].{10,}\.$/)
    expect(ofType(stored, 'control.requested')).toEqual([])
    const { turns } = await api.turns(`?session=${id}&outcome=failed`)
    expect(turns).toMatchObject([{ requestedBy: null, via: null }])
    expect(alarmsIn(given.belay.stderr)).toEqual([])
  })
}
