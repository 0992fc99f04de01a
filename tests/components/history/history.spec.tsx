// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type HistoryFilter, isFiltered, noHistoryFilter, turnsQuery } from '@/components/history/history-filter'
import { HistoryFilters } from '@/components/history/history-filters'
import { HistoryList } from '@/components/history/history-list'
import { plainText } from '@/components/history/plain-text'
import { sampleTurn, sampleTurns } from '@/components/history/sample-turns'
import type { TurnRow } from '@/lib/contract/session'

afterEach(cleanup)

function Filters({ asked }: { asked: (filter: HistoryFilter) => void }) {
  const [filter, setFilter] = useState<HistoryFilter>(noHistoryFilter)
  return (
    <HistoryFilters
      filter={filter}
      onFilter={(next) => {
        asked(next)
        setFilter(next)
      }}
    />
  )
}

function showing(turns: readonly TurnRow[], query = '') {
  render(
    <HistoryList
      state={{ kind: 'ready', turns, more: null, loadingMore: false }}
      query={query}
      filtered={query !== ''}
      onClear={() => {}}
    />,
  )
}
const row = () => screen.getByRole('link').textContent ?? ''

describe('a turn in the history', () => {
  it('U8: says how it ended, when, how long, what it used and what it did last, and opens at the exact turn', () => {
    showing([sampleTurn(3, { lastStep: { tool: 'run_command', text: 'npm test' } })])
    const link = screen.getByRole('link')
    expect(link.getAttribute('href')).toBe('/s/ses_sample?turn=turn_3')
    for (const part of ['Find out why', 'Done', '0:45', '3.4k', 'run_command', 'npm test']) {
      expect(link.textContent).toContain(part)
    }
    expect(link.querySelector('time')?.getAttribute('datetime')).toBe('2026-03-02T12:04:31.000Z')
    expect(link.querySelector('time')?.title).toContain('2 March 2026')
  })

  it.each<[string, Partial<TurnRow>]>([
    ['Stopped by you', { outcome: { kind: 'aborted' }, requestedBy: 'user', via: 'button' }],
    ['Stopped by you, over the API', { outcome: { kind: 'aborted' }, requestedBy: 'user', via: 'api' }],
    ['Stopped by you, by denying', { outcome: { kind: 'aborted' }, requestedBy: 'user', via: 'deny' }],
    ['Stopped by parent, with a tool', { outcome: { kind: 'aborted' }, requestedBy: 'parent', via: 'tool' }],
    ['Stopped at shutdown', { outcome: { kind: 'disposed' } }],
    ['Lost at restart', { outcome: { kind: 'orphaned' } }],
    ['Failed: No more requests.', { outcome: { kind: 'failed', code: 'rate-limited', message: 'No more requests.' } }],
    ['Running', { outcome: null, durationMs: null }],
  ])('U8: says who stopped it and by which way: %s', (text, change) => {
    showing([sampleTurn(1, change)])
    expect(row()).toContain(text)
  })

  it('U8: marks what was searched for, in any language and whatever its case', () => {
    showing([sampleTurn(1, { prompt: '把 Upload 测试修好', snippet: { seq: 3, text: 'the UPLOAD id' } })], 'upload')
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['Upload', 'UPLOAD'])
    cleanup()
    showing([sampleTurn(1, { prompt: '把上传测试修好', lastStep: { text: '' } })], '测试')
    expect(document.querySelector('mark')?.textContent).toBe('测试')
  })

  it('U10: tells the endings apart by shape too', () => {
    showing(sampleTurns)
    const shapes = [...document.querySelectorAll('[data-state-shape]')].map((mark) =>
      mark.getAttribute('data-state-shape'),
    )
    expect(new Set(shapes)).toEqual(new Set(['running', 'done', 'stopped', 'failed', 'orphaned']))
  })

  it('shows markdown as plain words', () => {
    expect(plainText('# Notes\n- It runs **one** command, `next build`:\n```ts\nlet a = 1\n```')).toBe(
      'Notes It runs one command, next build: let a = 1',
    )
    expect(plainText('a * b and snake_case_name stay')).toBe('a * b and snake_case_name stay')
  })
})

describe('the history list', () => {
  it('U8: tells an empty history from a filter that nothing fits', async () => {
    const onClear = vi.fn()
    const empty = { kind: 'ready', turns: [], more: null, loadingMore: false } as const
    const { rerender } = render(<HistoryList state={empty} query="" filtered={false} onClear={onClear} />)
    expect(screen.getByText('No turns yet')).toBeTruthy()
    rerender(<HistoryList state={empty} query="x" filtered onClear={onClear} />)
    expect(screen.getByText('No turn matches')).toBeTruthy()
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear the filter' }))
    expect(onClear).toHaveBeenCalledOnce()
  })

  it('says why it could not be loaded, and tries again on request', async () => {
    const retry = vi.fn()
    render(
      <HistoryList
        state={{ kind: 'failed', message: 'The server does not answer.', retry }}
        query=""
        filtered={false}
        onClear={() => {}}
      />,
    )
    expect(screen.getByRole('alert').textContent).toContain('The server does not answer.')
    await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})

describe('the history filters', () => {
  const now = Date.parse('2026-03-10T12:00:30.000Z')

  it.each<[Partial<HistoryFilter>, Record<string, string>]>([
    [{}, {}],
    [{ outcome: ['stopped'] }, { outcome: 'aborted' }],
    [{ outcome: ['done', 'failed'] }, { outcome: 'completed,truncated,failed,blocked' }],
    [{ outcome: ['shutdown', 'orphaned'] }, { outcome: 'disposed,orphaned' }],
    [{ by: ['user'] }, { requestedBy: 'user' }],
    [{ query: ' 取消 ' }, { query: '取消' }],
    [{ since: 'week' }, { from: '2026-03-03T12:00:00.000Z' }],
  ])('U8: %j asks the server for %j', (filter, query) => {
    expect(turnsQuery({ ...noHistoryFilter, ...filter }, now)).toEqual(query)
    expect(isFiltered({ ...noHistoryFilter, ...filter })).toBe(Object.keys(query).length > 0)
  })

  it('U8: filters by ending, by who stopped it and by words, and clears it all', async () => {
    const asked = vi.fn()
    const user = userEvent.setup()
    render(<Filters asked={asked} />)
    const failed = screen.getByRole('button', { name: 'Failed' })
    await user.click(failed)
    expect(failed.getAttribute('aria-pressed')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'By you' }))
    await user.selectOptions(screen.getByRole('combobox', { name: 'Since when' }), 'Last 7 days')
    await user.type(screen.getByRole('searchbox', { name: 'Search turns' }), 'upload{Enter}')
    expect(asked).toHaveBeenLastCalledWith({ outcome: ['failed'], by: ['user'], since: 'week', query: 'upload' })
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(asked).toHaveBeenLastCalledWith(noHistoryFilter)
  })
})
