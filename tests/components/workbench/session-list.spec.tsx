// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { stateOrder, stateWords } from '@/components/ui/state-text'
import { sampleSessions } from '@/components/workbench/sample-sessions'
import { type ListState, SessionList } from '@/components/workbench/session-list'
import type { SessionActions } from '@/components/workbench/session-menu'
import { type ListFilter, noFilter } from '@/components/workbench/session-rows'
import type { SessionId } from '@/lib/contract/ids'

afterEach(cleanup)

const samples = sampleSessions()
const rows = stateOrder.map((state) => samples[state])
const ready: ListState = { kind: 'ready', rows, more: null, loadingMore: false }

function List({
  list,
  first,
  actions,
  onFilter,
}: {
  list: ListState
  first: ListFilter
  actions: SessionActions
  onFilter: (filter: ListFilter) => void
}) {
  const [filter, setFilter] = useState(first)
  return (
    <SessionList
      list={list}
      filter={filter}
      onFilter={(next) => {
        onFilter(next)
        setFilter(next)
      }}
      currentId={'ses_running' as SessionId}
      actionsOf={() => actions}
    />
  )
}

function given(list: ListState, filter: ListFilter = noFilter) {
  const actions = { rename: vi.fn(), archive: vi.fn(), remove: vi.fn() } satisfies SessionActions
  const onFilter = vi.fn()
  render(<List list={list} first={filter} actions={actions} onFilter={onFilter} />)
  return { user: userEvent.setup(), actions, onFilter }
}

describe('the session list', () => {
  it('U10: says the state of every session in words and marks the one in view', () => {
    given(ready)
    for (const state of stateOrder) {
      const link = screen.getByRole('link', { name: new RegExp(samples[state].title) })
      expect(link.textContent).toContain(stateWords[state])
      expect(link.getAttribute('aria-current')).toBe(state === 'running' ? 'page' : null)
      expect(link.getAttribute('href')).toBe(`/s/ses_${state}`)
    }
  })

  it('U10: is one tab stop, and arrow keys move inside it', async () => {
    const { user } = given(ready)
    const links = screen.getAllByRole('link')
    expect(links.filter((link) => link.tabIndex === 0)).toHaveLength(1)

    links[1]?.focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(links[2])
    expect(links[2]?.tabIndex).toBe(0)
    await user.keyboard('{End}{ArrowDown}')
    expect(document.activeElement).toBe(links.at(-1))
    await user.keyboard('{Home}')
    expect(document.activeElement).toBe(links[0])
  })

  it('renames from the row’s menu and gives the focus back', async () => {
    const { user, actions } = given(ready)
    const trigger = screen.getByRole('button', { name: `More for ${samples.paused.title}` })
    await user.click(trigger)
    await user.click(screen.getByRole('menuitem', { name: 'Rename' }))
    const box = within(screen.getByRole('dialog')).getByRole('textbox', { name: 'Title' })
    await user.clear(box)
    await user.type(box, ' Better name {Enter}')
    expect(actions.rename).toHaveBeenCalledExactlyOnceWith('Better name')
    await vi.waitFor(() => expect(document.activeElement).toBe(trigger))
  })

  it('asks before deleting, and says that what runs is stopped first', async () => {
    const { user, actions } = given(ready)
    await user.click(screen.getByRole('button', { name: `More for ${samples.running.title}` }))
    await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
    const dialog = screen.getByRole('alertdialog', { name: 'Delete this session?' })
    expect(dialog.textContent).toContain('it is stopped first')
    expect(actions.remove).not.toHaveBeenCalled()

    await user.click(within(dialog).getByRole('button', { name: 'Stop and delete' }))
    expect(actions.remove).toHaveBeenCalledOnce()
  })

  it('sifts by state from its menu', async () => {
    const { user, onFilter } = given(ready)
    await user.click(screen.getByRole('button', { name: 'Filter by state' }))
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Failed' }))
    expect(onFilter).toHaveBeenLastCalledWith({ ...noFilter, states: ['failed'] })
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Show the archive' }))
    expect(onFilter).toHaveBeenLastCalledWith({ ...noFilter, states: ['failed'], archived: true })
  })

  it('asks for words once the typing pauses', async () => {
    const { user, onFilter } = given(ready)
    await user.type(screen.getByRole('textbox', { name: 'Filter sessions' }), 'upload')
    await vi.waitFor(() => expect(onFilter).toHaveBeenCalled())
    expect(onFilter).toHaveBeenLastCalledWith({ ...noFilter, text: 'upload' })
    expect(onFilter.mock.calls.length).toBeLessThan(6)
  })

  it('shows more on request, until everything is shown', async () => {
    const more = vi.fn()
    const { user } = given({ ...ready, more })
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    expect(more).toHaveBeenCalledOnce()
    cleanup()
    given(ready)
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
  })

  it('says what to do where there is nothing', async () => {
    given({ ...ready, rows: [] })
    expect(screen.getByText('No sessions yet')).toBeTruthy()
    cleanup()
    const { user, onFilter } = given({ ...ready, rows: [] }, { ...noFilter, states: ['failed'], text: 'x' })
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
    expect(onFilter).toHaveBeenCalledWith(noFilter)
  })

  it('says why it could not be loaded, and tries again on request', async () => {
    const retry = vi.fn()
    const { user } = given({ kind: 'failed', message: 'The server does not answer.', retry })
    expect(screen.getByRole('alert').textContent).toContain('The server does not answer.')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})
