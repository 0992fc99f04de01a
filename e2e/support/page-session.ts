/** A session's page in the words of a person: its box, its brake, its queue, its turns. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Outcome } from '@/lib/contract/outcome'
import { awake } from './page-awake'

export class SessionPage {
  #before: string | null = null

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

  /** The newest turn that stands in the view: a long session has only the rows around the view in the page. */
  #newest(): Promise<{ readonly turnId: string | null; readonly outcome: string | null }> {
    return this.transcript.evaluate((transcript) => {
      const row = [...transcript.querySelectorAll<HTMLElement>('[data-turn-id]')].at(-1)
      const footer = row?.querySelector<HTMLElement>('[data-turn-outcome]')
      return { turnId: row?.dataset.turnId ?? null, outcome: footer?.dataset.turnOutcome ?? null }
    })
  }

  /** Types a message and sends it with the key. */
  async say(text: string): Promise<void> {
    this.#before = (await this.#newest()).turnId
    await this.box.fill(text)
    await this.box.press('Enter')
    await expect(this.box).toHaveValue('')
  }

  /** Resolves when a turn newer than the last `say` stands at the end and has ended in this way. For sessions of any length. */
  async newestEnded(kind: Outcome['kind']): Promise<void> {
    await expect
      .poll(
        async () => {
          const { turnId, outcome } = await this.#newest()
          return turnId === this.#before ? 'not begun' : (outcome ?? 'open')
        },
        { message: 'the newest turn ends', timeout: 20_000 },
      )
      .toBe(kind)
    await expect(this.stop).toHaveCount(0)
  }

  /** Resolves when the page shows this many turns as ended, the newest in this way. For sessions that fit into the window. */
  async ended(kind: Outcome['kind'], count: number): Promise<void> {
    await expect(this.footers()).toHaveCount(count, { timeout: 20_000 })
    await expect(this.footers().last()).toHaveAttribute('data-turn-outcome', kind)
    await expect(this.stop).toHaveCount(0)
  }

  /** The assistant's text in the view and just around it, as a person reads it; of all turns, or of the newest alone. */
  async written(of: 'all' | 'newest' = 'all'): Promise<string> {
    const turn = of === 'all' ? '' : `[data-turn-id="${(await this.#newest()).turnId}"]`
    return (await this.transcript.locator(`[data-row="chunk"]${turn}`).allInnerTexts()).join('\n')
  }
}
