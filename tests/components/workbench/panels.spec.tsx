// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootScript } from '@/components/workbench/boot-script'
import { changePanel, panelLimits } from '@/components/workbench/panels'
import { ResizeHandle } from '@/components/workbench/resize-handle'

const root = document.documentElement
const widthOf = (panel: string) => root.style.getPropertyValue(`--width-${panel}`)

beforeEach(() => {
  changePanel('list', { width: panelLimits.list.usual, folded: false })
  changePanel('tree', { width: panelLimits.tree.usual, folded: false })
})
afterEach(cleanup)

describe('the edge of a side area', () => {
  it('U10: moves with the arrow keys, within its limits, and says where it stands', async () => {
    const user = userEvent.setup()
    render(<ResizeHandle panel="list" side="left" label="Resize the session list" />)
    const edge = screen.getByRole('separator', { name: 'Resize the session list' })
    edge.focus()
    await user.keyboard('{ArrowRight}')
    expect(widthOf('list')).toBe(`${panelLimits.list.usual + 16}px`)
    expect(edge.getAttribute('aria-valuenow')).toBe(String(panelLimits.list.usual + 16))
    await user.keyboard('{End}{ArrowRight}')
    expect(widthOf('list')).toBe(`${panelLimits.list.max}px`)
    await user.keyboard('{Home}{ArrowLeft}')
    expect(widthOf('list')).toBe(`${panelLimits.list.min}px`)
  })

  it('grows the right-hand area to the left', async () => {
    const user = userEvent.setup()
    render(<ResizeHandle panel="tree" side="right" label="Resize the tree" />)
    screen.getByRole('separator').focus()
    await user.keyboard('{ArrowLeft}')
    expect(widthOf('tree')).toBe(`${panelLimits.tree.usual + 16}px`)
  })

  it('folds the area by Enter', async () => {
    const user = userEvent.setup()
    render(<ResizeHandle panel="list" side="left" label="Resize the session list" />)
    screen.getByRole('separator').focus()
    await user.keyboard('{Enter}')
    expect(root.dataset.list).toBe('folded')
  })
})

it('remembers measures and folds, and has them back before anything is painted', () => {
  changePanel('list', { width: 300 })
  changePanel('tree', { folded: true })
  root.removeAttribute('style')
  root.removeAttribute('data-tree')

  new Function(bootScript)()
  expect(widthOf('list')).toBe('300px')
  expect(root.dataset.tree).toBe('folded')
  expect(root.dataset.list).toBeUndefined()
})

it('starts from the usual measures when what was remembered cannot be read', () => {
  localStorage.setItem('belay.panels', '{broken')
  root.removeAttribute('style')
  expect(() => new Function(bootScript)()).not.toThrow()
  expect(widthOf('list')).toBe('')
})
