// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import { SessionHeader } from '@/components/workbench/session-header'
import type { ModelInfo } from '@/lib/contract/commands'
import type { Session } from '@/lib/contract/session'

afterEach(cleanup)

const models: ModelInfo[] = [
  { id: 'anthropic/claude-sonnet', label: 'claude-sonnet', provider: 'anthropic', scripted: false },
  { id: 'rehearsal/script', label: 'Rehearsal', provider: 'rehearsal', scripted: true },
]

function given(change: Partial<Session> = {}) {
  const actions = { rename: vi.fn(), archive: vi.fn(), remove: vi.fn() }
  const onChange = vi.fn()
  render(<SessionHeader session={sampleSession(change)} models={models} actions={actions} onChange={onChange} />)
  return { user: userEvent.setup(), actions, onChange }
}

describe('the head of a session', () => {
  it('edits the title in place: Enter keeps it', async () => {
    const { user, actions } = given({ title: 'Old' })
    await user.click(screen.getByRole('button', { name: 'Old. Rename' }))
    await user.keyboard('New name{Enter}')
    expect(actions.rename).toHaveBeenCalledExactlyOnceWith('New name')
  })

  it('U3: gives up the edit by Esc, and the key goes no further', async () => {
    const pressed = vi.fn()
    window.addEventListener('keydown', pressed)
    const { user, actions } = given({ title: 'Old' })
    await user.click(screen.getByRole('button', { name: 'Old. Rename' }))
    await user.keyboard('New{Escape}')
    window.removeEventListener('keydown', pressed)
    expect(actions.rename).not.toHaveBeenCalled()
    expect(screen.getByRole('button', { name: 'Old. Rename' })).toBeTruthy()
    expect(pressed.mock.calls.some(([event]) => (event as KeyboardEvent).key === 'Escape')).toBe(false)
  })

  it('keeps the title when nothing is left of it', async () => {
    const { user, actions } = given({ title: 'Old' })
    await user.click(screen.getByRole('button', { name: 'Old. Rename' }))
    await user.keyboard('{Backspace}{Enter}')
    expect(actions.rename).not.toHaveBeenCalled()
  })

  it('changes the model and says which of them are scripts', async () => {
    const { user, onChange } = given()
    const select = screen.getByRole('combobox', { name: 'Model' })
    expect(select.querySelector('optgroup[label="Scripts, not models"] option')?.textContent).toBe('Rehearsal')
    await user.selectOptions(select, 'rehearsal/script')
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ model: 'rehearsal/script' })
  })

  it('keeps a model that is not listed any more', () => {
    given({ model: 'openai/gone' })
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Model' }).value).toBe('openai/gone')
  })

  it('says that a session that asks may only read as long as it cannot ask', async () => {
    const { user, onChange } = given({ approvalMode: 'ask' })
    expect(screen.getAllByText(/May only read for now/).length).toBeGreaterThan(0)
    await user.selectOptions(screen.getByRole('combobox', { name: 'What the agent may do' }), 'full-access')
    expect(onChange).toHaveBeenCalledExactlyOnceWith({ approvalMode: 'full-access' })
  })

  it('has no Stop of its own: there is one per session view, in the composer (U1)', () => {
    given(sampleSessions().running)
    expect(screen.queryByRole('button', { name: /stop/i })).toBeNull()
  })
})
