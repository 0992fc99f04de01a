// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '@/lib/contract/errors'
import { call, LogWriter, session, turn } from '@/lib/projection/fixtures/log-writer'
import {
  byParentLog,
  completedLog,
  cutLog,
  failedLog,
  nothingLog,
  orphanedLog,
  replacedLog,
  runningLog,
  stoppedLog,
} from '@/lib/projection/fixtures/logs'
import { emptyTranscript, foldAll } from '@/lib/projection/transcript'
import { foldToolOutput } from '@/lib/projection/transcript-draft'
import { givenRows } from './given-row'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})
const footer = () => document.querySelector('[data-turn-outcome]') as HTMLElement
const card = (name: RegExp) => screen.getByRole('article', { name })

describe('the end of a turn', () => {
  it('U2: says Stopped by you, how long, how much, and what is kept, without any error styling', () => {
    givenRows(cutLog)
    expect(footer().textContent).toContain('Stopped by you')
    expect(footer().textContent).toContain('2.0 s')
    expect(footer().textContent).toContain('≈324 tokens')
    expect(footer().textContent).toContain('what was written is kept')
    expect(footer().innerHTML).not.toContain('state-failed')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('C14: keeps the words that were cut', () => {
    givenRows(cutLog)
    expect(screen.getByText('To belay is to hold the rope for somebody who')).toBeTruthy()
  })

  it('says who stopped it, and when nothing had come of it', () => {
    givenRows(byParentLog)
    expect(footer().textContent).toContain('Stopped by parent')
    cleanup()
    givenRows(nothingLog)
    expect(footer().textContent).toContain('nothing had been written')
  })

  it('says why a turn failed, in plain words and in the words of the server', () => {
    givenRows(failedLog)
    expect(footer().textContent).toContain('The provider asks to slow down.')
    expect(footer().textContent).toContain('It may be tried again at 12:05.')
  })

  it('says Lost at restart, not Failed', () => {
    givenRows(orphanedLog)
    expect(within(footer()).getByText('Lost at restart')).toBeTruthy()
    expect(screen.getByText('Belay was restarted while this turn ran.')).toBeTruthy()
  })

  it('offers Continue, Retry and Fork after a stop', async () => {
    const { actions } = givenRows(cutLog)
    await userEvent.click(within(footer()).getByRole('button', { name: 'Continue' }))
    await userEvent.click(within(footer()).getByRole('button', { name: 'Retry' }))
    await userEvent.click(within(footer()).getByRole('button', { name: 'Fork' }))
    expect(actions.continueTurn).toHaveBeenCalledOnce()
    expect(actions.retry).toHaveBeenCalledWith(expect.objectContaining({ turnId: turn(1) }))
    expect(actions.fork).toHaveBeenCalledWith(turn(1))
  })

  it('offers no Continue while a turn runs or on a turn that is not the last', () => {
    givenRows(cutLog, { idle: false })
    expect(within(footer()).queryByRole('button', { name: 'Continue' })).toBeNull()
    cleanup()
    givenRows(cutLog, { lastTurnId: turn(9) })
    expect(within(footer()).queryByRole('button', { name: 'Continue' })).toBeNull()
  })

  it('sends nothing while the server is lost', () => {
    givenRows(cutLog, { blocked: 'The server does not answer.' })
    expect(within(footer()).getByRole('button', { name: 'Continue' }).hasAttribute('disabled')).toBe(true)
  })
})

describe('a tool card', () => {
  it('U9: shows what it is about, how long it took and how it ended; successes closed, errors open', () => {
    givenRows(completedLog)
    const ok = card(/run_command: OK/)
    expect(within(ok).getByText('npm test -- upload')).toBeTruthy()
    expect(ok.textContent).toContain('0:12')
    expect(within(ok).queryByText(/case 1 passes/)).toBeNull()
    expect(within(card(/read_file: Error/)).getByText('No such file: src/upload.ts')).toBeTruthy()
  })

  it('U9: shows the first and the last twelve lines of a long output, and all of it when asked', async () => {
    givenRows(completedLog)
    const ok = card(/run_command: OK/)
    await userEvent.click(within(ok).getByRole('button', { expanded: false }))
    expect(ok.textContent).toContain('case 12 passes')
    expect(ok.textContent).not.toContain('case 13 passes')
    expect(ok.textContent).toContain('case 29 passes')
    await userEvent.click(within(ok).getByRole('button', { name: '16 more lines, show all' }))
    expect(ok.textContent).toContain('case 20 passes')
  })

  it('C12: a stopped command says Stopped, a call that never began Not started; neither is red', () => {
    givenRows(stoppedLog)
    expect(card(/run_command: Stopped/).innerHTML).not.toContain('state-failed')
    expect(card(/run_command: Not started/).innerHTML).not.toContain('state-failed')
    expect(card(/run_command: Stopped/).textContent).toContain('interrupted before it ended')
  })

  it('T8: lets one running command be ended, under a name that is not the Stop', async () => {
    const { actions } = givenRows(runningLog, { idle: false })
    await userEvent.click(screen.getByRole('button', { name: 'End this command' }))
    expect(actions.endCall).toHaveBeenCalledWith(call('r1'))
    expect(screen.queryByRole('button', { name: 'Stop this turn' })).toBeNull()
  })

  it('U9: shows the output of a running command as it comes, and no terminal codes', () => {
    const live = foldToolOutput(foldAll(emptyTranscript, runningLog), {
      sessionId: session,
      callId: call('r1'),
      offset: 0,
      text: '\u001b[32mbuilt\u001b[0m in 2 s\n10 %\r20 %\r100 %\n',
    })
    givenRows(live, { idle: false })
    expect(within(card(/run_command: Running/)).getByRole('region', { name: 'Output' }).textContent).toBe(
      'built in 2 s\n100 %',
    )
  })

  it('shows a plan as a checklist, its states in words too', () => {
    givenRows(completedLog)
    const plan = screen.getByRole('list', { name: 'Plan' })
    expect(
      within(plan)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['Read the CI logs (done)', 'Mend the flush (in work)', 'Run the spec twenty times (to do)'])
  })
})

describe('other rows', () => {
  it('U9: fold a thought and say how long it took', async () => {
    givenRows(completedLog)
    expect(screen.queryByText(/Timing/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /Thought/ }))
    expect(screen.getByText('Timing')).toBeTruthy()
  })

  it('W2: fold an earlier version and unfold it', async () => {
    givenRows(replacedLog)
    expect(screen.queryByText('Write the nots.')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: /Earlier version: “Write the nots.”/ }))
    expect(screen.getByText('Write the nots.')).toBeTruthy()
  })

  it('W2: let a past message be edited and sent in its place', async () => {
    const { actions } = givenRows(cutLog)
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    const box = screen.getByRole('textbox', { name: 'Edit the message' })
    await userEvent.clear(box)
    await userEvent.type(box, 'Tell me more{Enter}')
    expect(actions.resend).toHaveBeenCalledWith(turn(1), 'Tell me more')
    expect(screen.queryByRole('textbox', { name: 'Edit the message' })).toBeNull()
  })

  it('U4: keep the changed words in the box when they could not be sent, with the reason', async () => {
    const { actions } = givenRows(cutLog)
    actions.resend.mockRejectedValueOnce(new AppError('turn-open', 'A turn is running.'))
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    await userEvent.type(screen.getByRole('textbox', { name: 'Edit the message' }), '!{Enter}')
    expect(screen.getByRole('alert').textContent).toBe('Not sent. A turn is running.')
    expect((screen.getByRole('textbox', { name: 'Edit the message' }) as HTMLTextAreaElement).value).toBe(
      'Tell me about belaying.!',
    )
  })

  it('S-M1: do not send an edited message with the Enter of an input method', async () => {
    const { actions } = givenRows(cutLog)
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
    const box = screen.getByRole('textbox', { name: 'Edit the message' })
    fireEvent.compositionStart(box)
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true, keyCode: 229 })
    fireEvent.compositionEnd(box)
    fireEvent.keyDown(box, { key: 'Enter', isComposing: false, keyCode: 229 })
    expect(actions.resend).not.toHaveBeenCalled()
  })

  it('M4: say why a retry waits and count down to it', () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T09:00:01.000Z') })
    const waiting = new LogWriter().asks('x').steps()
    waiting.add({
      type: 'retry.waiting',
      data: {
        turnId: turn(1),
        stepId: 'step_1' as never,
        attempt: 1,
        until: '2026-03-01T09:00:04.000Z',
        reason: 'The provider is overloaded.',
      },
    })
    givenRows(waiting.events, { idle: false })
    expect(screen.getByText(/The provider is overloaded\. Trying again in \d s\./)).toBeTruthy()
    vi.useRealTimers()
  })

  it('U9: copy a whole code block, also where it is drawn in pieces', async () => {
    const lines = Array.from({ length: 150 }, (_, at) => `line ${at}`).join('\n')
    givenRows(new LogWriter().asks('code').steps().says(`\`\`\`\n${lines}\n\`\`\`\n`).ends().events)
    const written: string[] = []
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (text: string) => void written.push(text) },
    })
    const [copy, ...more] = screen.getAllByRole('button', { name: 'Copy code' })
    expect(more).toEqual([])
    await act(async () => copy?.click())
    expect(written).toEqual([lines])
  })
})
