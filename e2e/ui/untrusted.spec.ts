/** Whatever a model, a tool, a person or a title says is text: nothing of it runs, loads or hides where it leads (W11, S-N2 as far as one session goes). */
import { expect, type Page } from '@playwright/test'
import { givenBelay } from '../support/given-belay'
import { awake } from '../support/page-awake'
import type { SessionPage } from '../support/page-session'
import { test } from '../support/page-test'
import { runs } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { textsIn } from '../support/turns'

const given = givenBelay()

const strike = 'window.belayCanary=1'
const hostile = [
  `<script>${strike}</script>`,
  `<img src="https://evil.example/pixel.png" onerror="${strike}">`,
  `<svg onload="${strike}"><script>${strike}</script></svg>`,
  `<iframe srcdoc="<script>parent.${strike}</script>"></iframe>`,
  `[a harmless page](javascript:${strike})`,
  `[another](data:text/html,<script>${strike}</script>)`,
  '[bank.example](https://evil.example/steal)',
  '![a picture](https://evil.example/picture.png)',
  '![local](/api/sessions)',
  '<a href="https://evil.example" style="position:fixed;inset:0">cover</a>',
  '<style>@import "https://evil.example/a.css"; body{display:none}</style>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example"><button>Stop this turn</button></form>',
]
const hostileText = `${hostile.join('\n\n')}\n\nThe end of it.`

test('W11: hostile text of model, tool, person and title is shown as text: live, reloaded, cut in a tag, in the history', async ({
  page,
  open,
}) => {
  const toolText = `<img src=x onerror="${strike}"><script>${strike}</script>`
  const model = given.models.script((_request, n) => {
    if (n === 1) return [{ kind: 'text', pieces: hostileText.match(/[\s\S]{1,7}/g) ?? [], delayMs: 2 }]
    if (n === 2) return [runs(`printf '%s' '${toolText}'`)]
    if (n === 3) return [{ kind: 'text', pieces: `Before <img src=x onerror="${strike}` }, { kind: 'hang' }]
    return [{ kind: 'text', pieces: 'Fine.' }]
  })
  const title = `<script>${strike}</script> & <b>title</b>`
  const { id } = await given.api.create({ model: model.id, title })
  const session = await open(given.belay, id)
  await session.say(`<img src=x onerror="${strike}"> [me](javascript:${strike})`)
  await session.ended('completed', 1)
  await expect(session.transcript).toContainText('The end of it.')
  await expectHarmless(page, session)
  expect(textsIn(storedEvents(given.belay.home, id))).toEqual([hostileText])

  await session.say('now with a tool')
  await expect(session.transcript).toContainText('Before <img src=x')
  await session.stop.click()
  await session.ended('aborted', 2)
  await session.tool('run_command').getByRole('button').first().click()
  await expect(session.tool('run_command')).toContainText(toolText)
  await expectHarmless(page, session)

  await page.reload()
  await awake(session.box)
  await expect(session.transcript).toContainText('Before <img src=x')
  await session.transcript.focus()
  await page.keyboard.press('Home')
  await expect(session.messages.first()).toContainText(`<img src=x onerror="${strike}">`)
  await expectHarmless(page, session)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(title)

  await page.goto(`${given.belay.url}/history?query=${encodeURIComponent('<img')}`)
  await expect(page.locator('[data-turn]')).toHaveCount(2)
  await expect(page.locator('[data-turn]').first()).toContainText('<img')
  expect(await harmIn(page)).toEqual([])
})

async function expectHarmless(page: Page, session: SessionPage): Promise<void> {
  expect(await harmIn(page)).toEqual([])
  // Nothing that was written may look like the brake: there is one while a turn runs, else none.
  await expect(session.stop).toHaveCount(0)
  for (const link of await session.transcript.getByRole('link').all()) {
    const [href, row] = await link.evaluate((element: HTMLAnchorElement) => [
      element.href,
      element.parentElement?.textContent ?? '',
    ])
    expect(href).toMatch(/^(https?|mailto):/)
    expect(row, 'the target stands beside the words').toContain(new URL(href).host)
    expect(await link.getAttribute('rel')).toContain('noopener')
  }
}

/** What ran, or was made into more than text. */
function harmIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const harm = 'belayCanary' in window ? ['a script ran'] : []
    const made = 'main script, main img, main iframe, main object, main embed, main style, main base, main svg script'
    for (const element of document.querySelectorAll(`${made}, main [data-transcript] form`))
      harm.push(element.outerHTML)
    for (const element of document.querySelectorAll('main *')) {
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || /^\s*(javascript|data|vbscript):/i.test(value)) harm.push(`${name}=${value}`)
      }
    }
    return harm
  })
}
