/** Short ways to say what a case expects of a session. */
import { expect } from '@playwright/test'
import type { SessionEvent } from '@/lib/contract/events'
import type { Outcome } from '@/lib/contract/outcome'
import type { Session } from '@/lib/contract/session'
import { type Api, ofType } from './api'

/** Polls until the session is at rest and returns it. */
export async function atRest(api: Api, id: string, within = 15_000): Promise<Session> {
  let session: Session | undefined
  await expect
    .poll(
      async () => {
        session = await api.session(id)
        return session.activity
      },
      { message: 'the session comes to rest', timeout: within, intervals: [20, 50] },
    )
    .toBe('idle')
  if (!session) throw new Error('No session was read.')
  return session
}

/** Polls until the session is at rest and has had `count` turns; returns their outcomes in order. */
export async function outcomesAtRest(api: Api, id: string, count: number, within = 15_000): Promise<Outcome['kind'][]> {
  let outcomes: Outcome['kind'][] = []
  await expect
    .poll(
      async () => {
        const [session, events] = await Promise.all([api.session(id), api.events(id)])
        outcomes = outcomesIn(events)
        return session.activity === 'idle' && outcomes.length >= count
      },
      { message: `${count} turns end`, timeout: within, intervals: [20, 50, 100] },
    )
    .toBe(true)
  return outcomes
}

export function outcomesIn(events: readonly SessionEvent[]): Outcome['kind'][] {
  return ofType(events, 'turn.end').map((event) => event.data.outcome.kind)
}

/** All text of the assistant, message by message. */
export function textsIn(events: readonly SessionEvent[]): string[] {
  return ofType(events, 'assistant.message').map((event) =>
    event.data.blocks.map((block) => (block.type === 'text' ? block.text : '')).join(''),
  )
}

/** C13: every call of every assistant message has exactly one result, and no result is without a call. */
export function expectPaired(events: readonly SessionEvent[]): void {
  const calls = ofType(events, 'assistant.message').flatMap((event) =>
    event.data.blocks.flatMap((block) => (block.type === 'tool-call' ? [block.callId] : [])),
  )
  const results = ofType(events, 'tool.end').map((event) => event.data.callId)
  expect([...results].sort(), 'one result for each call').toEqual([...calls].sort())
}

/** L1: contiguous from 1, positions increasing. */
export function expectContiguous(events: readonly SessionEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
  const positions = events.map((event) => event.position)
  expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right))
}
