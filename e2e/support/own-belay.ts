/** A server for one test alone, to be killed, stopped and started again; it and its model doubles are gone when the test ends. */
import { test as base } from '@playwright/test'
import { endMarked, newMark } from './processes'
import { ScriptedModels } from './scripted-models'
import { Belay, type BelayOptions } from './server'
import { StreamReading } from './stream'

interface Own {
  /** Makes a server with a fresh folder whose providers are the test's model doubles. */
  readonly start: (options?: BelayOptions) => Promise<Belay>
  /** The same, not started yet. */
  readonly prepare: (options?: BelayOptions) => Promise<Belay>
  /** Ends every server of the test before its end does. */
  readonly stopAll: () => Promise<void>
  readonly models: ScriptedModels
  /** A mark for command lines; what still carries it at the end is killed. */
  readonly mark: string
  readonly read: (belay: Belay, ...sessions: string[]) => Promise<StreamReading>
}

export const test = base.extend<{ own: Own }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
  own: async ({}, use) => {
    const models = await ScriptedModels.start()
    const servers: Belay[] = []
    const readings: StreamReading[] = []
    const mark = newMark()
    const prepare = async (options: BelayOptions = {}) => {
      const belay = await Belay.prepare({ ...options, env: { ...models.env, ...options.env } })
      servers.push(belay)
      return belay
    }
    const stopAll = async () => {
      for (const reading of readings.splice(0)) reading.close()
      for (const belay of servers.splice(0)) await belay.dispose()
    }
    await use({
      prepare,
      stopAll,
      start: async (options) => {
        const belay = await prepare(options)
        await belay.startAgain()
        return belay
      },
      models,
      mark,
      read: async (belay, ...sessions) => {
        const reading = await StreamReading.open(belay, { sessions })
        readings.push(reading)
        return reading
      },
    })
    await stopAll()
    await models.close()
    endMarked(mark)
  },
})
