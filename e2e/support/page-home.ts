/** The empty screen: the form that starts a session. */
import { expect, type Page } from '@playwright/test'
import { awake } from './page-awake'
import { SessionPage } from './page-session'

export type Leave = 'Asks first' | 'Edits files' | 'Full access'

export class HomePage {
  constructor(readonly page: Page) {}

  static async open(page: Page, url: string): Promise<HomePage> {
    await page.goto(url)
    const home = new HomePage(page)
    await awake(home.box)
    return home
  }

  get box() {
    return this.page.getByRole('textbox', { name: 'First message' })
  }

  get workspace() {
    return this.page.getByRole('textbox', { name: 'Workspace' })
  }

  get model() {
    return this.page.getByRole('main').getByLabel('Model', { exact: true })
  }

  leave(name: Leave) {
    return this.page.getByRole('radio', { name })
  }

  /** Fills the form, starts the session and waits for its page. */
  async start(text: string, more: { workspace?: string; model?: string; leave?: Leave } = {}): Promise<SessionPage> {
    if (more.workspace !== undefined) await this.workspace.fill(more.workspace)
    if (more.model !== undefined) await this.model.selectOption(more.model)
    if (more.leave !== undefined) await this.leave(more.leave).check()
    await this.box.fill(text)
    await this.page.getByRole('button', { name: 'Start', exact: true }).click()
    await expect(this.page).toHaveURL(/\/s\/[^/]+$/, { timeout: 20_000 })
    const session = new SessionPage(this.page)
    await awake(session.box)
    return session
  }
}
