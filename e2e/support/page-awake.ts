/** Knows when a page that the server rendered has become one that answers. */
import type { Locator } from '@playwright/test'
import { expect } from '@playwright/test'

/** Resolves when React has taken over this element. Before that a click is replayed, but typed text may be lost. */
export async function awake(element: Locator): Promise<void> {
  await element.waitFor()
  await expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps'))), {
      message: 'the page answers',
      timeout: 20_000,
      intervals: [20, 50, 100],
    })
    .toBe(true)
}
