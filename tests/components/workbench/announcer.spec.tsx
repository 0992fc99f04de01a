// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Announcer, useAnnounceState } from '@/components/workbench/announcer'
import { sampleSession } from '@/components/workbench/sample-sessions'
import type { SessionId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

afterEach(cleanup)

function Voice({ session }: { session: Session }) {
  useAnnounceState(session)
  return null
}

function given(first: Partial<Session>) {
  const at = (change: Partial<Session>) => (
    <Announcer>
      <Voice session={sampleSession(change)} />
    </Announcer>
  )
  const { rerender } = render(at(first))
  return { become: (change: Partial<Session>) => rerender(at(change)) }
}
const said = () =>
  screen
    .getAllByRole('status')
    .map((region) => region.textContent)
    .join('')

describe('the announcer', () => {
  it('U10: says started, stopping and how it ended, each once', () => {
    const { become } = given({})
    expect(said()).toBe('')
    become({ activity: 'running' })
    expect(said()).toBe('Started')
    become({ activity: 'stopping' })
    expect(said()).toBe('Stopping')
    become({ lastOutcome: { kind: 'aborted' } })
    expect(said()).toBe('Stopped by you')
  })

  it('U10: says when the session needs somebody, and when it goes on', () => {
    const { become } = given({ activity: 'running' })
    become({ activity: 'running', needs: 1 })
    expect(said()).toBe('Needs you')
    become({ activity: 'running', needs: 0 })
    expect(said()).toBe('Started')
  })

  it('U10: is silent about text that streams and tokens that are counted', () => {
    const { become } = given({ activity: 'running' })
    become({ activity: 'running', lastSeq: 40, usage: { inputTokens: 900, outputTokens: 20, estimated: false } })
    expect(said()).toBe('')
  })

  it('says the state that a session opens with to nobody', () => {
    const { become } = given({ activity: 'running' })
    become({ id: 'ses_other' as SessionId, lastOutcome: { kind: 'completed' } })
    expect(said()).toBe('')
  })

  it('is polite, and speaks in whole sentences', () => {
    given({})
    for (const region of screen.getAllByRole('status')) {
      expect(region.getAttribute('aria-live')).toBe('polite')
      expect(region.getAttribute('aria-atomic')).toBe('true')
    }
  })
})
