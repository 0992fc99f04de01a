/** A real browser on the production build, with probes that note when things are clicked and shown. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from '@playwright/test'
import type { Belay } from '../e2e/support/server'

/** What the probes wrote down, in epoch milliseconds. */
export interface Probe {
  clickedAt: number
  stoppingAt: number
  stoppedAt: number
  /** One entry per frame of the transcript that showed new stamps: how old the newest stamp was. */
  ages: number[]
}

export async function openBrowser(): Promise<Browser> {
  const debian = '/usr/bin/chromium'
  const executablePath = process.env.BELAY_CHROMIUM || (existsSync(debian) ? debian : undefined)
  return chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) })
}

/** A tab that is let in and watched. */
export async function openPage(browser: Browser, belay: Belay): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.addInitScript('globalThis.__name = (named) => named') // the loader of these files names every function by it
  await page.addInitScript(() => {
    const probe = { clickedAt: 0, stoppingAt: 0, stoppedAt: 0, ages: [] as number[] }
    Object.assign(window, { belayProbe: probe })
    const now = () => performance.timeOrigin + performance.now()
    addEventListener(
      'click',
      (event) => {
        const button = (event.target as Element).closest('button[aria-label="Stop this turn"]')
        if (button)
          Object.assign(probe, { clickedAt: performance.timeOrigin + event.timeStamp, stoppingAt: 0, stoppedAt: 0 })
      },
      { capture: true },
    )
    let last = 0
    new MutationObserver((records) => {
      const at = now()
      if (probe.clickedAt > 0 && probe.stoppingAt === 0 && document.querySelector('[data-stopping]'))
        probe.stoppingAt = at
      if (probe.clickedAt > 0 && probe.stoppedAt === 0 && document.querySelector('[data-stopping]') === null) {
        if (probe.stoppingAt > 0) probe.stoppedAt = at
      }
      let newest = 0
      for (const { target, addedNodes } of records) {
        for (const node of [target, ...addedNodes]) {
          const stamps = node.textContent?.slice(-300).match(/1\d{12}\.\d{3}/g)
          newest = Math.max(newest, Number(stamps?.at(-1) ?? 0))
        }
      }
      if (newest > last) {
        last = newest
        probe.ages.push(at - newest)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  })
  await page.goto(`${belay.url}/?token=${belay.token}`)
  return page
}

export function probeOf(page: Page): Promise<Probe> {
  return page.evaluate(() => (window as unknown as { belayProbe: Probe }).belayProbe)
}

/** Opens a session and waits until its composer is there. */
export async function openSession(page: Page, belay: Belay, id: string): Promise<void> {
  await page.goto(`${belay.url}/s/${id}`)
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor()
}
