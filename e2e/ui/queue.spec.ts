/** The queue on the screen: kept by Stop, changed by hand, resumed in order; and the prompt that comes back when nothing came of it (U4). */
import { expect } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { test } from '../support/page-test'
import { pause, waited } from '../support/scale'
import { type ScriptedModel, says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { outcomesAtRest, outcomesIn } from '../support/turns'

const given = givenBelay()

/** Hangs in its first turn and answers every later one with its number. */
function hangsFirst(): ScriptedModel {
  return given.models.script((_request, n) => (n === 1 ? saysThenHangs('On it. ') : says(`Answer ${n}.`)))
}

/** What the log says was asked, turn by turn. */
function asked(id: string): string[] {
  return ofType(storedEvents(given.belay.home, id), 'user.message').map((event) => event.data.blocks.at(-1)?.text ?? '')
}

for (const way of ['Resume', 'a new message'] as const) {
  test(`S-D3: Stop pauses the queue, nothing starts by itself, and ${way} plays it in order`, async ({ open }) => {
    const model = hangsFirst()
    const { id } = await given.api.create({ model: model.id })
    const session = await open(given.belay, id)
    await session.say('go')
    await expect(session.transcript).toContainText('On it.')
    await session.say('A')
    await session.say('B')
    await expect(session.queue).toContainText('Queue: 2 waiting')
    await session.stop.click()
    await session.ended('aborted', 1)
    await expect(session.queue).toContainText('Paused, 2 waiting')
    await expect(session.state).toHaveText('Paused, 2 waiting')
    await pause(waited(10_000))
    expect(model.requests()).toHaveLength(1)
    expect(await given.api.session(id)).toMatchObject({ paused: true, activity: 'idle' })
    await expect(session.queued).toHaveText([/A/, /B/])

    if (way === 'Resume') await session.queue.getByRole('button', { name: 'Resume' }).click()
    else await session.say('C')
    const more = way === 'Resume' ? ['A', 'B'] : ['A', 'B', 'C']
    await session.ended('completed', 1 + more.length)
    await expect(session.queue).toHaveCount(0)
    expect(await outcomesAtRest(given.api, id, 1 + more.length)).toEqual(['aborted', ...more.map(() => 'completed')])
    expect(asked(id)).toEqual(['go', ...more])
    expect(model.requests()).toHaveLength(1 + more.length)
  })
}

test('U4: a paused queue can be edited, moved, thinned out, sent from the middle, and cleared', async ({ open }) => {
  const model = hangsFirst()
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('On it.')
  for (const text of ['one', 'two', 'three', 'four']) await session.say(text)
  await expect(session.queued).toHaveCount(4)
  await session.stop.click()
  await expect(session.queue).toContainText('Paused, 4 waiting')
  const row = (text: string) => session.queued.filter({ hasText: text })

  await row('one').getByRole('button', { name: 'Edit' }).click()
  await session.queue.getByRole('textbox').fill('one, but better')
  await session.queue.getByRole('button', { name: 'Save' }).click()
  await expect(session.queued).toHaveText([/one, but better/, /two/, /three/, /four/])
  await row('four').getByRole('button', { name: 'Move up' }).click()
  await expect(session.queued).toHaveText([/one, but better/, /two/, /four/, /three/])
  await row('two').getByRole('button', { name: 'Remove' }).click()
  await expect(session.queued).toHaveText([/one, but better/, /four/, /three/])
  expect(model.requests()).toHaveLength(1)
  await row('three').getByRole('button', { name: 'Send this one now' }).click()
  await session.ended('completed', 4)
  expect(asked(id)).toEqual(['go', 'three', 'one, but better', 'four'])
})

test('U4: Clear empties a paused queue, and Stop and clear the queue does both at once; the log says what became of each', async ({
  page,
  open,
}) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('On it.')
  await session.say('one')
  await expect(session.queued).toHaveCount(1)
  await page.getByRole('button', { name: 'More ways to stop' }).click()
  await page.getByRole('menuitem', { name: 'Stop and clear the queue (1)' }).click()
  await session.ended('aborted', 1)
  await expect(session.queue).toHaveCount(0)

  await session.say('again')
  await expect(session.stop).toBeVisible()
  await session.say('two')
  await expect(session.queued).toHaveCount(1)
  await session.stop.click()
  await session.queue.getByRole('button', { name: 'Clear' }).click()
  await expect(session.queue).toHaveCount(0)
  await session.ended('aborted', 2)
  const discarded = ofType(storedEvents(given.belay.home, id), 'inbox.discarded').map((event) => event.data.reason)
  expect(discarded).toEqual(['cancelled', 'removed'])
  expect(model.requests()).toHaveLength(2)
})

test('U4: a waiting message that is sent now joins the running turn at its next step', async ({ open }) => {
  const model = given.models.script((_request, n) =>
    n === 1
      ? [
          { kind: 'text', pieces: 'Looking. ' },
          { kind: 'gate', name: 'steer-gate' },
          { kind: 'call', name: 'list_files', input: {} },
        ]
      : says('Done.'),
  )
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('Looking.')
  await session.say('and mind the gap')
  await session.queued.getByRole('button', { name: /^Send this one now/ }).click()
  await expect(session.queued).toContainText('joins at the next step')
  given.models.release('steer-gate')
  await session.ended('completed', 1)
  await expect(session.messages.last()).toContainText('joined while running')
  expect(asked(id)).toEqual(['go', 'and mind the gap'])
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['completed'])
})

test('S-D2: a message typed while a tool winds down is never lost: it shows as queued and is answered', async ({
  open,
}) => {
  const { id } = await given.api.create({ model: 'rehearsal/fast' })
  const session = await open(given.belay, id)
  await session.say("run `trap '' TERM; echo begun; while :; do sleep 0.1; done`")
  await expect(session.tool('run_command')).toContainText('begun')
  await session.stop.click()
  await expect(session.stop).toContainText('Stopping')
  await session.box.fill('write late.txt: here')
  await session.box.press('Enter')
  await expect(session.queued).toContainText('write late.txt')
  await session.ended('completed', 2)
  await expect(session.footers().first()).toHaveAttribute('data-turn-outcome', 'aborted')
  await expect(session.queue).toHaveCount(0)
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted', 'completed'])
  expect(asked(id)).toHaveLength(2)
})

test('S-D4: stopped before any output the prompt is back in the box, and sent again it replaces its turn, also after a reload', async ({
  page,
  open,
}) => {
  const model = given.models.script((_request, n) => (n === 1 ? [{ kind: 'hang' }] : says('Now I answer.')))
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('find the bug')
  await expect.poll(() => model.requests().length).toBe(1)
  await session.stop.click()
  await session.ended('aborted', 1)
  await expect(session.footers('aborted')).toContainText('nothing had been written')
  await expect(session.box).toHaveValue('find the bug')

  await page.reload()
  await expect(session.box).toHaveValue('find the bug')
  await session.box.fill('find the bug in upload.ts')
  await session.box.press('Enter')
  await session.ended('completed', 1)
  for (const round of ['live', 'reloaded']) {
    await test.step(round, async () => {
      await expect(session.messages).toHaveCount(1)
      await expect(session.messages).toContainText('find the bug in upload.ts')
      await expect(session.transcript).toContainText('Now I answer.')
      await expect(session.box).toHaveValue('')
    })
    if (round === 'live') await page.reload()
  }
  const events = storedEvents(given.belay.home, id)
  const [first] = ofType(events, 'turn.end')
  expect(ofType(events, 'inbox.queued').at(-1)?.data.replaces).toBe(first?.data.turnId)
  expect(JSON.stringify(model.requests().at(-1)?.body).match(/find the bug/g)).toHaveLength(1)
})

test('S-D4: once something was shown everything stays, and a draft typed meanwhile is never overwritten', async ({
  open,
}) => {
  const model = given.models.script((_request, n) =>
    n === 1 ? saysThenHangs('Three small words ') : n === 2 ? [{ kind: 'hang' }] : says('Fine.'),
  )
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('first')
  await expect(session.transcript).toContainText('Three small words')
  await session.stop.click()
  await session.ended('aborted', 1)
  await expect(session.box).toHaveValue('')
  await expect(session.transcript).toContainText('Three small words')

  await session.say('second')
  await expect.poll(() => model.requests().length).toBe(2)
  await session.box.fill('typed meanwhile')
  await session.stop.click()
  await session.ended('aborted', 2)
  await expect(session.box).toHaveValue('typed meanwhile')
  await session.box.press('Enter')
  await session.ended('completed', 3)
  await expect(session.messages).toHaveCount(3)
  expect(asked(id)).toEqual(['first', 'second', 'typed meanwhile'])
})
