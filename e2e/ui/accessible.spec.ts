/** For everybody: no serious violation, everything by keyboard, said to who cannot see it, and no page wider than its window (U10). */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Locator, type Page } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { awake } from '../support/page-awake'
import { probed, startProbe } from '../support/page-probe'
import { SessionPage } from '../support/page-session'
import { letIn, test } from '../support/page-test'
import { endMarked, marked, newMark } from '../support/processes'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { atRest, outcomesIn } from '../support/turns'

const given = givenBelay()

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Place {
  readonly name: string
  readonly path: () => Promise<string>
  readonly ready: (page: Page) => Locator
}

const richAnswer = [
  '# A heading\n\nSome **bold** text with [a link](https://example.com/a/long/path) and `code`.\n\n',
  '| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```ts\nconst answer = 42 // the one\n```\n\n> quoted\n\n- [x] done\n- [ ] open\n',
].join('')

const places: readonly Place[] = [
  { name: 'the empty screen', path: async () => '/', ready: (page) => page.getByLabel('First message') },
  { name: 'an idle session', path: () => session('idle'), ready: (page) => page.getByText('A heading') },
  {
    name: 'a running session with a queue',
    path: () => session('running'),
    ready: (page) => page.getByRole('button', { name: 'Stop this turn' }),
  },
  {
    name: 'a stopped session, paused',
    path: () => session('stopped'),
    ready: (page) => page.getByRole('button', { name: 'Resume' }),
  },
  { name: 'the history', path: async () => '/history', ready: (page) => page.locator('[data-turn]').first() },
  { name: 'the settings', path: async () => '/settings', ready: (page) => page.getByRole('heading', { name: 'Keys' }) },
]

/** Prepared once per file: a session in each state. */
const prepared = new Map<string, Promise<string>>()

function session(state: 'idle' | 'running' | 'stopped'): Promise<string> {
  const known = prepared.get(state)
  if (known) return known
  const made = prepare(state)
  prepared.set(state, made)
  return made
}

async function prepare(state: 'idle' | 'running' | 'stopped'): Promise<string> {
  const { api } = given
  const model = given.models.script((_request, n) => (n === 1 ? says(richAnswer) : saysThenHangs('On it. ')))
  const { id } = await api.create({ model: model.id, title: `A session that is ${state}` })
  await api.send(id, 'Tell me about the answer')
  await atRest(api, id)
  if (state === 'idle') return `/s/${id}`
  const reading = await given.reading(id)
  await api.send(id, 'And more')
  await reading.text(id, (text) => text !== '')
  await api.send(id, 'A waiting message')
  if (state === 'stopped') {
    await api.cancel(id)
    await atRest(api, id)
  }
  return `/s/${id}`
}

for (const { name, path, ready } of places) {
  test(`U10: ${name} has no serious violation, in light and in dark, and is never wider than its window`, async ({
    page,
    context,
  }) => {
    await letIn(context, given.belay)
    await session('stopped')
    await page.goto(given.belay.url + (await path()))
    await expect(ready(page)).toBeVisible()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      const { violations } = await new AxeBuilder({ page }).withTags(standards).analyze()
      const serious = violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join('\n')}`)
      expect.soft(serious, colorScheme).toEqual([])
    }
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 760 })
      expect.soft(await widerThanWindow(page), `at ${width} px`).toEqual([])
    }
  })
}

test('U10: a whole session by keyboard alone: choose, start, queue, steer, stop, resume; the focus is never lost', async ({
  page,
  home,
}) => {
  const mark = newMark()
  try {
    const start = await home(given.belay)
    await expect(start.box).toBeFocused()
    const key = page.keyboard
    await tabTo(page, start.model)
    for (let press = 0; press < 30 && (await start.model.inputValue()) !== 'rehearsal/fast'; press += 1) {
      await key.press('ArrowDown')
    }
    await expect(start.model).toHaveValue('rehearsal/fast')
    await tabTo(page, page.getByRole('radio', { name: 'Asks first' }))
    await key.press('ArrowRight')
    await key.press('ArrowRight')
    await expect(start.leave('Full access')).toBeChecked()
    await tabTo(page, start.box, 'Shift+Tab')
    await key.type(`run \`echo begun; sleep ${mark}\``)
    await key.press('Enter')
    await expect(page).toHaveURL(/\/s\//)
    const session = new SessionPage(page)
    await awake(session.box)
    await expect(session.tool('run_command')).toContainText('begun')

    await tabTo(page, session.box)
    await key.type('write notes.txt: one')
    await key.press('Enter')
    await expect(session.queued).toHaveCount(1)
    await expect(session.box).toBeFocused()
    await tabTo(page, session.stop)
    await key.press('Enter')
    await session.ended('aborted', 1)
    expect(marked(mark)).toEqual([])
    await expect(session.box, 'the Stop that had the focus is gone').toBeFocused()

    await tabTo(page, session.queue.getByRole('button', { name: 'Resume' }), 'Shift+Tab')
    await key.press('Enter')
    await session.ended('completed', 2)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName ?? 'BODY')).not.toBe('BODY')
    expect(outcomesIn(storedEvents(given.belay.home, session.id))).toEqual(['aborted', 'completed'])
  } finally {
    endMarked(mark)
  }
})

test('U10: started, stopping and stopped are said once each, and no token is', async ({ page, open }) => {
  const { id } = await given.api.create({ model: 'rehearsal/script' })
  const session = await open(given.belay, id)
  await startProbe(page)
  await session.say('talk for 200 words at 100 words per second')
  await session.ended('completed', 1)
  await session.say('ignore the signal for 4 seconds')
  await expect(session.state).toHaveText('Running')
  await session.stop.click()
  await session.ended('aborted', 2)
  await expect.poll(async () => (await probed(page)).said.at(-1)).toBe('Stopped by you')
  // A stop that is over at once may pass before *Stopping* is read out; S-A3 holds one open and hears it.
  const { said } = await probed(page)
  expect(said.filter((words) => words !== 'Stopping')).toEqual(['Started', 'Done', 'Started', 'Stopped by you'])
})

test('U10: every focus is visible: 2 px around whatever has it', async ({ page, open }) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const { id } = await given.api.create({ model: model.id })
  await given.api.send(id, 'go')
  const session = await open(given.belay, id)
  await expect(session.transcript).toContainText('On it.')
  const bare: string[] = []
  for (let press = 0; press < 25; press += 1) {
    await page.keyboard.press('Tab')
    const bareHere = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      // A box that belongs to a text field, or the row around a radio, may show it in its place.
      const shown = [element, element.parentElement, element.closest('label')].some((candidate) => {
        if (!candidate) return false
        const { outlineStyle, outlineWidth } = getComputedStyle(candidate)
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
      })
      return shown ? null : element.outerHTML.slice(0, 120)
    })
    if (bareHere !== null) bare.push(bareHere)
  }
  expect(bare).toEqual([])
  await session.stop.click()
})

/** What sticks out of the window to the right, except what lies in a box that scrolls by itself. */
function widerThanWindow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found = scrollWidth > clientWidth ? [`the page: ${scrollWidth} > ${clientWidth}`] : []
    for (const box of document.querySelectorAll<HTMLElement>('main, [data-transcript]')) {
      if (box.scrollWidth > box.clientWidth + 1) {
        found.push(`${box.dataset.transcript === undefined ? 'main' : 'transcript'}: ${box.scrollWidth}`)
      }
    }
    return found
  })
}

async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${key} does not lead to ${String(target)}.`)
}
