/** The brake is always there while a turn runs: once, enabled, large enough, within reach of the keyboard, and never mistaken for Send (U1). */
import { expect, type Locator, type Page } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { SessionPage } from '../support/page-session'
import { letIn, test } from '../support/page-test'
import { endMarked, marked, newMark } from '../support/processes'
import { saysThenHangs } from '../support/scripted-models'
import { atRest } from '../support/turns'

const given = givenBelay()

interface Situation {
  readonly name: string
  /** Brings a new session into it and says which session. */
  readonly arrange: (mark: string) => Promise<string>
  /** What the page shows once it is in it. */
  readonly shown: (session: SessionPage) => Locator
}

const situations: readonly Situation[] = [
  {
    name: 'while text streams',
    arrange: async () => {
      const model = given.models.script(saysThenHangs('Here it comes. '))
      const { id } = await given.api.create({ model: model.id })
      await given.api.send(id, 'go')
      return id
    },
    shown: (session) => session.transcript.getByText('Here it comes.'),
  },
  {
    name: 'while a tool runs, with two messages waiting',
    arrange: async (mark) => {
      const { id } = await given.api.create({ model: 'rehearsal/fast' })
      await given.api.send(id, `run \`echo begun; sleep ${mark}\``)
      await given.api.send(id, 'first in the queue')
      await given.api.send(id, 'second in the queue')
      return id
    },
    shown: (session) => session.tool('run_command').getByText('begun', { exact: true }),
  },
  {
    name: 'while a retry waits',
    arrange: async () => {
      const { id } = await given.api.create({ model: 'rehearsal/fast' })
      await given.api.send(id, 'hit a rate limit for 50 seconds')
      return id
    },
    shown: (session) => session.transcript.getByText('Trying again in'),
  },
  {
    name: 'while it is stopping',
    arrange: async () => {
      const { id } = await given.api.create({ model: 'rehearsal/fast' })
      const reading = await given.reading(id)
      await given.api.send(id, 'ignore the signal for 120 seconds')
      await reading.text(id, (text) => text.includes('listen to the signal.')) // from here on it is deaf
      await given.api.cancel(id)
      return id
    },
    shown: (session) => session.stop.getByText('Stopping'),
  },
]

const windows = [
  { name: 'on a phone, 375 px', use: { viewport: { width: 375, height: 720 }, hasTouch: true, isMobile: true } },
  { name: 'at 1280 px', use: { viewport: { width: 1280, height: 720 } } },
] as const

for (const { name, use } of windows) {
  test.describe(name, () => {
    test.use(use)
    for (const { name: situation, arrange, shown } of situations) {
      test(`U1: S-M4: ${name} there is exactly one Stop, enabled and within reach, ${situation}`, async ({
        page,
        context,
      }) => {
        const mark = newMark()
        try {
          const id = await arrange(mark)
          await letIn(context, given.belay)
          const session = await SessionPage.open(page, given.belay.url, id)
          await expect(shown(session)).toBeVisible()
          await expectOneStop(session, 'hasTouch' in use ? 40 : 32)
          await expect(session.send).toHaveCount(0)
          await reachesByTab(page, session.box, session.stop)

          await session.box.fill('a draft')
          await expectOneStop(session, 'hasTouch' in use ? 40 : 32)
          await expect(session.queueButton).toBeEnabled()
          await reachesByTab(page, session.box, session.stop)
          expect(await lookOf(session.stop)).not.toEqual(await lookOf(session.queueButton))

          await session.stop.click()
          if (!situation.includes('stopping')) {
            await session.ended('aborted', 1)
            await expect(session.send).toBeEnabled()
            await expect(session.box).toHaveValue('a draft')
          }
          expect(marked(mark)).toEqual([])
        } finally {
          endMarked(mark)
        }
      })
    }
  })
}

test('U1: Send and Stop share one place and differ in word, shape and colour', async ({ page, context }) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const { id } = await given.api.create({ model: model.id })
  await letIn(context, given.belay)
  const session = await SessionPage.open(page, given.belay.url, id)
  await session.box.fill('go')
  const sendPlace = await session.send.boundingBox()
  const sendLook = await lookOf(session.send)
  await session.send.click()
  await expect(session.stop).toBeVisible()
  const place = await session.stop.boundingBox()
  expect(await lookOf(session.stop)).not.toEqual(sendLook)
  expect(place?.y).toBe(sendPlace?.y)
  // The menu beside Stop closes the row, so their right edges are a small button apart.
  expect(Math.abs((place?.x ?? 0) + (place?.width ?? 0) - (sendPlace?.x ?? 0) - (sendPlace?.width ?? 0))).toBeLessThan(
    40,
  )
  await session.stop.click()
  await session.ended('aborted', 1)
})

test('U1: End this command has another name, ends the command alone, and the turn goes on', async ({
  page,
  context,
}) => {
  const mark = newMark()
  const { id } = await given.api.create({ model: 'rehearsal/fast' })
  await given.api.send(id, `run \`echo begun; sleep ${mark}\`, then talk for 6 words`)
  await letIn(context, given.belay)
  const session = await SessionPage.open(page, given.belay.url, id)
  const card = session.tool('run_command')
  await expect(card).toContainText('begun')
  await card.getByRole('button', { name: 'End this command' }).click()
  await session.ended('completed', 1)
  await expect(card).toHaveAttribute('data-tool-state', 'aborted')
  expect(marked(mark)).toEqual([])
  expect((await atRest(given.api, id)).lastOutcome).toEqual({ kind: 'completed' })
})

async function expectOneStop(session: SessionPage, leastHeight: number): Promise<void> {
  await expect(session.stop).toHaveCount(1)
  await expect(session.stop).toBeEnabled()
  await expect(session.stop).toBeInViewport({ ratio: 1 })
  const place = await session.stop.boundingBox()
  expect(place?.height).toBeGreaterThanOrEqual(leastHeight)
  expect(place?.width).toBeGreaterThanOrEqual(leastHeight)
}

async function reachesByTab(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.focus()
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Tab')
    if (await to.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error('Tab does not lead from the box to Stop.')
}

function lookOf(button: Locator): Promise<{ word: string; ground: string }> {
  return button.evaluate((element) => ({
    word: element.textContent ?? '',
    ground: getComputedStyle(element).backgroundColor,
  }))
}
