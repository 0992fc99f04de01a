/** Reading while it is written: the view stays or follows, text streams without flicker, and what was on screen stays on screen (U9). */
import { type CDPSession, expect, type Page } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { awake } from '../support/page-awake'
import { noteInTranscript, probed, standsStill, startProbe, watchPlace } from '../support/page-probe'
import type { SessionPage } from '../support/page-session'
import { test } from '../support/page-test'
import { endMarked, newMark } from '../support/processes'
import { times, waited } from '../support/scale'
import { says, saysThenHangs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { outcomesIn, textsIn } from '../support/turns'

const given = givenBelay()

/** A page of text above, then a turn that streams for long. */
function talksForLong() {
  return given.models.script((_request, n) =>
    n === 1
      ? says('A paragraph of an earlier answer, long enough to fill a line or two of the column.\n\n'.repeat(60))
      : Array.from({ length: 400 }, (_, at) => ({
          kind: 'text' as const,
          pieces: [`Sentence ${at} of `, `a growing answer.${at % 4 === 3 ? '\n\n' : ' '}`],
          delayMs: 20,
        })),
  )
}

const hands: readonly {
  readonly name: string
  readonly scroll: (page: Page, session: SessionPage) => Promise<void>
}[] = [
  {
    name: 'by wheel',
    scroll: async (page, session) => {
      await session.transcript.hover()
      await page.mouse.wheel(0, -400)
    },
  },
  {
    name: 'by keyboard',
    scroll: async (page, session) => {
      await session.transcript.focus()
      for (let press = 0; press < 10; press += 1) await page.keyboard.press('ArrowUp')
    },
  },
  { name: 'by touch', scroll: (page, session) => swipe(page, session, 400) },
]

for (const { name, scroll } of hands) {
  test.describe(name, () => {
    test.use({ hasTouch: name === 'by touch' })
    test(`S-M3: a view scrolled up ${name} stays within 2 px while text streams and when it is stopped, and a control leads back`, async ({
      page,
      open,
    }) => {
      const { id } = await given.api.create({ model: talksForLong().id })
      const session = await open(given.belay, id)
      await session.say('first')
      await session.newestEnded('completed')
      await session.say('second')
      await expect(session.transcript).toContainText('Sentence 12 of')
      await expect(session.toNewest).toHaveCount(0)

      await scroll(page, session)
      await standsStill(page)
      await expect(session.toNewest).toBeVisible()
      expectStill(await watchPlace(page, Math.max(1_500, waited(10_000))))
      const whileStopping = watchPlace(page, 1_500)
      await session.stop.click()
      expectStill(await whileStopping)
      await expect(session.stop).toHaveCount(0)
      expect(outcomesIn(storedEvents(given.belay.home, id))).toEqual(['completed', 'aborted'])

      await session.toNewest.click()
      await expect(session.toNewest).toHaveCount(0)
      await expect(session.footers('aborted')).toBeInViewport()
      await session.say('third')
      await expect(session.transcript).toContainText('Sentence 12 of')
      expectFollowed(await watchPlace(page, 1_000))
      await session.stop.click()
    })
  })
}

test('U9: a view at the end follows the live output of a command', async ({ page, open }) => {
  const mark = newMark()
  try {
    const { id } = await given.api.create({ model: 'rehearsal/fast' })
    const session = await open(given.belay, id)
    await session.say('talk for 400 words at 5000 words per second')
    await session.newestEnded('completed')
    await session.say(`run \`for n in $(seq 1 400); do echo line $n; sleep 0.05; done; sleep ${mark}\``)
    await expect(session.tool('run_command')).toContainText('line 3')
    expectFollowed(await watchPlace(page, 2_000))
    await expect(session.tool('run_command')).toContainText('more lines, show all')
    expectFollowed(await watchPlace(page, 500))
    await expect(session.stop).toBeInViewport({ ratio: 1 })
    await session.stop.click()
    await session.newestEnded('aborted')
    await expect(session.footers('aborted')).toBeInViewport({ ratio: 1 })
  } finally {
    endMarked(mark)
  }
})

test('U9: markdown streams as what it will be: no half-written mark is ever shown, code is coloured and can be copied', async ({
  page,
  context,
  open,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const text = [
    'Some **very bold** words and `inline code` here.\n\n',
    '1. the **first** point\n2. the second point\n\n',
    '```ts\nconst answer = 42\nconst question = "unknown"\n```\n\n',
    'The end of **it**.',
  ].join('')
  const model = given.models.script([{ kind: 'text', pieces: text.match(/[\s\S]{1,3}/g) ?? [], delayMs: 15 }])
  const { id } = await given.api.create({ model: model.id })
  const session = await open(given.belay, id)
  await startProbe(page)
  await noteInTranscript(page, /\*\*?|```|`/)
  await session.say('write')
  await session.ended('completed', 1)
  expect((await probed(page)).seen).toEqual([])
  await expect(session.transcript.locator('strong')).toHaveText(['very bold', 'first', 'it'])
  await expect(session.transcript.locator('ol > li')).toHaveText(['the first point', 'the second point'])
  const code = session.transcript.locator('pre')
  await expect(code).toHaveText(/const answer = 42/)
  await expect.poll(() => coloursOf(page)).toBeGreaterThan(1)
  await session.transcript.getByRole('button', { name: 'Copy code' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'const answer = 42\nconst question = "unknown"',
  )
  expect(textsIn(storedEvents(given.belay.home, id))).toEqual([text])
})

test('S-G3: the text on screen when it was stopped is the same after a reload and after a restart, and the model gets it back', async ({
  page,
  own,
  open,
}) => {
  test.slow()
  const belay = await own.start()
  const whole = [
    'Here is **how** it works.\n\n',
    '```python\nfor name in names:\n    print(name)\n```\n\n',
    '- one\n- two\n- three\n\nAnd a last paragraph, with a few more words than before.',
  ].join('')
  const rounds = times(20, { least: 3 })
  const stopped: { readonly id: string; readonly shown: string; readonly cut: number }[] = []
  const model = own.models.script((request) => {
    const cut = Number(/cut at (\d+)/.exec(JSON.stringify(request.body))?.[1])
    return saysThenHangs(whole.slice(0, cut))
  })
  for (let round = 0; round < rounds; round += 1) {
    // Spread over the text, a code fence and a list included, at another place in every round.
    const cut = Math.max(9, Math.floor(((round + 0.15 + 0.7 * Math.random()) / rounds) * whole.length))
    await test.step(`stopped at character ${cut}`, async () => {
      const { id } = await belay.api.create({ model: model.id })
      const session = await open(belay, id)
      await session.say(`cut at ${cut}`)
      await expect(session.transcript).toContainText('Here is')
      await session.stop.click()
      await session.ended('aborted', 1)
      const shown = await session.written()
      expect(textsIn(storedEvents(belay.home, id))).toEqual([whole.slice(0, cut)])
      await page.reload()
      await awake(session.box)
      await expect(session.messages).toContainText(`cut at ${cut}`)
      expect(await session.written()).toBe(shown)
      stopped.push({ id, shown, cut })
    })
  }
  await page.goto('about:blank')
  await belay.restart()
  for (const { id, shown, cut } of stopped) {
    const session = await open(belay, id)
    await expect(session.messages).toContainText(`cut at ${cut}`)
    expect(await session.written(), `stopped at character ${cut}`).toBe(shown)
    await expect(session.footers('aborted')).toContainText('Stopped by you')
  }
  const [first] = stopped
  if (!first) throw new Error('No round was played.')
  await belay.api.send(first.id, 'go on')
  await expect.poll(() => model.requests().length).toBe(rounds + 1)
  const sent = JSON.stringify(model.requests().at(-1)?.body)
  expect(sent).toContain(JSON.stringify(whole.slice(0, first.cut).trim()).slice(1, -1))
})

function expectStill(places: Awaited<ReturnType<typeof watchPlace>>): void {
  expect(places.length).toBeGreaterThan(5)
  const tops = places.map((place) => place.top)
  expect(Math.max(...tops) - Math.min(...tops), 'pixels that the row moved').toBeLessThan(2)
}

function expectFollowed(places: Awaited<ReturnType<typeof watchPlace>>): void {
  expect(places.length).toBeGreaterThan(5)
  expect(Math.max(...places.map((place) => place.beyond)), 'pixels of the last row that are out of sight').toBeLessThan(
    4,
  )
}

function coloursOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const spans = [...document.querySelectorAll('[data-transcript] pre span span')]
    return new Set(spans.map((span) => getComputedStyle(span).color)).size
  })
}

/** A finger that draws the text down, as the browser's own input. */
async function swipe(page: Page, session: SessionPage, distance: number): Promise<void> {
  const place = await session.transcript.boundingBox()
  if (!place) throw new Error('There is no transcript in sight.')
  const client: CDPSession = await page.context().newCDPSession(page)
  const x = place.x + place.width / 2
  const from = place.y + 60
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  await touch('touchStart', from)
  for (let moved = 20; moved <= distance; moved += 20) await touch('touchMove', from + moved)
  await touch('touchEnd', from + distance)
  await client.detach()
}
