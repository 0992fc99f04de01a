/** From the press to the end: what the page says while a turn winds down, and when the Stop itself fails (U2). */
import { expect, type Page } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { measureNextStop, probed, slowness, startProbe } from '../support/page-probe'
import { test } from '../support/page-test'
import { endMarked, marked, newMark } from '../support/processes'
import { waited } from '../support/scale'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { outcomesIn, textsIn } from '../support/turns'

const given = givenBelay()

test('S-A3: one press is answered within 200 ms, stays honest while a deaf model winds down, and Send comes back by itself', async ({
  page,
  open,
}) => {
  const seconds = Math.max(6, waited(8_000) / 1_000)
  const { id } = await given.api.create({ model: 'rehearsal/script' })
  const session = await open(given.belay, id)
  await session.say(`ignore the signal for ${seconds} seconds, then talk for 20 words`)
  await expect(session.stop).toBeVisible()
  await expect(session.state).toHaveText('Running')
  await startProbe(page)
  const stopShown = await measureNextStop(page)
  await session.stop.click()
  const shown = await stopShown()
  expect(shown.frames, 'it is said in the next frame').toBe(0)
  expect(shown.ms).toBeLessThanOrEqual(200 * slowness())
  await expect(session.stoppingLine).toContainText(/waiting for the model, \d+ s/)
  await expect(session.stop).toHaveText(/Stopping [1-9] s/)
  expect((await given.api.session(id)).activity).toBe('stopping')
  await session.stop.click()

  await session.ended('aborted', 1)
  await expect(session.box).toBeEditable()
  const { states, said } = await probed(page)
  expect(states, 'never idle in between').toEqual(['running', 'stopping', 'stopped'])
  // The start may be announced before or after the probe began to listen.
  expect(said.filter((words) => words !== 'Started')).toEqual(['Stopping', 'Stopped by you'])
  const events = storedEvents(given.belay.home, id)
  expect(ofType(events, 'control.requested')).toHaveLength(1)
  expect(outcomesIn(events)).toEqual(['aborted'])
})

test('U2: a command that ignores the signal is named after a second, and Kill now ends it at once', async ({
  open,
}) => {
  const mark = newMark()
  try {
    const { id } = await given.api.create({ model: 'rehearsal/fast' })
    const session = await open(given.belay, id)
    await session.say(`run \`trap '' TERM; echo deaf; while :; do sleep ${mark}; done\``)
    await expect(session.tool('run_command')).toContainText('deaf')
    const before = marked(mark)
    expect(before.length).toBeGreaterThan(0)
    await session.stop.click()
    const kill = session.composer.getByRole('button', { name: 'Kill run_command now' })
    // The time for it is short: the process border ends such a command 2 s after the signal by itself.
    await kill.dispatchEvent('click')
    await expect(session.stoppingLine.or(session.footers('aborted'))).toBeVisible()
    await session.ended('aborted', 1)
    expect(marked(mark)).toEqual([])
    const events = storedEvents(given.belay.home, id)
    expect(ofType(events, 'control.requested').map((event) => event.data.action)).toEqual(['cancel', 'end-call'])
    expect(ofType(events, 'tool.end')).toMatchObject([{ data: { status: 'aborted' } }])
  } finally {
    endMarked(mark)
  }
})

test('S-D5: a Stop that fails returns to running, says why, and leaves text, queue and draft alone; the next one works', async ({
  page,
  open,
  watch,
}) => {
  watch.expectFailingRequests()
  const model = given.models.script((_request, n) =>
    n === 1 ? [{ kind: 'stamps', count: 2_000, perSecond: 20 }] : says('Never asked for.'),
  )
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('talk')
  await expect(session.stop).toBeVisible()
  await session.say('a waiting message')
  await expect(session.queued).toHaveCount(1)
  await session.box.fill('a draft')

  const failures = [
    { how: 'it is answered 500', answer: { status: 500, body: 'gone wrong' }, says: 'The server answered 500' },
    { how: 'the connection times out', answer: 'timedout', says: 'The server does not answer' },
    { how: 'no answer ever comes', answer: 'silence', says: 'The server does not answer' },
  ] as const
  for (const { how, answer, says: why } of failures) {
    await test.step(how, async () => {
      await page.route('**/cancel', async (route) => {
        if (answer === 'timedout') await route.abort('timedout')
        else if (answer !== 'silence') await route.fulfill(answer)
      })
      await session.stop.click()
      await expect(session.composer.getByRole('alert')).toContainText(`Not stopped. ${why}`, { timeout: 20_000 })
      await expect(session.stop).toHaveText('Stop')
      await expect(session.state).toHaveText('Running')
      const before = (await session.written()).length
      await expect.poll(async () => (await session.written()).length).toBeGreaterThan(before)
      await expect(session.queued).toHaveCount(1)
      await expect(session.box).toHaveValue('a draft')
      await page.unroute('**/cancel')
    })
  }
  expect(ofType(storedEvents(given.belay.home, id), 'control.requested')).toEqual([])

  await session.stop.click()
  await session.ended('aborted', 1)
  await expect(session.composer.getByRole('alert')).toHaveCount(0)
  await expect(session.queue).toContainText('Paused, 1 waiting')
  await expect(session.box).toHaveValue('a draft')
  expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['aborted'])
  expect(model.requests()).toHaveLength(1)
})

test('S-C4: ten presses in one go are one stop: one request on record, one end, the queue untouched, no complaint', async ({
  page,
  open,
}) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('On it.')
  await session.say('first')
  await session.say('second')
  await expect(session.queued).toHaveCount(2)
  await startProbe(page)
  await session.stop.evaluate((button: HTMLButtonElement) => {
    for (let press = 0; press < 10; press += 1) button.click()
  })
  await session.ended('aborted', 1)
  await expect(session.queue).toContainText('Paused, 2 waiting')
  // A stop this quick may pass before *Stopping* is read out; its end is said once.
  const { said } = await probed(page)
  expect(said.filter((words) => words !== 'Started' && words !== 'Stopping')).toEqual(['Paused, 2 waiting'])
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  const events = storedEvents(given.belay.home, id)
  expect(ofType(events, 'control.requested')).toHaveLength(1)
  expect(ofType(events, 'inbox.discarded')).toEqual([])
  expect(outcomesIn(events)).toEqual(['aborted'])
  expect((await given.api.cancel(id)).effect).toBe('none')
  expect(storedEvents(given.belay.home, id)).toEqual(events)
})

test('S-B4: a stop is quiet on the page: nothing red, no alert, also after a reload', async ({ page, open }) => {
  const model = given.models.script(saysThenHangs('Half a '))
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('Half a')
  await session.stop.click()
  await session.ended('aborted', 1)
  for (const round of ['live', 'reloaded']) {
    await test.step(round, async () => {
      await expect(session.footers('aborted')).toContainText('Stopped by you')
      await expect(session.footers('aborted')).toContainText('what was written is kept')
      await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
      expect(await reddened(page)).toEqual([])
    })
    if (round === 'live') await page.reload()
  }
  expect(textsIn(storedEvents(given.belay.home, id))).toEqual(['Half a '])
})

const failures = [
  { name: 'a provider that cuts the connection', steps: [{ kind: 'text', pieces: 'Half a ' }, { kind: 'cut' }] },
  {
    name: 'a provider that times out',
    steps: [{ kind: 'answer', status: 504, headers: { 'retry-after': '0' }, body: 'gateway timeout' }],
  },
] as const

for (const { name, steps } of failures) {
  test(`S-B4: ${name} is a failure with its reason and a Retry, also after a reload, and Retry replaces the turn`, async ({
    page,
    open,
  }) => {
    let mended = false
    const model = given.models.script(() => (mended ? says('A whole answer.') : steps))
    const { id } = await given.api.create({ model: model.id })
    const session = await open(given.belay, id)
    await session.say('go')
    await expect(session.footers('failed')).toBeVisible({ timeout: 40_000 })
    for (const round of ['live', 'reloaded']) {
      await test.step(round, async () => {
        await expect(session.state).toHaveText('Failed')
        await expect(session.footers('failed')).toContainText(/Failed/)
        await expect(session.footers('failed').locator('p')).toContainText(/\w+.*\.\s+[A-Z].{10,}\./)
        expect(await reddened(page)).not.toEqual([])
        await expect(session.footers('failed').getByRole('button', { name: 'Retry' })).toBeEnabled()
      })
      if (round === 'live') await page.reload()
    }
    mended = true
    await session.footers('failed').getByRole('button', { name: 'Retry' }).click()
    await expect(session.transcript).toContainText('A whole answer.')
    await session.ended('completed', 1)
    const events = storedEvents(given.belay.home, id)
    expect(outcomesIn(events)).toEqual(['failed', 'completed'])
    const [failed] = ofType(events, 'turn.end')
    expect(ofType(events, 'inbox.queued').at(-1)?.data.replaces).toBe(failed?.data.turnId)
  })
}

/** Words on the page in the colour of failure. */
function reddened(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const sample = document.createElement('span')
    sample.className = 'text-state-failed'
    document.body.append(sample)
    const red = getComputedStyle(sample).color
    sample.remove()
    return [...document.querySelectorAll('main *')]
      .filter((element) => element.childElementCount === 0 && getComputedStyle(element).color === red)
      .map((element) => element.textContent ?? '')
      .filter((text) => text.trim() !== '')
  })
}
