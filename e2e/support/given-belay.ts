/** One server, its model doubles and its client for all tests of a file: called once at the top of the file. */
import { expect, test } from '@playwright/test'
import type { Api } from './api'
import { ScriptedModels } from './scripted-models'
import { Belay, type BelayOptions } from './server'
import { StreamReading } from './stream'

export interface Given {
  readonly belay: Belay
  readonly api: Api
  readonly models: ScriptedModels
  /** A reader of these sessions that is closed at the end of the test. */
  reading(...sessions: string[]): Promise<StreamReading>
}

/** Starts before the first test of the file and ends after its last; then nothing unexpected may stand in the server's log (C12). */
export function givenBelay(options: BelayOptions = {}): Given {
  let rig: { readonly belay: Belay; readonly models: ScriptedModels } | undefined
  const readings: StreamReading[] = []
  const started = () => {
    if (!rig) throw new Error('The server is started before the first test.')
    return rig
  }

  test.beforeAll(async () => {
    const models = await ScriptedModels.start()
    const belay = await Belay.start({ ...options, env: { ...models.env, ...options.env } })
    rig = { belay, models }
  })
  test.afterEach(() => {
    for (const reading of readings.splice(0)) reading.close()
  })
  test.afterAll(async () => {
    const ended = rig
    rig = undefined
    if (!ended) return
    await ended.belay.dispose()
    await ended.models.close()
    expect(alarmsIn(ended.belay.stderr), 'nothing alarming in the server’s log').toEqual([])
  })

  return {
    get belay() {
      return started().belay
    },
    get api() {
      return started().belay.api
    },
    get models() {
      return started().models
    },
    async reading(...sessions) {
      const reading = await StreamReading.open(started().belay, { sessions })
      readings.push(reading)
      return reading
    },
  }
}

/** Lines at error level and above, unhandled rejections and uncaught exceptions. */
export function alarmsIn(log: string): string[] {
  return log.split('\n').filter((line) => /"level":(50|60)\b|unhandled|uncaught|Error:/i.test(line))
}
