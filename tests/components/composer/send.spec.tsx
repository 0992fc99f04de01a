// @vitest-environment jsdom
import { act, createEvent, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LogWriter, turn } from '@/lib/projection/fixtures/log-writer'
import { clear, givenComposer } from './given-session'

vi.mock('@/components/live/live', () => import('./live-double'))
afterEach(clear)

const running = { activity: 'running' as const, openTurnId: turn(1) }
const box = () => screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement
const stop = () => screen.getByRole('button', { name: 'Stop this turn' })

describe('sending', () => {
  it('U3: is what Enter does; Shift+Enter breaks the line', async () => {
    const { calls } = await givenComposer(new LogWriter())
    await userEvent.type(box(), 'one{Shift>}{Enter}{/Shift}two')
    expect(box().value).toBe('one\ntwo')
    await userEvent.type(box(), '{Enter}')
    expect(calls).toMatchObject([
      { path: '/api/sessions/ses_1/messages', body: { text: 'one\ntwo', delivery: 'follow-up' } },
    ])
    expect(box().value).toBe('')
  })

  it('sends nothing that is only space', async () => {
    const { calls } = await givenComposer(new LogWriter())
    await userEvent.type(box(), '   {Enter}')
    expect(calls).toHaveLength(0)
  })

  it('U1: queues while a turn runs, and steers with Ctrl+Enter or from the menu', async () => {
    const { calls } = await givenComposer(new LogWriter().asks('x'), running)
    await userEvent.type(box(), 'queue me{Enter}')
    await userEvent.type(box(), 'steer{Control>}{Enter}{/Control}')
    await userEvent.type(box(), 'from the menu')
    await userEvent.click(screen.getByRole('button', { name: 'More ways to send' }))
    await userEvent.click(screen.getByRole('menuitem', { name: /Steer/ }))
    expect(calls.map((call) => [call.body.text, call.body.delivery])).toEqual([
      ['queue me', 'follow-up'],
      ['steer', 'steer'],
      ['from the menu', 'steer'],
    ])
  })

  it('U4: puts back what could not be sent, with the reason, and tries again as the same message', async () => {
    const { calls } = await givenComposer(new LogWriter())
    await userEvent.type(box(), 'important{Enter}')
    await calls[0]?.refuse('limit-reached', 'The queue is full.', 429)
    expect(box().value).toBe('important')
    expect(screen.getByRole('alert').textContent).toBe('Not sent. The queue is full.')
    await userEvent.type(box(), '{Enter}')
    expect(calls[1]?.body.clientId).toBe(calls[0]?.body.clientId)
  })

  it('sends changed words as another message', async () => {
    const { calls } = await givenComposer(new LogWriter())
    await userEvent.type(box(), 'first{Enter}')
    await calls[0]?.breaks()
    await userEvent.type(box(), ' and more{Enter}')
    expect(calls[1]?.body).toMatchObject({ text: 'first and more' })
    expect(calls[1]?.body.clientId).not.toBe(calls[0]?.body.clientId)
  })

  it('U4: never writes over what was typed meanwhile: the unsent message stands beside it', async () => {
    const { calls } = await givenComposer(new LogWriter().asks('x'), running)
    await userEvent.type(box(), 'first{Enter}')
    await userEvent.type(box(), 'second')
    await calls[0]?.breaks()
    expect(box().value).toBe('second')
    expect(screen.getByText('first')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(calls[1]?.body).toMatchObject({ text: 'first', clientId: calls[0]?.body.clientId })
  })

  it('U4: keeps the draft over a reload', async () => {
    const { reload } = await givenComposer(new LogWriter())
    await userEvent.type(box(), 'half a thought')
    reload()
    expect(box().value).toBe('half a thought')
    expect(window.localStorage.getItem('belay.draft.ses_1')).toContain('half a thought')
  })

  it('U9: is held back while the server is lost, with the reason, and the text stays', async () => {
    const { calls, connection } = await givenComposer(new LogWriter())
    await userEvent.type(box(), 'wait')
    await act(async () => connection.setStatus({ state: 'lost', since: 1, retryAt: 2, why: 'no-answer' }))
    expect(screen.getByText('The server does not answer. Your text is kept.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Send' }).hasAttribute('disabled')).toBe(true)
    await userEvent.type(box(), '{Enter}')
    expect(calls).toHaveLength(0)
    expect(box().value).toBe('wait')
  })
})

describe('a prompt of which nothing came', () => {
  async function stopped(log: LogWriter, end: (log: LogWriter) => void) {
    const given = await givenComposer(log, running)
    fireEvent.click(stop())
    await given.calls[0]?.answer()
    log.isStopped()
    end(log)
    log.ends({ kind: 'aborted' })
    return given
  }
  const nothing = () => {}

  it('U4: goes back into an empty composer, and the resend takes its place', async () => {
    const { calls, hears } = await stopped(new LogWriter().asks('Say it better'), nothing)
    await hears({ activity: 'idle', openTurnId: null })
    expect(box().value).toBe('Say it better')
    await userEvent.type(box(), '!{Enter}')
    expect(calls.at(-1)?.body).toMatchObject({ text: 'Say it better!', replaces: 'turn_1' })
  })

  it('U4: does not go over what was typed meanwhile', async () => {
    const { hears } = await stopped(new LogWriter().asks('Say it better'), nothing)
    await userEvent.type(box(), 'something new')
    await hears({ activity: 'idle', openTurnId: null })
    expect(box().value).toBe('something new')
  })

  it('U4: stays in the transcript when something came of it', async () => {
    const { hears } = await stopped(new LogWriter().asks('Say it better').steps(), (log) => log.isCutAfter('Well'))
    await hears({ activity: 'idle', openTurnId: null })
    expect(box().value).toBe('')
  })

  it('U4: stays in the transcript when the turn was not stopped from here', async () => {
    const log = new LogWriter().asks('Say it better')
    const { hears } = await givenComposer(log, running)
    log.isStopped().ends({ kind: 'aborted' })
    await hears({ activity: 'idle', openTurnId: null })
    expect(box().value).toBe('')
  })
})

describe('Enter of an input method', () => {
  /** The order of Chrome and Firefox: keydown while it still composes, then the end of the composition. */
  function orderA(target: HTMLElement) {
    fireEvent.compositionStart(target)
    fireEvent.keyDown(target, { key: 'Enter', isComposing: true, keyCode: 229 })
    fireEvent.compositionEnd(target, { data: '你好' })
  }
  /** Safari's order: the composition ends first, then comes the keydown of the same press. */
  function orderB(target: HTMLElement, keyCode: number) {
    fireEvent.compositionStart(target)
    fireEvent.compositionEnd(target, { data: '你好' })
    fireEvent.keyDown(target, { key: 'Enter', isComposing: false, keyCode })
  }

  it('S-M1: never sends, in either order', async () => {
    const { calls } = await givenComposer(new LogWriter())
    fireEvent.change(box(), { target: { value: '你好' } })
    orderA(box())
    orderB(box(), 229)
    // Also where the browser does not say 229: the press came with the end of the composition.
    orderB(box(), 13)
    expect(calls).toHaveLength(0)
    expect(box().value).toBe('你好')
  })

  it('S-M1: is told from the Enter that a person presses afterwards', async () => {
    const { calls } = await givenComposer(new LogWriter())
    fireEvent.change(box(), { target: { value: '你好' } })
    orderA(box())
    const later = createEvent.keyDown(box(), { key: 'Enter', keyCode: 13 })
    Object.defineProperty(later, 'timeStamp', { value: later.timeStamp + 500 })
    fireEvent(box(), later)
    expect(calls).toMatchObject([{ body: { text: '你好' } }])
  })

  it('S-M1: never saves a waiting message either', async () => {
    const { calls } = await givenComposer(new LogWriter().asks('x').queues('later'), running)
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    const edit = screen.getByRole('textbox', { name: 'Edit the waiting message' })
    fireEvent.change(edit, { target: { value: '稍后' } })
    orderA(edit)
    orderB(edit, 229)
    expect(calls).toHaveLength(0)
    expect(screen.getByRole('textbox', { name: 'Edit the waiting message' })).toBeTruthy()
  })
})
