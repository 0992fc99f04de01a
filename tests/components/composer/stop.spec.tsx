// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Wait } from '@/lib/contract/session'
import { LogWriter, turn } from '@/lib/projection/fixtures/log-writer'
import { clear, givenComposer } from './given-session'

vi.mock('@/components/live/live', () => import('./live-double'))
afterEach(() => {
  vi.useRealTimers()
  clear()
})

const running = { activity: 'running' as const, openTurnId: turn(1) }
const runningLog = () => new LogWriter().asks('Go on for ever.').steps()
const stop = () => screen.getByRole('button', { name: 'Stop this turn' })
const box = () => screen.getByRole('textbox', { name: 'Message' })

describe('the Stop', () => {
  it('U1: is not there while nothing runs, and Send has its place', async () => {
    await givenComposer(new LogWriter())
    expect(screen.queryByRole('button', { name: 'Stop this turn' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Send' })).toBeTruthy()
  })

  it('U1: is there exactly once and enabled while a turn runs, also with a draft in the box', async () => {
    await givenComposer(runningLog(), running)
    expect(screen.getAllByRole('button', { name: 'Stop this turn' })).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
    await userEvent.type(box(), 'a thought')
    expect(screen.getAllByRole('button', { name: 'Stop this turn' })).toHaveLength(1)
    expect(stop().hasAttribute('disabled')).toBe(false)
    expect(screen.getByRole('button', { name: 'Queue' })).toBeTruthy()
  })

  it('U1: is there before the turn has a number: from the accepted wake on', async () => {
    await givenComposer(new LogWriter(), { activity: 'running', openTurnId: null })
    expect(stop()).toBeTruthy()
  })

  it('U2: says Stopping with the very press, before anybody has answered, and asks for this turn', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    fireEvent.click(stop())
    expect(stop().textContent).toContain('Stopping')
    expect(calls).toMatchObject([
      { path: '/api/sessions/ses_1/cancel', body: { keepInbox: true, turnId: 'turn_1', via: 'button' } },
    ])
  })

  it('U2: stays Stopping until the end is in the log, whatever the answer says', async () => {
    const log = runningLog()
    const { calls, hears } = await givenComposer(log, running)
    fireEvent.click(stop())
    await calls[0]?.answer()
    expect(stop().textContent).toContain('Stopping')
    log.isStopped()
    await hears({ activity: 'stopping' })
    expect(stop().textContent).toContain('Stopping')
    log.ends({ kind: 'aborted' })
    await hears({ activity: 'idle', openTurnId: null })
    expect(screen.queryByRole('button', { name: 'Stop this turn' })).toBeNull()
  })

  it('U2: goes back to running when the request failed, says why, and can be pressed again', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    await userEvent.type(box(), 'kept')
    fireEvent.click(stop())
    await calls[0]?.breaks()
    expect(stop().textContent).toBe('Stop')
    expect(screen.getByRole('alert').textContent).toBe('Not stopped. The server does not answer.')
    expect((box() as HTMLTextAreaElement).value).toBe('kept')
    fireEvent.click(stop())
    expect(stop().textContent).toContain('Stopping')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(calls).toHaveLength(2)
  })

  it('W3: says so when the turn that was meant had just ended and another one runs', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    fireEvent.click(stop())
    await calls[0]?.answer({ accepted: true, effect: 'stale', discarded: 0 })
    expect(stop().textContent).toBe('Stop')
    expect(screen.getByRole('alert').textContent).toContain('another one runs now')
  })

  it('U4: keeps the queue, and clears it from its menu', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    await userEvent.click(screen.getByRole('button', { name: 'More ways to stop' }))
    await userEvent.click(screen.getByRole('menuitem', { name: /Stop and clear the queue/ }))
    expect(calls).toMatchObject([{ body: { keepInbox: false } }])
  })

  it('U10: leaves the focus in the composer when it goes', async () => {
    const log = runningLog()
    const { hears } = await givenComposer(log, running)
    stop().focus()
    log.ends()
    await hears({ activity: 'idle', openTurnId: null })
    expect(document.activeElement).toBe(box())
  })
})

describe('what a stop waits for', () => {
  const wait = (since: number, killable = true): Wait => ({
    kind: 'tool',
    name: 'run_command',
    callId: 'c1' as never,
    killable,
    since: new Date(since).toISOString(),
  })

  async function stopping(waits: Wait[]) {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const given = await givenComposer(runningLog(), { ...running, waitingOn: waits })
    fireEvent.click(stop())
    await given.calls[0]?.answer()
    return given
  }
  const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
  const line = () => document.querySelector('[data-stopping-line]')

  it('U2: is said once it takes longer than a second, with the seconds since the stop', async () => {
    await stopping([wait(Date.now() - 60_000)])
    await pass(300)
    expect(line()).toBeNull()
    await pass(3_200)
    expect(line()?.textContent).toContain('waiting for run_command, 3 s')
    expect(stop().textContent).toContain('Stopping 3 s')
  })

  it('U2: can be killed where a process border allows it', async () => {
    const { calls } = await stopping([wait(Date.now())])
    await pass(2_000)
    fireEvent.click(screen.getByRole('button', { name: 'Kill run_command now' }))
    expect(calls.at(-1)).toMatchObject({ path: '/api/sessions/ses_1/tools/c1/end', body: { force: true } })
  })

  it('U2: offers no Kill where there is nothing to kill', async () => {
    await stopping([wait(Date.now(), false)])
    await pass(2_000)
    expect(screen.queryByRole('button', { name: /Kill/ })).toBeNull()
  })

  it('U2: says plainly what can be done after fifteen seconds', async () => {
    await stopping([wait(Date.now(), false)])
    await pass(13_000)
    expect(within(line() as HTMLElement).queryByText(/restart Belay/)).toBeNull()
    await pass(4_000)
    expect(within(line() as HTMLElement).getByText(/restart Belay/)).toBeTruthy()
  })
})

describe('Esc', () => {
  const esc = (init: KeyboardEventInit = {}) =>
    act(async () => {
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...init }))
    })

  it('U3: stops the turn in view', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    box().focus()
    await esc()
    expect(calls).toHaveLength(1)
  })

  it('U3: does nothing while nothing runs', async () => {
    const { calls } = await givenComposer(new LogWriter())
    await esc()
    expect(calls).toHaveLength(0)
  })

  it('S-M2: closes an open menu and stops nothing; the next press stops', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    await userEvent.click(screen.getByRole('button', { name: 'More ways to stop' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(calls).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    expect(calls).toHaveLength(1)
  })

  it('S-M2: leaves an open dialog its press', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    const dialog = document.createElement('div')
    dialog.setAttribute('role', 'dialog')
    dialog.setAttribute('data-state', 'open')
    document.body.append(dialog)
    await esc()
    dialog.remove()
    expect(calls).toHaveLength(0)
  })

  it('S-M2: leaves an edit of a waiting message its press', async () => {
    const log = runningLog().queues('later')
    const { calls } = await givenComposer(log, running)
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('textbox', { name: 'Edit the waiting message' })).toBeNull()
    expect(calls).toHaveLength(0)
  })

  it('U3: belongs to the input method while one is composing', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    box().focus()
    await esc({ isComposing: true })
    await esc({ keyCode: 229 })
    expect(calls).toHaveLength(0)
  })

  it('U3: held down stops once', async () => {
    const { calls } = await givenComposer(runningLog(), running)
    await esc()
    await esc({ repeat: true })
    expect(calls).toHaveLength(1)
  })
})
