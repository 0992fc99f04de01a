// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { SideArea, SideSheetButton } from '@/components/tree/side-area'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import type { PlanItem } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'

afterEach(cleanup)

const root = sampleSession({ activity: 'running', lastOutcome: { kind: 'completed' } })
const child = {
  ...sampleSessions().paused,
  kind: 'continuable' as const,
  parentId: root.id,
  rootId: root.id,
  depth: 1,
  label: 'bisect the commits',
}
const plan: PlanItem[] = [
  { text: 'Read the logs', status: 'done' },
  { text: 'Bisect', status: 'in-progress' },
]

describe('the side area', () => {
  it('shows the plan, the queue, the tokens and the workspace of a session without children', () => {
    render(<SideArea session={sampleSessions().paused} nodes={[sampleSessions().paused]} plan={plan} />)
    const area = screen.getByRole('complementary', { name: 'Session' })
    expect(within(area).getByText('Plan, 1 of 2')).toBeTruthy()
    expect(within(area).getByText('2 messages')).toBeTruthy()
    expect(within(area).getByText('/home/ada/code/shop')).toBeTruthy()
  })

  it('U10: says how far each step of a plan is in words too', () => {
    render(<SideArea session={root} nodes={[root]} plan={plan} />)
    expect(screen.getByText('Read the logs').textContent).toBe('Read the logs, done')
  })

  it('U5: shows every node of a tree with its label and state, and the way into it', () => {
    render(<SideArea session={root} nodes={[root, child]} plan={[]} />)
    const area = screen.getByRole('complementary', { name: 'Tree' })
    const link = within(area).getByRole('link', { name: /bisect the commits/ })
    expect(link.textContent).toContain('Paused, 2 waiting')
    expect(link.getAttribute('href')).toBe(`/s/${child.id}`)
    expect(
      within(area)
        .getByRole('link', { name: /Fix the flaky/ })
        .getAttribute('aria-current'),
    ).toBe('page')
  })

  it('counts the states on the rail, in words for those who cannot see the shapes', () => {
    render(<SideArea session={root} nodes={[root, child, { ...child, id: 'ses_2' as SessionId }]} plan={[]} />)
    const rail = screen.getByRole('complementary', { name: 'Tree, folded' })
    expect(
      within(rail)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(['1Running', '2Paused'])
  })

  it('opens as a sheet where there is no room beside the transcript', async () => {
    render(<SideSheetButton session={root} nodes={[root, child]} plan={[]} above={<p>Settings</p>} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show the tree' }))
    const sheet = screen.getByRole('dialog', { name: 'Tree' })
    expect(within(sheet).getByText('Settings')).toBeTruthy()
    expect(within(sheet).getByRole('link', { name: /bisect/ })).toBeTruthy()
  })
})
