/** A session of 500 turns and 2,000 messages: how fast it opens, how fast any turn is reached, how large the page becomes. */
import type { Browser } from '@playwright/test'
import type { Belay } from '../e2e/support/server'
import { openPage } from './page'
import type { Figure } from './table'

export async function measureLongSession(
  browser: Browser,
  belay: Belay,
  id: string,
  turns: number,
  rounds: number,
): Promise<Figure[]> {
  const opened: number[] = []
  const reached: number[] = []
  const elements: number[] = []
  const page = await openPage(browser, belay)
  for (let round = 0; round < rounds; round++) {
    opened.push(await timeUntil(page, `${belay.url}/s/${id}`, `Question ${turns}:`))
    elements.push(await page.evaluate(() => document.querySelectorAll('*').length))
    const n = 1 + ((round * 131) % (turns - 10))
    reached.push(await timeUntil(page, `${belay.url}/s/${id}?turn=turn_${id}_${n - 1}`, `Question ${n}:`))
    elements.push(await page.evaluate(() => document.querySelectorAll('*').length))
  }
  await page.context().close()
  return [
    { name: `open a session of ${turns} turns, ${turns * 4} messages`, unit: 'ms', target: '≤ 60 ms', samples: opened },
    { name: 'open it at any turn', unit: 'ms', target: '≤ 150 ms', samples: reached },
    { name: 'elements in the page', unit: '', target: '≤ 3,000', samples: elements },
  ]
}

/** Milliseconds from the start of the navigation to the frame in which the text stands in the page. */
async function timeUntil(page: import('@playwright/test').Page, address: string, text: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (document.querySelector('main')?.textContent?.includes(wanted)) resolve(performance.now())
          else requestAnimationFrame(look)
        }
        look()
      }),
    text,
  )
}
