/** Many tabs of one browser share one stream, and each of them works (W8). */
import { expect, type Page } from '@playwright/test'
import type { SessionId } from '@/lib/contract/ids'
import { givenBelay } from '../support/given-belay'
import { slowness } from '../support/page-probe'
import { SessionPage } from '../support/page-session'
import { letIn, test } from '../support/page-test'
import { connectionsAt } from '../support/processes'
import { saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { outcomesAtRest, textsIn } from '../support/turns'

const given = givenBelay()

test('S-K2: eight tabs hold one connection; the eighth loads, sends and stops', async ({ context }) => {
  test.slow()
  await letIn(context, given.belay)
  const model = given.models.script(saysThenHangs('On it. '))
  const tabs: SessionPage[] = []
  for (let n = 1; n <= 8; n += 1) {
    const { id } = await given.api.create({ model: model.id, title: `Session ${n}` })
    tabs.push(await SessionPage.open(await context.newPage(), given.belay.url, id))
  }
  const eighth = tabs.at(-1)
  if (!eighth) throw new Error('No tab was opened.')
  const tookMs = await loadTime(eighth.page)
  expect(tookMs).toBeLessThan(3_000 * slowness())
  // Connections of answered requests are closed a few seconds later; what stays is the stream.
  await expect.poll(() => connectionsAt(given.belay.port), { timeout: 30_000 }).toBe(1)

  await eighth.page.bringToFront()
  await eighth.say('go')
  await expect(eighth.transcript).toContainText('On it.')
  const first = tabs[0]
  await expect(first?.page.getByRole('link', { name: /Session 8.*Running/ }) ?? eighth.box).toBeVisible()
  await eighth.stop.click()
  await eighth.ended('aborted', 1)
  await expect(first?.page.getByRole('link', { name: /Session 8.*Stopped by you/ }) ?? eighth.box).toBeVisible()
  expect(await outcomesAtRest(given.api, eighth.id, 1)).toEqual(['aborted'])
})

for (const way of ['the SharedWorker', 'a leader tab, where there is no SharedWorker'] as const) {
  test(`S-K2: with ${way}, closing the tab that came first loses nothing for the others`, async ({ context }) => {
    await letIn(context, given.belay)
    if (way.startsWith('a leader')) {
      await context.addInitScript(() => Reflect.deleteProperty(window, 'SharedWorker'))
    }
    const model = given.models.script([{ kind: 'stamps', count: 240, perSecond: 40 }])
    const { id } = await given.api.create({ model: model.id })
    const tabs: SessionPage[] = []
    for (let n = 1; n <= 3; n += 1) tabs.push(await openTab(await context.newPage(), id))
    const [first, second, third] = tabs
    if (!first || !second || !third) throw new Error('Three tabs are needed.')
    await second.page.bringToFront()
    await second.say('talk')
    await expect.poll(async () => (await third.written()).split(' ').length).toBeGreaterThan(20)
    await first.page.close()
    for (const tab of [second, third]) await tab.newestEnded('completed')
    const [stored = ''] = textsIn(storedEvents(given.belay.home, id))
    const words = (text: string) => text.trim().split(/\s+/)
    expect(words(stored)).toHaveLength(240)
    // A long text is on the page only around the view: what is there is the end of what was sent, word for word.
    for (const tab of [second, third]) {
      const shown = words(await tab.written())
      expect(shown).toEqual(words(stored).slice(-shown.length))
      expect(shown.length).toBeGreaterThan(50)
    }

    await third.say('and again')
    await expect(second.stop).toBeVisible()
    await second.stop.click()
    await third.newestEnded('aborted')
    await expect.poll(() => connectionsAt(given.belay.port), { timeout: 30_000 }).toBe(1)
  })
}

function openTab(page: Page, id: SessionId): Promise<SessionPage> {
  return SessionPage.open(page, given.belay.url, id)
}

function loadTime(page: Page): Promise<number> {
  return page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    return entry ? entry.domContentLoadedEventEnd : Number.NaN
  })
}
