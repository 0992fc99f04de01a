/** Enter, Esc and input methods: one press does one thing (U3). */
import { expect, type Locator } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { awake } from '../support/page-awake'
import { test } from '../support/page-test'
import { pause } from '../support/scale'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'

const given = givenBelay()

/** The two orders in which browsers tell of an Enter that confirms a candidate. */
const orders = ['keydown while composing, then compositionend', 'compositionend, then keydown with code 229'] as const

for (const order of orders) {
  test(`S-M1: the Enter of an input method sends nothing from any box (${order})`, async ({ page, open, home }) => {
    const model = given.models.script((_request, n) => (n === 1 ? saysThenHangs('On it. ') : says('Done.')))
    const { id } = await given.api.create({ model: model.id, title: 'A title' })
    const session = await open(given.belay, id)
    const changing: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && changing.push(`${request.method()} ${request.url()}`))

    await test.step('the composer', async () => {
      await session.box.fill('你好')
      await confirmCandidate(session.box, order)
      await expect(session.box).toHaveValue('你好')
      expect(changing).toEqual([])
      await session.box.press('Shift+Enter')
      await expect(session.box).toHaveValue('你好\n')
      await session.box.press('Enter')
      await expect(session.transcript).toContainText('On it.')
      expect(changing).toHaveLength(1)
    })
    await session.say('等一下')
    await expect(session.queued).toHaveCount(1)
    changing.length = 0

    await test.step('the edit of a waiting message', async () => {
      await session.queue.getByRole('button', { name: 'Edit' }).click()
      const edit = session.queue.getByRole('textbox', { name: 'Edit the waiting message' })
      await edit.fill('再等一下')
      await confirmCandidate(edit, order)
      await expect(edit).toHaveValue('再等一下')
      expect(changing).toEqual([])
      await edit.press('Enter')
      await expect(session.queued).toContainText('再等一下')
      expect(changing).toHaveLength(1)
    })
    changing.length = 0

    await test.step('the title', async () => {
      await page.getByRole('button', { name: 'A title. Rename' }).click()
      const title = page.getByRole('textbox', { name: 'Title' })
      await title.fill('标题')
      await confirmCandidate(title, order)
      await expect(title).toHaveValue('标题')
      expect(changing).toEqual([])
      await title.press('Enter')
      await expect(page.getByRole('button', { name: '标题. Rename' })).toBeVisible()
      expect(changing).toHaveLength(1)
    })
    await session.stop.click()
    await session.ended('aborted', 1)
    const sent = ofType(storedEvents(given.belay.home, id), 'inbox.queued').map((event) => event.data.text)
    expect(sent).toEqual(['你好\n', '等一下'])
    changing.length = 0

    await test.step('the first message', async () => {
      const start = await home(given.belay)
      await start.box.fill('你好')
      await confirmCandidate(start.box, order)
      await expect(start.box).toHaveValue('你好')
      expect(changing).toEqual([])
      await expect(page).toHaveURL(`${given.belay.url}/`)
    })
    await test.step('the search of the history', async () => {
      await page.goto(`${given.belay.url}/history`)
      const search = page.getByRole('searchbox', { name: 'Search turns' })
      await awake(search)
      await search.fill('没有')
      await confirmCandidate(search, order)
      await expect(search).toHaveValue('没有')
    })
  })
}

test('S-M2: one Esc closes the top layer alone and the run goes on; the next one stops', async ({ page, open }) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const { id } = await given.api.create({ model: model.id, title: 'A title' })
  const session = await open(given.belay, id)
  await session.say('go')
  await expect(session.transcript).toContainText('On it.')
  await session.say('waiting')
  await expect(session.queued).toHaveCount(1)

  const layers: { readonly name: string; readonly open: () => Promise<void>; readonly layer: () => Locator }[] = [
    {
      name: 'the menu beside Stop',
      open: () => page.getByRole('button', { name: 'More ways to stop' }).click(),
      layer: () => page.getByRole('menu'),
    },
    {
      name: 'a dialog',
      open: async () => {
        await page.getByRole('button', { name: 'More for this session' }).click()
        await page.getByRole('menuitem', { name: 'Rename' }).click()
      },
      layer: () => page.getByRole('dialog', { name: 'Rename session' }),
    },
    {
      name: 'the palette',
      open: () => page.keyboard.press('ControlOrMeta+k'),
      layer: () => page.getByRole('dialog'),
    },
    {
      name: 'the edit of a waiting message',
      open: () => session.queue.getByRole('button', { name: 'Edit' }).click(),
      layer: () => session.queue.getByRole('textbox'),
    },
    {
      name: 'the edit of the title',
      open: () => page.getByRole('button', { name: 'A title. Rename' }).click(),
      layer: () => page.getByRole('textbox', { name: 'Title' }),
    },
  ]
  for (const { name, open: openLayer, layer } of layers) {
    await test.step(name, async () => {
      await openLayer()
      await expect(layer()).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(layer()).toHaveCount(0)
      await expect(session.stop).toHaveText('Stop')
    })
  }
  await test.step('an input method in the composer', async () => {
    await session.box.fill('你')
    await composingEscape(session.box)
    await expect(session.stop).toHaveText('Stop')
  })
  expect(ofType(storedEvents(given.belay.home, id), 'control.requested')).toEqual([])

  await session.box.press('Escape')
  await session.ended('aborted', 1)
  await expect(session.box).toHaveValue('你')
  expect(ofType(storedEvents(given.belay.home, id), 'control.requested')).toHaveLength(1)
})

test('U3: Esc stops the session in view from anywhere on its page, and does nothing when nothing runs', async ({
  page,
  open,
}) => {
  const model = given.models.script(saysThenHangs('On it. '))
  const inView = await given.api.create({ model: model.id })
  const elsewhere = await given.api.create({ model: model.id })
  await given.api.send(elsewhere.id, 'go')
  const session = await open(given.belay, inView.id)
  await page.keyboard.press('Escape')
  await session.say('go')
  await expect(session.transcript).toContainText('On it.')
  await session.transcript.focus()
  await page.keyboard.press('Escape')
  await session.ended('aborted', 1)
  await page.keyboard.press('Escape')
  expect(ofType(storedEvents(given.belay.home, inView.id), 'control.requested')).toHaveLength(1)
  expect(ofType(storedEvents(given.belay.home, elsewhere.id), 'control.requested')).toEqual([])
  expect((await given.api.session(elsewhere.id)).activity).toBe('running')
  await given.api.cancel(elsewhere.id)
})

async function confirmCandidate(box: Locator, order: (typeof orders)[number]): Promise<void> {
  await box.evaluate((element, safari) => {
    const enter = (init: KeyboardEventInit) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...init }),
      )
    const end = () => element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '好' }))
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    if (safari) {
      end()
      enter({ keyCode: 229, isComposing: false })
    } else {
      enter({ keyCode: 229, isComposing: true })
      end()
    }
    element.dispatchEvent(new KeyboardEvent('keyup', { key: 'Enter', bubbles: true }))
  }, order.startsWith('compositionend'))
  // No hand presses Enter again within a twentieth of a second, which is when the two orders are told apart.
  await pause(100)
}

function composingEscape(box: Locator): Promise<void> {
  return box.evaluate((element) => {
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Escape', keyCode: 229, isComposing: true, bubbles: true, cancelable: true }),
    )
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '' }))
  })
}
