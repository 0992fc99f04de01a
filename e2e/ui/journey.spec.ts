/** One session from the token link to a crash and back, as a person lives it: the page is looked at first, then the disk and the process table. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { ofType } from '../support/api'
import { awake } from '../support/page-awake'
import { HomePage } from '../support/page-home'
import { measureNextStop, probed, slowness, startProbe } from '../support/page-probe'
import { SessionPage } from '../support/page-session'
import { test } from '../support/page-test'
import { marked } from '../support/processes'
import { storedDrafts, storedEvents } from '../support/stored'
import { expectContiguous, expectPaired, outcomesIn, textsIn } from '../support/turns'

test('U2: a command that never ends is watched, stopped, kept, answered after, reloaded, and its next turn survives a kill -9', async ({
  own,
  page,
  watch,
}) => {
  test.slow()
  watch.expectFailingRequests()
  const belay = await own.start()

  await test.step('without the token nobody gets in, and the page says how to', async () => {
    await page.goto(belay.url)
    await expect(page.locator('body')).toContainText('token')
    await expect(page.getByRole('textbox', { name: 'First message' })).toHaveCount(0)
  })

  await page.goto(`${belay.url}/?token=${belay.token}`)
  await expect(page).toHaveURL(`${belay.url}/`)
  const home = new HomePage(page)
  await awake(home.box)
  const workspace = path.join(belay.workspace)
  await expect(home.workspace).toHaveValue(workspace)
  const session = await home.start(
    `run \`sleep ${own.mark} & while true; do echo line $((n=n+1)); sleep 1; done\` with timeout 600 seconds`,
    { workspace, model: 'rehearsal/script', leave: 'Full access' },
  )
  const card = session.tool('run_command')

  await test.step('the lines appear one by one, and the command really runs', async () => {
    await expect(card).toContainText('line 2')
    await expect(card).toContainText('line 3')
    await expect(card).toHaveAttribute('data-tool-state', 'running')
    expect(marked(own.mark).length).toBeGreaterThanOrEqual(2)
  })

  await test.step('Stop says so at once, and the whole process tree is gone when the page says stopped', async () => {
    await startProbe(page)
    const stopShown = await measureNextStop(page)
    await session.stop.click()
    const shown = await stopShown()
    expect(shown.frames, 'it is said in the next frame').toBe(0)
    expect(shown.ms).toBeLessThanOrEqual(200 * slowness())
    await session.ended('aborted', 1)
    expect(marked(own.mark)).toEqual([])
    await expect(session.footers().last()).toContainText('Stopped by you')
    await expect(session.state).toHaveText('Stopped by you')
    expect((await probed(page)).states).toEqual(['running', 'stopping', 'stopped'])
    await expect(card).toHaveAttribute('data-tool-state', 'aborted')
    await expect(card).toContainText('line 3')
  })

  await test.step('the disk says the same', async () => {
    const events = storedEvents(belay.home, session.id)
    expectPaired(events)
    expect(outcomesIn(events)).toEqual(['aborted'])
    expect(ofType(events, 'control.requested')).toMatchObject([
      { data: { action: 'cancel', via: 'button', by: { kind: 'user' } } },
    ])
    expect(ofType(events, 'tool.end')).toMatchObject([
      { data: { status: 'aborted', output: expect.stringContaining('line 3') } },
    ])
  })

  await test.step('another message is answered, and a reload shows everything', async () => {
    await session.say('write notes.txt: kept on a rope')
    await session.ended('completed', 2)
    expect(existsSync(path.join(workspace, 'notes.txt'))).toBe(true)
    await page.reload()
    await awake(session.box)
    await expect(session.footers()).toHaveCount(2)
    await expect(session.messages).toHaveCount(2)
    await expect(session.footers().first()).toContainText('Stopped by you')
    await expect(card).toContainText('line 3')
    await expect(session.tool('write_file')).toHaveAttribute('data-tool-state', 'ok')
  })

  await test.step('killed in the middle of a reply, the page says at once that the server does not answer', async () => {
    await session.say('talk for 2000 words at 60 words per second')
    await expect.poll(async () => (await session.written('newest')).split(' ').length).toBeGreaterThan(60)
    await belay.kill9()
    await expect(session.banner.getByRole('alert')).toContainText('The server does not answer')
    await expect(session.banner).toContainText('What you see may be old')
    await expect(session.composer).toContainText('Your text is kept')
    expect(outcomesIn(storedEvents(belay.home, session.id))).toEqual(['aborted', 'completed'])
  })

  const seen = wordsIn(await session.written('newest'))
  await test.step('started again, the page comes back by itself and tells the truth with the text that was there', async () => {
    await belay.startAgain()
    await expect(session.banner).toHaveCount(0, { timeout: 20_000 })
    await session.newestEnded('orphaned')
    await expect(session.footers().last()).toContainText('Lost at restart')
    await expect(session.state).toHaveText('Lost at restart')
    const events = storedEvents(belay.home, session.id)
    expect(outcomesIn(events)).toEqual(['aborted', 'completed', 'orphaned'])
    const kept = textsIn(events).at(-1) ?? ''
    // 250 ms at 60 words a second are 15 words.
    expect(wordsIn(kept).length).toBeGreaterThanOrEqual(seen.length - 15)
    const lastWords = wordsIn(kept).slice(-3).join(' ')
    expect(wordsIn(await session.written('newest')).join(' ')).toContain(lastWords)
    expectContiguous(events)
    expect(storedDrafts(belay.home)).toBe(0)
  })

  await test.step('and the session goes on', async () => {
    await session.say('write after.txt: still here')
    await session.newestEnded('completed')
    expect(outcomesIn(storedEvents(belay.home, session.id)).at(-1)).toBe('completed')
  })
})

/** Words without their markdown. */
function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}']+/gu) ?? []
}

test('U8: the history finds a stopped turn by its words and by who stopped it, and opens it at the turn', async ({
  own,
  page,
  home,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id } = await api.create({ model: 'rehearsal/fast', title: 'Hay in August' })
  await api.send(id, 'talk for 700 words at 5000 words per second')
  const reading = await own.read(belay, id)
  await api.send(id, 'run `echo zanzibar; sleep 300`')
  await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('zanzibar'))
  await api.cancel(id)
  await reading.event('turn.end')
  await reading.summary(id, (session) => session.activity === 'idle' && session.lastOutcome?.kind === 'aborted')
  await api.send(id, 'talk for 700 words at 5000 words per second')
  await expect.poll(async () => (await api.turns(`?session=${id}`)).turns.filter((turn) => turn.outcome).length).toBe(3)

  await home(belay)
  await page.getByRole('link', { name: 'History' }).first().click()
  const rows = page.locator('[data-turn]')
  await expect(rows).toHaveCount(3)
  await page.getByRole('searchbox', { name: 'Search turns' }).fill('zanzi')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Stopped by you, over the API')
  await page.getByRole('searchbox', { name: 'Search turns' }).fill('')
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Stopped', exact: true }).click()
  await expect(rows).toHaveCount(1)
  const stopped = await rows.getAttribute('data-turn')
  await rows.click()
  await expect(page).toHaveURL(new RegExp(`/s/${id}\\?turn=${stopped}`))
  const session = new SessionPage(page)
  await awake(session.box)
  await expect(session.tool('run_command')).toBeInViewport()
  await expect(session.footers('aborted')).toBeVisible()
})
