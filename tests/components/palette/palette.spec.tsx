// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Palette } from '@/components/palette/palette'
import { FrameDataProvider } from '@/components/workbench/frame-data'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import type { Session } from '@/lib/contract/session'

const stage = vi.hoisted(() => ({
  path: '/',
  pushed: [] as string[],
  themes: [] as string[],
  current: null as unknown,
}))
vi.mock('next/navigation', () => ({
  usePathname: () => stage.path,
  useRouter: () => ({ push: (path: string) => stage.pushed.push(path) }),
}))
vi.mock('next-themes', () => ({ useTheme: () => ({ setTheme: (theme: string) => stage.themes.push(theme) }) }))
vi.mock('@/components/workbench/live-sessions', () => ({
  useLiveSessions: () => ({ byId: new Map(), removed: new Set() }),
  useLiveSession: () => stage.current,
  useListGeneration: () => 0,
}))

const samples = sampleSessions()

function given(current: Session | null = null) {
  stage.current = current
  const calls: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, body: init.body ? (JSON.parse(String(init.body)) as unknown) : undefined })
    return Response.json({ sessions: [samples.paused], nextCursor: null, accepted: true, effect: 'signalled' })
  })
  const data = {
    sessions: { sessions: [samples.paused, samples.failed], nextCursor: null },
    models: { models: [], default: 'rehearsal/script' },
    defaultWorkspace: '/home/ada/code',
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <FrameDataProvider value={data}>
        <button type="button">Elsewhere</button>
        <Palette />
      </FrameDataProvider>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), calls }
}

beforeEach(() => {
  stage.pushed = []
  stage.themes = []
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  )
  Element.prototype.scrollIntoView = () => {}
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the palette', () => {
  it('opens by its key, goes to a session by a part of its title, and closes', async () => {
    const { user } = given()
    await user.keyboard('{Control>}k{/Control}')
    expect(screen.getByRole('dialog', { name: 'Command palette' })).toBeTruthy()
    await user.keyboard('migrate{Enter}')
    expect(stage.pushed).toEqual([`/s/${samples.paused.id}`])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('U10: gives the focus back when it is closed by Esc', async () => {
    const { user } = given()
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' })
    elsewhere.focus()
    await user.keyboard('{Control>}k{/Control}{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await vi.waitFor(() => expect(document.activeElement).toBe(elsewhere))
  })

  it('knows the pages and the themes', async () => {
    const { user } = given()
    await user.keyboard('{Control>}k{/Control}history{Enter}')
    expect(stage.pushed).toEqual(['/history'])
    await user.keyboard('{Control>}k{/Control}dark{Enter}')
    expect(stage.themes).toEqual(['dark'])
  })

  it('stops the running turn, keeps the queue, and is not there to stop what does not run', async () => {
    const { user, calls } = given(samples.running)
    await user.keyboard('{Control>}k{/Control}stop the{Enter}')
    await vi.waitFor(() => expect(calls.some(({ path }) => path.endsWith('/cancel'))).toBe(true))
    expect(calls.find(({ path }) => path.endsWith('/cancel'))).toEqual({
      path: `/api/sessions/${samples.running.id}/cancel`,
      body: { keepInbox: true, via: 'button', turnId: samples.running.openTurnId },
    })
    cleanup()
    const { user: other } = given(sampleSession())
    await other.keyboard('{Control>}k{/Control}')
    expect(screen.queryByRole('option', { name: /Stop the running turn/ })).toBeNull()
  })

  it('has the key for a new session work anywhere', () => {
    given()
    fireEvent.keyDown(window, { code: 'KeyN', key: 'n', altKey: true })
    expect(stage.pushed).toEqual(['/'])
  })
})
