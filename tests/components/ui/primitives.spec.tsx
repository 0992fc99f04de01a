// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Menu, MenuItem } from '@/components/ui/menu'
import { Segmented } from '@/components/ui/segmented'
import { Toaster, toast } from '@/components/ui/toast'

afterEach(cleanup)

// What jsdom lacks: pointer capture (a toast that is swiped asks for it) and CSS.escape (user-event walks radio groups with it).
Element.prototype.hasPointerCapture = () => false
vi.stubGlobal('CSS', { escape: (text: string) => text.replace(/[^\w-]/g, '\\$&') })

describe('the primitives', () => {
  it('U10: names a button that shows only an icon', () => {
    render(<IconButton label="Rename">x</IconButton>)
    expect(screen.getByRole('button', { name: 'Rename' })).toBeTruthy()
  })

  it('does not send a form by a button that is not meant to', () => {
    render(<Button>Plain</Button>)
    expect(screen.getByRole('button').getAttribute('type')).toBe('button')
  })

  it('U10: gives a dialog the focus and gives it back to what opened it', async () => {
    const user = userEvent.setup()
    render(<OpensDialog />)
    await user.click(screen.getByRole('button', { name: 'Open' }))
    const dialog = screen.getByRole('dialog', { name: 'Rename session' })
    expect(dialog.contains(document.activeElement)).toBe(true)

    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })))
  })

  it('asks before what cannot be taken back, with the focus on the safe answer', async () => {
    const confirmed = vi.fn()
    const user = userEvent.setup()
    render(
      <ConfirmDialog
        open
        onOpenChange={() => {}}
        title="Delete this session?"
        description="It is stopped first."
        confirmLabel="Delete"
        onConfirm={confirmed}
      />,
    )
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(confirmed).toHaveBeenCalledOnce()
  })

  it('U3: closes a menu by Esc without letting the key through to the page', async () => {
    const pressed = vi.fn()
    const chosen = vi.fn()
    const user = userEvent.setup()
    window.addEventListener('keydown', pressed)
    render(
      <Menu trigger={<Button>More</Button>}>
        <MenuItem onSelect={chosen}>Archive</MenuItem>
      </Menu>,
    )
    await user.click(screen.getByRole('button', { name: 'More' }))
    expect(screen.getByRole('menuitem', { name: 'Archive' })).toBeTruthy()
    await user.keyboard('{Escape}')
    window.removeEventListener('keydown', pressed)

    expect(screen.queryByRole('menuitem')).toBeNull()
    const escapes = pressed.mock.calls.map(([event]) => event as KeyboardEvent).filter(({ key }) => key === 'Escape')
    expect(escapes.every((event) => event.defaultPrevented)).toBe(true)
    expect(chosen).not.toHaveBeenCalled()
  })

  it('U10: lets arrow keys choose in a segmented control', async () => {
    const user = userEvent.setup()
    render(<ChoosesMode />)
    await user.tab()
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole('radio', { name: 'Full access', checked: true })).toBeTruthy()
  })

  it('U10: ties a field to its label and to what is wrong with it', () => {
    render(
      <Field label="Workspace" problem="There is no folder at this path.">
        {(wiring) => <Input {...wiring} />}
      </Field>,
    )
    const input = screen.getByLabelText('Workspace')
    expect(input.getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'There is no folder at this path.',
    )
  })

  it('shows a toast with its deed, and three at most', async () => {
    const undone = vi.fn()
    const user = userEvent.setup()
    render(<Toaster />)
    act(() => {
      for (const text of ['one', 'two', 'three']) toast({ text })
      toast({ text: 'Archived', action: { label: 'Undo', run: undone } })
    })
    expect(await screen.findByText('Archived')).toBeTruthy()
    expect(screen.queryByText('one')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(undone).toHaveBeenCalledOnce()
  })
})

function OpensDialog() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} onOpenChange={setOpen} title="Rename session">
        <Input aria-label="Title" />
      </Dialog>
    </>
  )
}

function ChoosesMode() {
  const [mode, setMode] = useState<'ask' | 'all'>('ask')
  return (
    <Segmented
      label="Mode"
      value={mode}
      onChange={setMode}
      segments={[
        { value: 'ask', label: 'Asks first' },
        { value: 'all', label: 'Full access' },
      ]}
    />
  )
}
