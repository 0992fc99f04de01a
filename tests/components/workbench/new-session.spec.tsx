// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { modeOfScript } from '@/components/workbench/card-mode'
import { NewSessionForm, type NewSessionRequest } from '@/components/workbench/new-session-form'
import { RehearsalCards } from '@/components/workbench/rehearsal-cards'
import type { ModelInfo } from '@/lib/contract/commands'
import { rehearsalCards } from '@/lib/contract/rehearsal-cards'

afterEach(cleanup)

const models: ModelInfo[] = [
  { id: 'anthropic/claude-sonnet', label: 'claude-sonnet', provider: 'anthropic', scripted: false },
  { id: 'rehearsal/script', label: 'Rehearsal', provider: 'rehearsal', scripted: true },
]

function Form({ defaultModel, onStart }: { defaultModel: string; onStart: (request: NewSessionRequest) => void }) {
  const [workspace, setWorkspace] = useState('/home/ada/code')
  return (
    <NewSessionForm
      models={models}
      defaultModel={defaultModel}
      defaultWorkspace="/home/ada/code"
      workspace={workspace}
      onWorkspace={setWorkspace}
      starting={false}
      focus="take"
      onStart={onStart}
    />
  )
}

function given(defaultModel = 'anthropic/claude-sonnet') {
  const onStart = vi.fn()
  render(<Form defaultModel={defaultModel} onStart={onStart} />)
  return { user: userEvent.setup(), onStart, box: screen.getByRole('textbox', { name: 'First message' }) }
}

describe('the form that starts a session', () => {
  it('U3: Enter sends, Shift+Enter breaks the line', async () => {
    const { user, onStart, box } = given()
    expect(document.activeElement).toBe(box)
    await user.keyboard('Read{Shift>}{Enter}{/Shift}the logs{Enter}')
    expect(onStart).toHaveBeenCalledExactlyOnceWith({
      text: 'Read\nthe logs',
      model: 'anthropic/claude-sonnet',
      approvalMode: 'ask',
    })
  })

  it('U3: the Enter of an input method never sends', () => {
    const { onStart, box } = given()
    fireEvent.change(box, { target: { value: '修' } })
    fireEvent.compositionStart(box)
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true, keyCode: 229 })
    fireEvent.compositionEnd(box)
    expect(onStart).not.toHaveBeenCalled()
  })

  it('does not start with nothing to say', async () => {
    const { user, onStart } = given()
    await user.keyboard('   {Enter}')
    expect(onStart).not.toHaveBeenCalled()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Start' }).disabled).toBe(true)
  })

  it('M3: says plainly when the answer will be a script’s', async () => {
    const { user } = given()
    expect(screen.queryByText(/This is a script, not a model/)).toBeNull()
    await user.selectOptions(screen.getByRole('combobox', { name: 'Model' }), 'rehearsal/script')
    expect(screen.getByText(/This is a script, not a model/)).toBeTruthy()
  })

  it('R2: shows which workspace is the default', () => {
    given()
    const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Workspace' })
    expect(input.value).toBe('/home/ada/code')
    expect(screen.getByText('The folder Belay was started for.')).toBeTruthy()
  })

  it('says in a sentence what each mode means right now', async () => {
    const { user } = given()
    expect(screen.getByText(/may only read for now/)).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: 'Full access' }))
    expect(screen.getByText(/run any command as you/)).toBeTruthy()
  })
})

describe('the cards of things to try', () => {
  it('M3: start a session with the script as it stands', async () => {
    const onStart = vi.fn()
    render(<RehearsalCards models={models} disabled={false} onStart={onStart} />)
    for (const card of rehearsalCards) {
      await userEvent.setup().click(screen.getByRole('button', { name: new RegExp(card.title) }))
      expect(onStart).toHaveBeenLastCalledWith({
        text: card.script,
        model: 'rehearsal/script',
        approvalMode: modeOfScript(card.script),
      })
    }
  })

  it('say on their face when they run commands, and ask for no more than they need', () => {
    render(<RehearsalCards models={models} disabled={false} onStart={() => {}} />)
    for (const card of rehearsalCards) {
      const face = screen.getByRole('button', { name: new RegExp(card.title) }).textContent ?? ''
      expect(face.includes('Runs commands: starts with full access.')).toBe(card.script.includes('run `'))
    }
    expect(modeOfScript('talk for 20 words')).toBe('ask')
    expect(modeOfScript('write notes.txt: hold, then talk for 5 words')).toBe('accept-edits')
    expect(modeOfScript('write notes.txt: hold, then run `date`')).toBe('full-access')
  })

  it('are not there without a rehearsal model', () => {
    render(<RehearsalCards models={models.slice(0, 1)} disabled={false} onStart={() => {}} />)
    expect(screen.queryByRole('button')).toBeNull()
  })
})
