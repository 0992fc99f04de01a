// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Toaster } from '@/components/ui/toast'
import { FrameDataProvider } from '@/components/workbench/frame-data'
import { sampleSession } from '@/components/workbench/sample-sessions'
import type { LiveSessions } from '@/components/workbench/session-rows'
import { Sidebar } from '@/components/workbench/sidebar'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

const stage = vi.hoisted(() => ({
  path: '/',
  pushed: [] as string[],
  live: { byId: new Map(), removed: new Set() } as unknown,
}))
vi.mock('next/navigation', () => ({
  usePathname: () => stage.path,
  useRouter: () => ({ push: (path: string) => stage.pushed.push(path) }),
}))
vi.mock('@/components/workbench/live-sessions', () => ({
  useLiveSessions: () => stage.live,
  useListGeneration: () => 0,
}))

const session = (id: string, change: Partial<Session> = {}) =>
  sampleSession({ id: id as SessionId, title: `Session ${id}`, ...change })

interface Call {
  readonly method: string
  readonly url: URL
  readonly body: unknown
}

/** The sidebar before a server that answers with `answer`. */
function given(nextCursor: string | null, answer: (call: Call) => object | number) {
  const calls: Call[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const call = {
      method: init.method ?? 'GET',
      url: new URL(path, 'http://127.0.0.1'),
      body: init.body === undefined ? undefined : (JSON.parse(String(init.body)) as unknown),
    }
    calls.push(call)
    const answered = answer(call)
    return typeof answered === 'number' ? new Response('', { status: answered }) : Response.json(answered)
  })
  const data = {
    sessions: { sessions: [session('a'), session('b')], nextCursor },
    models: { models: [], default: 'rehearsal/script' },
    defaultWorkspace: '/home/ada/code',
  }
  const tree = () => (
    <QueryClientProvider client={client}>
      <FrameDataProvider value={data}>
        <Sidebar place="area" />
        <Toaster />
      </FrameDataProvider>
    </QueryClientProvider>
  )
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } })
  const { rerender } = render(tree())
  return { user: userEvent.setup(), calls, hear: (live: LiveSessions) => act(() => hear(live, () => rerender(tree()))) }
}

function hear(live: LiveSessions, draw: () => void): void {
  stage.live = live
  draw()
}

const titles = () =>
  within(screen.getByRole('list', { name: /sessions/i }))
    .getAllByRole('link')
    .map((link) => link.textContent?.match(/Session [a-z]/)?.[0])

beforeEach(() => {
  stage.path = '/'
  stage.pushed = []
  stage.live = { byId: new Map(), removed: new Set() }
  Element.prototype.hasPointerCapture = () => false
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the sidebar', () => {
  it('shows at once what the server rendered, and asks for nothing that it knows', () => {
    const { calls } = given(null, () => 500)
    expect(titles()).toEqual(['Session a', 'Session b'])
    expect(calls).toEqual([])
  })

  it('pages without an end, each page after the one before', async () => {
    const { user, calls } = given('page-2', ({ url }) =>
      url.searchParams.get('cursor') === 'page-2'
        ? { sessions: [session('c')], nextCursor: 'page-3' }
        : { sessions: [session('d')], nextCursor: null },
    )
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await vi.waitFor(() => expect(titles()).toEqual(['Session a', 'Session b', 'Session c']))
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    await vi.waitFor(() => expect(titles()).toEqual(['Session a', 'Session b', 'Session c', 'Session d']))
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
    expect(calls.map(({ url }) => url.searchParams.get('cursor'))).toEqual(['page-2', 'page-3'])
  })

  it('searches on the server, so that what is not loaded yet is found', async () => {
    const { user, calls } = given(null, () => ({ sessions: [session('z')], nextCursor: null }))
    await user.type(screen.getByRole('textbox', { name: 'Filter sessions' }), 'session z')
    await vi.waitFor(() => expect(titles()).toEqual(['Session z']))
    expect(calls.at(-1)?.url.searchParams.get('query')).toBe('session z')
  })

  it('W6: follows the stream: a state changes in place, a new session comes first, a deleted one goes', () => {
    const { hear: listen } = given(null, () => ({ sessions: [], nextCursor: null }))
    listen({
      byId: new Map([session('b', { lastSeq: 5, activity: 'running' }), session('n')].map((each) => [each.id, each])),
      removed: new Set(['a' as SessionId]),
    })
    expect(titles()).toEqual(['Session n', 'Session b'])
    expect(screen.getByRole('link', { name: /Session b/ }).textContent).toContain('Running')
  })

  it('archives, and takes it back on request', async () => {
    const { user, calls } = given(null, () => ({ sessions: [session('b')], nextCursor: null }))
    await user.click(screen.getByRole('button', { name: 'More for Session a' }))
    await user.click(screen.getByRole('menuitem', { name: 'Archive' }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    const changes = calls.filter(({ method }) => method === 'PATCH')
    expect(changes.map(({ url, body }) => [url.pathname, body])).toEqual([
      ['/api/sessions/a', { archived: true }],
      ['/api/sessions/a', { archived: false }],
    ])
  })

  it('leads home from a session that is deleted while it is in view', async () => {
    stage.path = '/s/a'
    const { user, calls } = given(null, () => ({ sessions: [], nextCursor: null }))
    await user.click(screen.getByRole('button', { name: 'More for Session a' }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    await vi.waitFor(() => expect(stage.pushed).toEqual(['/']))
    expect(calls[0]).toMatchObject({ method: 'DELETE' })
  })

  it('says why something was not changed', async () => {
    const { user } = given(null, () => 500)
    await user.click(screen.getByRole('button', { name: 'More for Session a' }))
    await user.click(screen.getByRole('menuitem', { name: 'Archive' }))
    expect(await screen.findByText(/^Not changed\./)).toBeTruthy()
  })
})
