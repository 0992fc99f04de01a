import { describe, expect, it } from 'vitest'
import type { SessionId } from '@/lib/contract/ids'
import { frameSchemas } from '@/lib/contract/stream'
import { says, saysThenHangs } from '../runtime/support/scripted-model'
import { givenServer } from './given-server'

interface Seen {
  readonly event: keyof typeof frameSchemas
  readonly data: Record<string, unknown>
}

/** Reads whole frames, each checked against the contract, until one fits. */
function reading(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader()
  const seen: Seen[] = []
  let text = ''
  const until = async (fits: (frame: Seen) => boolean): Promise<Seen> => {
    for (let next = 0; ; ) {
      for (; next < seen.length; next++) {
        const frame = seen[next]
        if (frame && fits(frame)) return frame
      }
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream ended after ${seen.map((frame) => frame.event).join(', ')}`)
      text += new TextDecoder().decode(value)
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const event = /^event: (.*)$/m.exec(part)?.[1] as Seen['event'] | undefined
        if (!event) continue
        const data = JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? '')
        frameSchemas[event].parse(data)
        seen.push({ event, data })
      }
    }
  }
  return { until, seen }
}
const ended = (frame: Seen) => frame.event === 'session-event' && frame.data.type === 'turn.end'

describe('the stream of a running server', () => {
  it('W6: shows a turn as it happens: text before its message, the end after everything', async () => {
    const { stream, create, send } = givenServer([says('Hello')])
    const id = create()
    const { until, seen } = reading(stream.open({ sessions: [id], after: undefined }))
    send(id, 'hi')
    await until(ended)
    const kinds = seen.map((frame) => (frame.event === 'session-event' ? frame.data.type : frame.event))
    expect(kinds.indexOf('delta')).toBeLessThan(kinds.indexOf('assistant.message'))
    expect(kinds.indexOf('assistant.message')).toBeLessThan(kinds.indexOf('turn.end'))
    expect(
      seen
        .filter((frame) => frame.event === 'delta')
        .map((frame) => frame.data.text)
        .join(''),
    ).toBe('Hello')
    await until((frame) => frame.event === 'session' && (frame.data as { lastOutcome: unknown }).lastOutcome !== null)
  })

  it('W7: gives a reader that joins in the middle of a reply the text so far, from offset 0', async () => {
    const { stream, create, model } = givenServer([saysThenHangs('Hello, half')])
    const id = create('hi')
    await model.hasSaid('Hello, half')
    const { until } = reading(stream.open({ sessions: [id], after: 0 }))
    expect((await until((frame) => frame.event === 'delta')).data).toMatchObject({ offset: 0, text: 'Hello, half' })
  })

  it('W5: tells every reader at once that a session is stopping, and then that it is at rest', async () => {
    const { stream, create, model, sessions } = givenServer([saysThenHangs('Hello')])
    const id = create('hi')
    await model.hasSaid('Hello')
    const { until } = reading(stream.open({ sessions: [], after: undefined }))
    await until((frame) => frame.event === 'hello')
    sessions.cancel(id, {})
    await until((frame) => frame.event === 'session' && frame.data.activity === 'stopping')
    const rest = await until((frame) => frame.event === 'session' && frame.data.activity === 'idle')
    expect(rest.data).toMatchObject({ id, lastOutcome: { kind: 'aborted' }, waitingOn: [] })
  })

  it('W6: tells every reader that a session was removed', async () => {
    const { stream, create, sessions } = givenServer()
    const id = create()
    const { until } = reading(stream.open({ sessions: [id], after: undefined }))
    sessions.remove(id)
    expect((await until((frame) => frame.event === 'session-removed')).data).toEqual({ sessionId: id })
  })

  it('W7: sends a reader that was away only the summaries that changed since', async () => {
    const { stream, source, create, sessions } = givenServer()
    const old = create()
    const after = source.position()
    const changed = create()
    sessions.change(changed, { title: 'New name' })
    const { until, seen } = reading(stream.open({ sessions: [], after }))
    await until((frame) => frame.event === 'session' && frame.data.title === 'New name')
    const summaries = seen.filter((frame) => frame.event === 'session').map((frame) => frame.data.id as SessionId)
    expect(summaries).toContain(changed)
    expect(summaries.filter((id) => id !== changed && id !== old)).toEqual([])
  })
})
