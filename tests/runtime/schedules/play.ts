/** Plays one schedule on the runtime and on the model, and compares them after every tick. */
import { checkEnd } from './invariants'
import type { Schedule, Tick } from './operation'
import { ReferenceModel } from './reference-model'
import { differences } from './seen'
import { World } from './world'

/** Ticks that let everything come to an end, whatever still waits: enough for the longest turn that a schedule can leave behind. */
const drained: Tick = [{ do: 'release' }, { do: 'tell', command: 'finish' }]
const mostDrains = 200

/** @returns the windows in time that were met. @throws Error that names the tick and shows both sides */
export async function play(schedule: Schedule): Promise<ReadonlySet<string>> {
  const world = new World()
  const model = new ReferenceModel()
  for (const [index, tick] of schedule.entries()) await playTick(world, model, tick, `tick ${index + 1}`)
  for (let n = 0; model.activity !== 'idle'; n++) {
    if (n === mostDrains) throw new Error('the schedule never came to rest')
    await playTick(world, model, drained, `drain ${n + 1}`)
  }
  await playTick(world, model, [{ do: 'dispose' }], 'the last disposal')
  await checkEnd(world, model)
  return model.story.met
}

async function playTick(world: World, model: ReferenceModel, tick: Tick, name: string): Promise<void> {
  for (const operation of tick) {
    world.perform(operation)
    model.perform(operation)
  }
  await world.settle()
  model.settle()
  const found = differences(model.seen(), world.seen())
  if (found.length > 0) throw new Error(`after ${name}\n${found.join('\n')}`)
}
