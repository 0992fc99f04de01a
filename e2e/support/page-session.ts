/** A session's page in the words of a person: its box, its brake, its queue, its turns. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Outcome } from '@/lib/contract/outcome'
import { awake } from './page-awake'

export class SessionPage {
  constructor(readonly page: Page) {}

  static async open(page: Page, url: string, id: string): Promise<SessionPage> {
    await page.goto(`${url}/s/${id}`)
    const session = new SessionPage(page)
    await awake(session.box)
    return session
  }

  get id(): string {
    return new URL(this.page.url()).pathname.split('/').at(-1) ?? ''
  }

  get box(): Locator {
    return this.page.getByRole('textbox', { name: 'Message', exact: true })
  }

  get stop(): Locator {
    return this.page.getByRole('button', { name: 'Stop this turn', exact: true })
  }

  get send(): Locator {
    return this.page.getByRole('button', { name: 'Send', exact: true })
  }

  get queueButton(): Locator {
    return this.page.getByRole('button', { name: 'Queue', exact: true })
  }

  get transcript(): Locator {
    return this.page.getByRole('region', { name: 'Transcript' })
  }

  get composer(): Locator {
    return this.page.getByRole('region', { name: 'Composer' })
  }

  get queue(): Locator {
    return this.page.getByRole('region', { name: 'Queue' })
  }

  get queued(): Locator {
    return this.queue.getByRole('listitem')
  }

  get messages(): Locator {
    return this.transcript.getByRole('article', { name: 'You' })
  }

  /** The state word in the head of the page that is in sight. */
  get state(): Locator {
    return this.page.locator('main > header [data-state-word]:visible')
  }

  get banner(): Locator {
    return this.page.getByRole('region', { name: 'Connection' })
  }

  get toNewest(): Locator {
    return this.page.getByRole('button', { name: 'Back to the newest' })
  }

  /** The line that says what a stop waits for. */
  get stoppingLine(): Locator {
    return this.page.locator('[data-stopping-line]')
  }

  tool(name: string): Locator {
    return this.transcript.getByRole('article', { name: new RegExp(`^${name}:`) })
  }

  footers(kind?: Outcome['kind']): Locator {
    return this.transcript.locator(kind === undefined ? '[data-turn-outcome]' : `[data-turn-outcome="${kind}"]`)
  }

  /** Types a message and sends it with the key. */
  async say(text: string): Promise<void> {
    await this.box.fill(text)
    await this.box.press('Enter')
    await expect(this.box).toHaveValue('')
  }

  /** Resolves when the page shows this many turns as ended, the newest in this way. */
  async ended(kind: Outcome['kind'], count: number): Promise<void> {
    await expect(this.footers()).toHaveCount(count, { timeout: 20_000 })
    await expect(this.footers().last()).toHaveAttribute('data-turn-outcome', kind)
    await expect(this.stop).toHaveCount(0)
  }

  /** All text that the assistant has written on this page, as a person reads it. */
  async written(): Promise<string> {
    return (await this.transcript.locator('[data-row="chunk"]').allInnerTexts()).join('\n')
  }
}
