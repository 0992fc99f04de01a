/** The `test` of the journeys: a browser that has been let in, and pages that are watched from the first to the last moment. */
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { test as base } from './own-belay'
import { HomePage } from './page-home'
import { SessionPage } from './page-session'
import { PageWatch } from './page-watch'
import type { Belay } from './server'

interface Screen {
  readonly watch: PageWatch
  /** Lets the test's browser in and opens the first page. */
  readonly home: (belay: Belay) => Promise<HomePage>
  /** Lets the test's browser in and opens a session, in the test's page or in another one. */
  readonly open: (belay: Belay, sessionId: string, page?: Page) => Promise<SessionPage>
}

export const test = base.extend<Screen>({
  watch: [
    async ({ context }, use) => {
      const watch = new PageWatch(context)
      await use(watch)
      expect.soft(watch.faults, 'no error in any page').toEqual([])
      expect.soft(watch.foreign, 'no request to anybody else').toEqual([])
    },
    { auto: true },
  ],
  home: async ({ context, page }, use) => {
    await use(async (belay) => {
      await letIn(context, belay)
      return HomePage.open(page, belay.url)
    })
  },
  open: async ({ context, page }, use) => {
    await use(async (belay, sessionId, other) => {
      await letIn(context, belay)
      return SessionPage.open(other ?? page, belay.url, sessionId)
    })
  },
})

/** Fetches the cookie with the token link (W9), without opening a page. */
export async function letIn(context: BrowserContext, belay: Belay): Promise<void> {
  const answer = await context.request.get(`${belay.url}/?token=${belay.token}`, { maxRedirects: 0 })
  expect(answer.status()).toBe(303)
}
