/**
 * Random schedules on the real runtime. `BELAY_SCHEDULES=50000` plays more of them; a failure prints how to play it again, with
 * `BELAY_SEED` and `BELAY_PATH`.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { moments, playMoments } from './any-moment'
import { printed, schedules, sentence } from './operation'
import { play } from './play'

const numRuns = Number(process.env.BELAY_SCHEDULES ?? 2_000)
const seed = Number(process.env.BELAY_SEED ?? Date.now() % 0x7fffffff)
const path = process.env.BELAY_PATH
const timeout = 60_000 + numRuns * 30

/** Every window in time that the rules speak of. A thousand schedules meet each of them, or prove nothing about it. */
const windows = [
  'cancel while waking, cleared',
  'cancel while waking, kept',
  'cancel while turn, cleared',
  'cancel while turn, kept',
  'cancel while closing, cleared',
  'cancel while closing, kept',
  'replaced in a listener',
  'a second cancel',
  'a latched wake runs',
  'a cancel clears the latch',
  'a wake is latched while stopping',
  'a wake is latched while running',
  'woken in the idle listener',
  'steer at reply',
  'steer at write',
  'steer at promptSubmit',
  'steer at beforeStep',
  'steer at continueDecision',
  'steer at turnStop',
  'a steer without a step',
  'a turn completed',
  'a turn aborted',
  'a turn disposed',
  'a turn failed',
  'a turn truncated',
  'a turn blocked',
  'a call ended alone',
  'a call never started',
  'disposal while waking',
  'disposal while turn',
  'disposal while closing',
  'a disposal after a cancel',
]

it(
  `C3, C4, C5, C6, C8, C11, C13, C14, C17, C18, C20, L1, L3, L4: after every tick of ${numRuns} random schedules the session is where the model is`,
  async () => {
    const met = new Map<string, number>()
    const property = fc.asyncProperty(schedules, async (schedule) => {
      for (const window of await play(schedule)) met.set(window, (met.get(window) ?? 0) + 1)
    })
    await holds(property, 'where the model is', printed)
    if (numRuns >= 1_000 && path === undefined) expect(windows.filter((window) => !met.has(window))).toEqual([])
  },
  timeout,
)

it(
  `C5, C6, C11, C18: ${numRuns} random schedules lose no wake and ignore no cancel, at whatever microtask they come`,
  async () => {
    await holds(fc.asyncProperty(moments, playMoments), 'at whatever microtask', (schedule) =>
      schedule.map(({ after, operation }) => `  ${after ?? 'settled'}: ${sentence(operation)}`).join('\n'),
    )
  },
  timeout,
)

/** @throws Error with the shortest schedule found and the command that plays it again */
async function holds<T>(
  property: fc.IAsyncProperty<[T]>,
  title: string,
  shown: (schedule: T) => string,
): Promise<void> {
  const result = await fc.check(property, { numRuns, seed, ...(path !== undefined && { path }) })
  console.log(`${result.numRuns} schedules played with BELAY_SEED=${seed}`)
  if (!result.failed) return
  const error = result.errorInstance instanceof Error ? result.errorInstance.message : String(result.errorInstance)
  const schedule = result.counterexample ? shown(result.counterexample[0]) : '  no schedule'
  const chosen = `BELAY_SEED=${result.seed} BELAY_PATH=${result.counterexamplePath}`
  throw new Error(`${error}\n${schedule}\nagain: ${chosen} npx vitest run tests/runtime/schedules -t '${title}'`)
}
