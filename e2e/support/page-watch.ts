/** Listens to everything a page must never do: errors in its console, uncaught exceptions, requests to anybody but its own server. */
import type { BrowserContext } from '@playwright/test'

export class PageWatch {
  /** Errors in the console and uncaught exceptions, with the page they arose on. */
  readonly faults: string[] = []
  /** Addresses of other servers that were asked for. */
  readonly foreign: string[] = []
  readonly #expected: RegExp[] = []

  constructor(context: BrowserContext) {
    context.on('console', (message) => {
      if (message.type() === 'error') this.#fault(message.page()?.url(), message.text())
    })
    context.on('weberror', (error) => {
      const thrown = error.error()
      this.#fault(error.page()?.url(), thrown.stack ?? thrown.message)
    })
    context.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') this.foreign.push(request.url())
    })
  }

  /** The browser itself writes a console error for each request that fails; a test that makes requests fail says so. */
  expectFailingRequests(): void {
    this.#expected.push(/Failed to load resource|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING/)
  }

  #fault(url: string | undefined, text: string): void {
    if (this.#expected.some((pattern) => pattern.test(text))) return
    this.faults.push(`${url ?? 'a page'}: ${text}`)
  }
}
