// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { StateMark } from '@/components/ui/state-mark'
import { outcomeState, outcomeText, sessionStateText, stateOrder, stateWords } from '@/components/ui/state-text'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import { type StateWord, stateWordOf } from '@/lib/contract/session'

afterEach(cleanup)

describe('a state mark', () => {
  it('U10: says every state by a word and by a shape of its own, not by colour alone', () => {
    const shapes = new Map<string, string>()
    for (const state of stateOrder) {
      const { container } = render(<StateMark state={state} />)
      expect(container.textContent).toBe(stateWords[state])
      shapes.set(container.querySelector('svg')?.innerHTML ?? '', state)
      cleanup()
    }
    expect(new Set(shapes.values())).toEqual(new Set(stateOrder))
  })

  it('U10: hides the shape from assistive technology, where the word says it', () => {
    const { container } = render(<StateMark state="paused" text="Paused, 2 waiting" />)
    expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
    expect(container.textContent).toBe('Paused, 2 waiting')
  })

  it.each<[StateWord, boolean]>(stateOrder.map((state) => [state, state === 'running' || state === 'stopping']))(
    'moves only what works: %s',
    (state, moves) => {
      const { container } = render(<StateMark state={state} />)
      expect(/animate-/.test(container.querySelector('svg')?.getAttribute('class') ?? '')).toBe(moves)
    },
  )
})

describe('the words for a state', () => {
  it('has a sample session for every state, and each wears that state', () => {
    for (const [state, session] of Object.entries(sampleSessions())) expect(stateWordOf(session)).toBe(state)
  })

  it.each<[string, Parameters<typeof sampleSession>[0]]>([
    ['New', {}],
    ['Running', { activity: 'running' }],
    ['Stopping', { activity: 'stopping' }],
    ['Needs you', { needs: 1, activity: 'running' }],
    ['Needs you (3)', { needs: 3, activity: 'running' }],
    ['Paused, 2 waiting', sampleSessions().paused],
    ['Paused', { paused: true }],
    ['Done', { lastOutcome: { kind: 'completed' } }],
    ['Done, cut at the token limit', { lastOutcome: { kind: 'truncated' } }],
    ['Stopped by you', { lastOutcome: { kind: 'aborted' } }],
    ['Stopped', { lastOutcome: { kind: 'aborted' }, kind: 'one-shot' }],
    ['Stopped at shutdown', { lastOutcome: { kind: 'disposed' } }],
    ['Failed', { lastOutcome: { kind: 'failed', code: 'internal', message: 'x' } }],
    ['Blocked by a hook', { lastOutcome: { kind: 'blocked' } }],
    ['Lost at restart', { lastOutcome: { kind: 'orphaned' } }],
  ])('W5: says "%s"', (text, change) => {
    expect(sessionStateText(sampleSession(change))).toBe(text)
  })

  it('C12: never shows a stop as a failure', () => {
    for (const kind of ['aborted', 'disposed'] as const) expect(outcomeState({ kind })).toBe('stopped')
    expect(outcomeText({ kind: 'aborted' }, 'user')).toBe('Stopped by you')
    expect(outcomeText({ kind: 'aborted' }, 'parent')).toBe('Stopped by parent')
  })

  it('tells a crash from a stop', () => {
    expect(outcomeState({ kind: 'orphaned' })).toBe('orphaned')
    expect(outcomeText({ kind: 'orphaned' }, null)).toBe('Lost at restart')
  })
})
