/** The development server: a changed source replaces modules, never the one runtime. */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from '@playwright/test'
import { copyForDev } from '../support/dev-copy'
import { test } from '../support/own-belay'
import { saysThenHangs } from '../support/scripted-models'
import { projectRoot } from '../support/server'
import { storedEvents } from '../support/stored'
import { outcomesIn } from '../support/turns'

test('S-L4: in dev, after a hot reload of the runtime, another route stops the turn, a third lists it, and no event comes twice', async ({
  own,
}) => {
  test.setTimeout(420_000) // A development server compiles as it goes.
  const copy = copyForDev()
  try {
    const next = path.join(projectRoot, 'node_modules/next/dist/bin/next')
    const belay = await own.prepare({
      command: ({ port }) => ({
        args: [next, 'dev', '--hostname', '127.0.0.1', '--port', String(port)],
        cwd: copy.folder,
      }),
      env: { NODE_ENV: 'development' },
      within: 120_000,
    })
    await belay.startAgain()
    const { api } = belay
    const model = own.models.script(saysThenHangs('Still here. '))
    const { id } = await api.create({ model: model.id })
    const reading = await own.read(belay, id)
    const hello = await reading.until((frame) => frame.event === 'hello')
    await api.send(id, 'go')
    await reading.text(id, (text) => text !== '')
    const runtimeIds = new Set([(await api.health()).runtimeId, (hello.data as { runtimeId: string }).runtimeId])

    const agent = path.join(copy.folder, 'server/runtime/agent.ts')
    const route = path.join(copy.folder, 'app/api/health/route.ts')
    for (let reload = 1; reload <= 5; reload += 1) {
      appendFileSync(agent, `\n// reload ${reload}\n`)
      const changed = readFileSync(route, 'utf8').replace(/version: .+,/, `version: 'reload-${reload}',`)
      writeFileSync(route, changed)
      await expect
        .poll(async () => (await api.health()).version, { message: 'the new code answers', timeout: 60_000 })
        .toBe(`reload-${reload}`)
      runtimeIds.add((await api.health()).runtimeId)
      expect((await api.session(id)).activity).toBe('running')
    }

    expect(await api.cancel(id, { via: 'button' })).toMatchObject({ effect: 'signalled' })
    const end = await reading.event('turn.end')
    expect(end.data.outcome).toEqual({ kind: 'aborted' })
    await reading.summary(id, (session) => session.activity === 'idle' && session.lastOutcome?.kind === 'aborted')
    expect(await api.sessions()).toMatchObject([{ id, activity: 'idle', lastOutcome: { kind: 'aborted' } }])
    runtimeIds.add((await api.health()).runtimeId)
    expect(runtimeIds.size).toBe(1)

    await api.ask('PATCH', `/api/sessions/${id}`, { title: 'After five reloads' })
    await reading.event('session.changed')
    const positions = reading.events().map((event) => event.position)
    expect(positions).toEqual([...new Set(positions)].sort((left, right) => left - right))
    const deltas = reading.frames.flatMap((frame) => (frame.event === 'delta' ? [frame.data.offset] : []))
    expect(deltas).toEqual([...new Set(deltas)])
    expect(outcomesIn(storedEvents(belay.home, id))).toEqual(['aborted'])
  } finally {
    await own.stopAll()
    copy.remove()
  }
})
