/**
 * Random schedules against a reference model. `BELAY_SCHEDULES=50000` plays more; a failure prints how to play it again:
 * `BELAY_SEED` and `BELAY_PATH`.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { printed, type Schedule, schedules } from './operation'
import { play } from './play'

const numRuns = Number(process.env.BELAY_SCHEDULES ?? 2_000)
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 0x7fffffff)
const path = process.env.BELAY_PATH

it(
  `C3, C4, C5, C6, C8, C13, C14, C17, C18, C20, L1, L4: ${numRuns} random schedules end as the model says`,
  async () => {
    const met = new Map<string, number>()
    const property = fc.asyncProperty(schedules, async (schedule) => {
      for (const window of await play(schedule)) met.set(window, (met.get(window) ?? 0) + 1)
    })
    const result = await fc.check(property, { numRuns, seed, ...(path !== undefined && { path }) })
    expect.soft(result.failed ? report(result) : 'all as the model says').toBe('all as the model says')
    console.log(`${result.numRuns} schedules, BELAY_SEED=${seed}; windows met:\n${counted(met)}`)
  },
  30_000 + numRuns * 30,
)

function report(result: fc.RunDetails<[Schedule]>): string {
  const [schedule = []] = result.counterexample ?? []
  const again = `BELAY_SEED=${result.seed} BELAY_PATH=${result.counterexamplePath}`
  const error = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  return `${error}\n${printed(schedule)}\nplay it again: ${again} npx vitest run tests/runtime/schedules`
}

function counted(met: ReadonlyMap<string, number>): string {
  return [...met].map(([window, times]) => `  ${String(times).padStart(6)}  ${window}`).join('\n')
}
