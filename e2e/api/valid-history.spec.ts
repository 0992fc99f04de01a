/** Wherever a turn is stopped around a tool call, a strict provider accepts the next request (C13). */
import { expect, test } from '@playwright/test'
import { type Api, ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { type ProviderName, runs, type Script, ScriptedModels, says } from '../support/scripted-models'
import { Belay } from '../support/server'
import { storedEvents, tamper } from '../support/stored'
import type { StreamReading } from '../support/stream'
import { expectPaired, outcomesAtRest, textsIn } from '../support/turns'

const given = givenBelay()

interface Window {
  readonly name: string
  readonly provider?: ProviderName
  readonly first: ReturnType<Script>
  /** Resolves at the moment at which the Stop is sent. */
  readonly moment: (reading: StreamReading, api: Api, id: string) => Promise<unknown>
  readonly statuses: readonly string[]
}

const windows: readonly Window[] = [
  {
    name: 'while its arguments stream',
    first: [
      { kind: 'text', pieces: 'Let me look. ' },
      { kind: 'call', name: 'run_command', input: { command: 'echo never' }, half: true },
      { kind: 'hang' },
    ],
    moment: (reading) => reading.until((frame) => frame.event === 'delta' && frame.data.kind === 'tool-call'),
    statuses: [],
  },
  {
    name: 'after the call and before it starts',
    // A wire that says where a call ends; the text behind the calls tells that both ends have been seen.
    provider: 'anthropic',
    first: [
      { kind: 'text', pieces: 'Two things. ' },
      runs('echo never'),
      runs('echo never either'),
      { kind: 'text', pieces: 'That is all. ' },
      { kind: 'hang' },
    ],
    moment: (reading, _api, id) => reading.text(id, (text) => text.includes('That is all')),
    statuses: ['skipped', 'skipped'],
  },
  {
    name: 'during the call',
    first: [{ kind: 'text', pieces: 'Running. ' }, runs('echo begun; sleep 60')],
    moment: (reading) => reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('begun')),
    statuses: ['aborted'],
  },
  {
    name: 'between two calls',
    first: [runs('echo one'), runs('echo two; sleep 60'), runs('echo three')],
    moment: (reading) => reading.event('tool.end'),
    statuses: ['ok', 'aborted|skipped', 'skipped'],
  },
]

for (const { name, provider, first, moment, statuses } of windows) {
  test(`S-G1: a turn stopped ${name} leaves a history that a strict provider accepts`, async () => {
    const { api } = given
    const model = given.models.script((_request, n) => (n === 1 ? first : says('Hello to you.')), provider)
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'work')
    await moment(reading, api, id)
    await api.cancel(id, { via: 'button' })
    await reading.event('turn.end')

    await api.send(id, 'hello')
    expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
    expect(model.requests().map((request) => request.refused)).toEqual([undefined, undefined])
    const stored = storedEvents(given.belay.home, id)
    expectPaired(stored)
    expect(textsIn(stored).at(-1)).toBe('Hello to you.')
    const seen = ofType(stored, 'tool.end').map((event) => event.data.status)
    expect(seen).toHaveLength(statuses.length)
    for (const [index, status] of statuses.entries()) expect(seen[index]).toMatch(new RegExp(`^(${status})$`))
  })
}

test('S-G1: a broken session made by hand, a call without its result, loads and answers', async () => {
  const models = await ScriptedModels.start()
  const belay = await Belay.start({ env: models.env })
  try {
    const { api } = belay
    const model = models.script((_request, n) => (n === 1 ? [runs('echo one')] : says('Hello to you.')))
    const { id } = await api.create({ model: model.id })
    await api.send(id, 'work')
    await outcomesAtRest(api, id, 1)
    await belay.stop()
    const lost = JSON.stringify({ for: 'person', text: 'A result was here.' })
    const sql = "UPDATE events SET type = 'note', data = ? WHERE type = 'tool.end' AND session_id = ?"
    expect(tamper(belay.home, sql, [lost, id])).toBe(1)

    await belay.startAgain()
    await api.send(id, 'hello')
    expect(await outcomesAtRest(api, id, 2)).toEqual(['completed', 'completed'])
    expect(model.requests().map((request) => request.refused)).toEqual([undefined, undefined, undefined])
  } finally {
    await belay.dispose()
    await models.close()
  }
})
