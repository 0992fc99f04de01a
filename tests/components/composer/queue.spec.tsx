// @vitest-environment jsdom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LogWriter, turn } from '@/lib/projection/fixtures/log-writer'
import { clear, givenComposer } from './given-session'

vi.mock('@/components/live/live', () => import('./live-double'))
afterEach(clear)

const running = { activity: 'running' as const, openTurnId: turn(1) }
const parked = () =>
  new LogWriter().asks('x').ends({ kind: 'aborted' }).queues('also check retries').queues('then write a note')
const queue = () => screen.getByRole('region', { name: 'Queue' })
const row = (text: string) => within(queue()).getByText(text).closest('li') as HTMLElement
const press = (text: string, name: string | RegExp) => userEvent.click(within(row(text)).getByRole('button', { name }))

describe('the queue', () => {
  it('U4: is Paused, n waiting after a stop, with Resume', async () => {
    const { calls } = await givenComposer(parked())
    expect(within(queue()).getByText('Paused, 2 waiting')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
    expect(calls).toMatchObject([{ method: 'POST', path: '/api/sessions/ses_1/wake' }])
  })

  it('U4: waits, and does not say Paused, while a turn runs', async () => {
    await givenComposer(new LogWriter().asks('x').queues('later'), running)
    expect(within(queue()).getByText('Queue: 1 waiting')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Resume' })).toBeNull()
  })

  it('U4: can be edited', async () => {
    const { calls } = await givenComposer(parked())
    await press('also check retries', 'Edit')
    const edit = screen.getByRole('textbox', { name: 'Edit the waiting message' })
    await userEvent.clear(edit)
    await userEvent.type(edit, 'check nothing{Enter}')
    expect(calls).toMatchObject([
      { method: 'PATCH', path: '/api/sessions/ses_1/messages/msg_2', body: { text: 'check nothing' } },
    ])
  })

  it('U4: can be reordered by buttons', async () => {
    const { calls } = await givenComposer(parked())
    await press('then write a note', 'Move up')
    expect(calls).toMatchObject([
      { method: 'PATCH', path: '/api/sessions/ses_1/messages/msg_3', body: { position: 0 } },
    ])
    expect(within(row('also check retries')).getByRole('button', { name: 'Move up' }).hasAttribute('disabled')).toBe(
      true,
    )
  })

  it('U4: lets one go, or all', async () => {
    const { calls } = await givenComposer(parked())
    await press('also check retries', 'Remove')
    expect(calls).toMatchObject([{ method: 'DELETE', path: '/api/sessions/ses_1/messages/msg_2' }])
    await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
    await calls[1]?.answer({}, 200)
    expect(calls.slice(1).map((call) => `${call.method} ${call.path}`)).toEqual([
      'DELETE /api/sessions/ses_1/messages/msg_2',
      'DELETE /api/sessions/ses_1/messages/msg_3',
    ])
  })

  it('U4: sends one now: first in the queue, and woken', async () => {
    const { calls } = await givenComposer(parked())
    await press('then write a note', 'Send this one now')
    await calls[0]?.answer({ messageId: 'msg_3' }, 200)
    expect(calls.map((call) => `${call.method} ${call.path}`)).toEqual([
      'PATCH /api/sessions/ses_1/messages/msg_3',
      'POST /api/sessions/ses_1/wake',
    ])
  })

  it('U4: sends one now into a running turn: out of the queue first, then as a steer', async () => {
    const { calls } = await givenComposer(new LogWriter().asks('x').queues('hurry'), running)
    await press('hurry', /Send this one now/)
    expect(calls).toHaveLength(1)
    await calls[0]?.answer({}, 200)
    expect(calls).toMatchObject([
      { method: 'DELETE', path: '/api/sessions/ses_1/messages/msg_2' },
      { method: 'POST', path: '/api/sessions/ses_1/messages', body: { text: 'hurry', delivery: 'steer' } },
    ])
  })

  it('U4: shows a long message whole, although the summary cuts it', async () => {
    const text = 'word '.repeat(200).trim()
    await givenComposer(new LogWriter().asks('x').ends({ kind: 'aborted' }).queues(text))
    await press(text, 'Edit')
    expect((screen.getByRole('textbox', { name: 'Edit the waiting message' }) as HTMLTextAreaElement).value).toBe(text)
  })

  it("W4: uses a child's address under its parent", async () => {
    const { calls } = await givenComposer(parked(), { kind: 'continuable', parentId: 'ses_parent' as never })
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
    expect(calls).toMatchObject([{ path: '/api/sessions/ses_parent/subagents/ses_1/wake' }])
  })

  it('shows a message on its way until the log has it', async () => {
    const log = new LogWriter().asks('x')
    const { calls, hears } = await givenComposer(log, running)
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'soon{Enter}')
    expect(within(queue()).getByText('sending')).toBeTruthy()
    log.queues('soon', { clientId: String(calls[0]?.body.clientId) })
    await hears()
    expect(within(queue()).queryByText('sending')).toBeNull()
    expect(row('soon')).toBeTruthy()
  })
})
