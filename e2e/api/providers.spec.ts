/** Each provider through its real package against a strict double: Stop closes the socket, and the next request is valid and knows (M1, M4, C14). */
import { mkdirSync, rmSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { ofType } from '../support/api'
import { givenBelay } from '../support/given-belay'
import { onThisClock, type ProviderName, runs, type ServerStep, says } from '../support/scripted-models'
import { storedEvents } from '../support/stored'
import { expectPaired, outcomesAtRest, textsIn } from '../support/turns'

const given = givenBelay()
const providers: readonly ProviderName[] = ['openai', 'openai-compatible', 'anthropic', 'google', 'deepseek', 'ollama']

for (const provider of providers) {
  test(`M1: ${provider}: Stop closes the socket, and the next request is valid, holds the partial text and the note of C14`, async () => {
    const { api, belay } = given
    const model = given.models.script(
      (_request, n) =>
        n === 1
          ? [{ kind: 'text', pieces: ['The first half ', 'of a sentence '], delayMs: 5 }, { kind: 'hang' }]
          : says('And the rest.'),
      provider,
    )
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'Say something.')
    await reading.text(id, (text) => text.endsWith('sentence '))

    const stoppedAt = performance.now()
    await api.cancel(id, { via: 'button' })
    await reading.event('turn.end')
    await expect.poll(() => model.requests()[0]?.socketClosedAt, { timeout: 2000, intervals: [10] }).toBeDefined()
    expect(onThisClock(model.requests()[0]?.socketClosedAt ?? 0n) - stoppedAt).toBeLessThan(1000)
    expect(model.requests()[0]?.state).toBe('left')

    await api.send(id, 'Go on.')
    expect(await outcomesAtRest(api, id, 2)).toEqual(['aborted', 'completed'])
    const [, second] = model.requests()
    expect(second?.refused).toBeUndefined()
    const sent = JSON.stringify(second?.body)
    expect(sent).toContain('The first half of a sentence')
    expect(sent).toContain('The user stopped your previous turn')
    expect(sent).toContain('Go on.')
    const stored = storedEvents(belay.home, id)
    expect(textsIn(stored)).toEqual(['The first half of a sentence ', 'And the rest.'])
    expect(ofType(stored, 'note')[0]?.data).toMatchObject({ for: 'model' })
  })

  test(`M1: ${provider}: a stopped command and a stopped thought go back as what they are, and the strict double accepts them`, async () => {
    const { api, belay } = given
    const model = given.models.script((_request, n) => {
      if (n === 1) {
        return [
          { kind: 'reasoning', pieces: ['I should ', 'run it.'], signature: 'signed-1' },
          { kind: 'text', pieces: 'Running it. ' },
          runs('echo printed; sleep 60'),
        ]
      }
      if (n === 2) return [{ kind: 'reasoning', pieces: ['Half a th'], open: true }, { kind: 'hang' }]
      return says('Fine.')
    }, provider)
    const { id } = await api.create({ model: model.id })
    const reading = await given.reading(id)
    await api.send(id, 'Run it.')
    await reading.until((frame) => frame.event === 'tool-output' && frame.data.text.includes('printed'))
    await api.cancel(id)
    await reading.event('turn.end')
    const from = reading.frames.length
    await api.send(id, 'Think.')
    await reading.until((frame) => frame.event === 'delta' && frame.data.kind === 'reasoning', { from })
    await api.cancel(id)
    await reading.event('turn.end', undefined, { from })
    await api.send(id, 'Answer.')
    expect(await outcomesAtRest(api, id, 3)).toEqual(['aborted', 'aborted', 'completed'])
    expect(model.requests().map((request) => request.refused)).toEqual([undefined, undefined, undefined])
    expect(JSON.stringify(model.requests()[1]?.body)).toMatch(/printed[\s\S]*interrupted/)
    const stored = storedEvents(belay.home, id)
    expectPaired(stored)
    expect(ofType(stored, 'tool.end')[0]?.data.status).toBe('aborted')
    const blocks = ofType(stored, 'assistant.message').flatMap((event) => event.data.blocks)
    expect(blocks.filter((block) => block.type === 'reasoning').map((block) => block.text.trim())).toEqual([
      'I should run it.',
      'Half a th',
    ])
  })

  test(`M4: ${provider}: a refusal for a moment is retried, shown with its reason, and then the turn completes`, async () => {
    const { api, belay } = given
    const model = given.models.script(
      (_request, n) =>
        n === 1
          ? [
              {
                kind: 'answer',
                status: 429,
                headers: { 'retry-after': '1', 'content-type': 'application/json' },
                body: '{"error":{"message":"quota 4711 exceeded"}}',
              },
            ]
          : says('Now.'),
      provider,
    )
    const { id } = await api.create({ model: model.id })
    await api.send(id, 'go')
    expect(await outcomesAtRest(api, id, 1)).toEqual(['completed'])
    const stored = storedEvents(belay.home, id)
    const [wait] = ofType(stored, 'retry.waiting')
    expect(wait?.data).toMatchObject({ attempt: 1 })
    expect(wait?.data.reason).toMatch(/.{8,}/)
    expect(wait?.data.reason, 'our text, not the provider’s').not.toContain('4711')
    expect(Date.parse(wait?.data.until ?? '') - Date.parse(wait?.at ?? '')).toBeGreaterThan(500)
    expect(model.requests()).toHaveLength(2)
    expect(textsIn(stored)).toEqual(['Now.'])
  })

  test(`M4: ${provider}: a wait of more than 60 s is not slept: failed as rate-limited, with the time of the next try`, async () => {
    const { api, belay } = given
    const model = given.models.script(
      [
        {
          kind: 'answer',
          status: 429,
          headers: { 'retry-after': '3600', 'content-type': 'application/json' },
          body: '{"error":{"message":"quota 4711 exceeded"}}',
        },
      ],
      provider,
    )
    const { id } = await api.create({ model: model.id })
    await api.send(id, 'go')
    expect(await outcomesAtRest(api, id, 1, 5000)).toEqual(['failed'])
    const [end] = ofType(storedEvents(belay.home, id), 'turn.end')
    expect(end?.data.outcome).toMatchObject({ kind: 'failed', code: 'rate-limited' })
    const message = end?.data.outcome.kind === 'failed' ? end.data.outcome.message : ''
    const again = Date.parse(/\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(message)?.[0] ?? '')
    expect(Math.abs(again - Date.now() - 3_600_000)).toBeLessThan(60_000)
    expect(model.requests()).toHaveLength(1)
  })

  test(`M4: ${provider}: a stream that ends without a finish is a failure that keeps its text, not an answer`, async () => {
    const { api, belay } = given
    const model = given.models.script(
      [{ kind: 'text', pieces: 'I was about to' }, { kind: 'end-without-finish' }],
      provider,
    )
    const { id } = await api.create({ model: model.id })
    await api.send(id, 'go')
    expect(await outcomesAtRest(api, id, 1)).toEqual(['failed'])
    const stored = storedEvents(belay.home, id)
    expect(ofType(stored, 'assistant.message')).toMatchObject([{ data: { partial: true } }])
    expect(textsIn(stored)).toEqual(['I was about to'])
    expect(ofType(stored, 'turn.end')[0]?.data.outcome).toMatchObject({ code: 'stream-cut' })
  })

  for (const status of [200, 502] as const) {
    test(`M4: ${provider}: an answer of HTML (${status}) is a readable failure, and none of it is shown as ours`, async () => {
      const { api, belay } = given
      const html: ServerStep = {
        kind: 'answer',
        status,
        headers: { 'content-type': 'text/html', 'retry-after': '0' },
        body: '<!doctype html><html><body><h1>Captive portal 4711</h1></body></html>',
      }
      const model = given.models.script([html], provider)
      const { id } = await api.create({ model: model.id })
      await api.send(id, 'go')
      expect(await outcomesAtRest(api, id, 1, 30_000)).toEqual(['failed'])
      const stored = storedEvents(belay.home, id)
      const outcome = ofType(stored, 'turn.end')[0]?.data.outcome
      expect(outcome?.kind === 'failed' && outcome.message).toMatch(/^[A-Z].{10,}/)
      expect(JSON.stringify(stored)).not.toContain('Captive portal')
    })
  }
}

test('M1: a key that the provider refuses is a failure that says so, without the key', async () => {
  const { api, belay } = given
  const model = given.models.script([
    {
      kind: 'answer',
      status: 401,
      headers: { 'content-type': 'application/json' },
      body: '{"error":{"message":"Incorrect API key provided: key-of-compatible"}}',
    },
  ])
  const { id } = await api.create({ model: model.id })
  await api.send(id, 'go')
  expect(await outcomesAtRest(api, id, 1)).toEqual(['failed'])
  const stored = JSON.stringify(storedEvents(belay.home, id))
  expect(stored).toContain('"code":"authentication"')
  expect(stored).not.toContain('key-of-compatible')
  expect(model.requests()).toHaveLength(1)
})

test('M1: keys are never sent to a client, and the models of every configured provider are offered', async () => {
  const { api } = given
  const answers = [
    await api.ask('GET', '/api/models'),
    await api.ask('GET', '/api/openapi.json'),
    await api.ask('GET', '/settings'),
  ]
  for (const answer of answers) expect(answer.text).not.toMatch(/key-of-/)
  const offered = new Set((await api.models()).models.map((model) => model.provider))
  for (const provider of ['openai', 'anthropic', 'google', 'deepseek', 'rehearsal']) expect(offered).toContain(provider)
})

test('T2: a workspace that is gone is said so when a tool needs it, and the session can still be read', async () => {
  const { api, belay } = given
  const gone = `${belay.workspace}/soon-gone`
  mkdirSync(gone)
  const { id } = await api.create({ model: 'rehearsal/fast', workspace: gone })
  rmSync(gone, { recursive: true })
  await api.send(id, 'run `echo hello`')
  await outcomesAtRest(api, id, 1)
  const stored = storedEvents(belay.home, id)
  const said =
    JSON.stringify(ofType(stored, 'tool.end').map((event) => event.data.output)) +
    JSON.stringify(ofType(stored, 'turn.end'))
  expect(said).toMatch(/workspace folder does not exist|no folder/i)
  expect((await api.session(id)).workspace).toBe(gone)
})
