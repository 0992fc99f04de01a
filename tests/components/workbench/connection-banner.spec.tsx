// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ClockProvider } from '@/components/ui/clock'
import { ConnectionBanner } from '@/components/workbench/connection-banner'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const retryNow = () => {}

describe('the connection banner', () => {
  it.each(['open', 'connecting'] as const)('is not there while the connection is %s', (status) => {
    render(<ConnectionBanner status={status} since={null} retryAt={null} why={null} retryNow={retryNow} />)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('U9: says at once that the server is gone, since when, and counts down to the next try', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-02T12:04:40Z') })
    render(
      <ClockProvider now={Date.now()} timeZone="UTC">
        <ConnectionBanner
          status="lost"
          since={new Date(2026, 2, 2, 12, 4, 31).getTime()}
          retryAt={Date.now() + 4000}
          why="no-answer"
          retryNow={retryNow}
        />
      </ClockProvider>,
    )
    expect(screen.getByRole('alert').textContent).toBe('The server does not answer (since 12:04:31).')
    expect(screen.getByText('What you see may be old. Trying again in 4 s')).toBeTruthy()
    act(() => vi.advanceTimersByTime(1000))
    expect(screen.getByText('What you see may be old. Trying again in 3 s')).toBeTruthy()
    act(() => vi.advanceTimersByTime(3000))
    expect(screen.getByText('What you see may be old. Trying again now')).toBeTruthy()
  })

  it('tells a server that went down on purpose from one that does not answer', () => {
    render(<ConnectionBanner status="lost" since={null} retryAt={null} why="goodbye" retryNow={retryNow} />)
    expect(screen.getByRole('alert').textContent).toBe('The server was shut down.')
  })

  it('tries again at once on request', async () => {
    const retry = vi.fn()
    render(<ConnectionBanner status="lost" since={0} retryAt={null} why="no-answer" retryNow={retry} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Now' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})
