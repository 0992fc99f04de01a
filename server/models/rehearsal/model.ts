/** The rehearsal model (M3): plays the script of the last message, step by step, as a provider would stream it. */
import { setImmediate } from 'node:timers/promises'
import type { ModelInfo } from '@/lib/contract/commands'
import type { Clock, ModelPart, ModelRequest } from '@/server/runtime/ports'
import { failure } from '../failure'
import { explanation, notOffered } from './explanation'
import { callIdFor, type Progress, progressOf } from './progress'
import type { Script, Step } from './script'
import { Speaker } from './speaker'
import { speech, wordsOf } from './talk'
import { callsOf, type PlannedCall } from './tool-call'

export const rehearsalModels: readonly ModelInfo[] = [
  { id: 'rehearsal/script', label: 'Rehearsal (a script, no key needed)', provider: 'rehearsal', scripted: true },
  { id: 'rehearsal/fast', label: 'Rehearsal without delays', provider: 'rehearsal', scripted: true },
]

type Parts = AsyncGenerator<ModelPart, void, void>

/**
 * Deterministic and stateless. `rehearsal/fast` plays without delays. `settings.attempt` (from 1, default 1) is the attempt
 * of the step: `hit a rate limit` fails the first and lets the second pass. Ends when the signal says so, except in
 * `ignore the signal`, which plays a deaf provider and still leaves no promise behind (C11).
 */
export async function* rehearse(request: ModelRequest, clock: Clock, signal: AbortSignal): Parts {
  const speaker = new Speaker(clock, signal, request.model === 'rehearsal/fast' ? 'fast' : 'real')
  try {
    const progress = progressOf(request.messages)
    yield* play(progress, request, speaker, clock, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

async function* play(
  progress: Progress,
  request: ModelRequest,
  speaker: Speaker,
  clock: Clock,
  signal: AbortSignal,
): Parts {
  const { reading } = progress
  if (reading.kind === 'not-a-script') {
    yield* speaker.say('text', wordsOf(explanation(reading.part)), 60)
    return yield* finish(request, speaker, 'stop')
  }
  const { script } = reading
  yield* remark(progress, speaker)
  for (let at = progress.next; script.loops ? Number.isFinite(at) : at < script.steps.length; at += 1) {
    signal.throwIfAborted()
    const step = script.steps[at % script.steps.length]
    if (!step) break
    const calls = callsOf(step)
    if (calls.length > 0) {
      const missing = calls.find((call) => !request.tools.some((tool) => tool.name === call.name))
      if (!missing) {
        yield* call(calls, request, at, speaker)
        return yield* finish(request, speaker, 'tool-calls')
      }
      yield* speaker.say('text', wordsOf(notOffered(missing.name)), 40)
    } else {
      const failed = yield* playAlone(step, at, request, speaker, clock)
      if (failed) return
    }
    if (script.loops && at % script.steps.length === script.steps.length - 1) await setImmediate(undefined, { signal })
  }
  yield* speaker.say('text', wordsOf(closing(script)), 40)
  yield* finish(request, speaker, 'stop')
}

/** A step without a tool. Returns true when it has failed the request. */
async function* playAlone(
  step: Step,
  at: number,
  request: ModelRequest,
  speaker: Speaker,
  clock: Clock,
): AsyncGenerator<ModelPart, boolean, void> {
  switch (step.kind) {
    case 'talk':
      yield* speaker.say('text', speech('talk', step.words, at), step.perSecond)
      return false
    case 'think':
      yield* speaker.say('reasoning', speech('think', step.words, at), step.perSecond)
      return false
    case 'fail':
      yield failure('provider-error', 'The script asked for a failure here.')
      return true
    case 'rate-limit': {
      if (attemptOf(request) > 1) return false
      const retryAfterMs = Math.round(step.seconds * 1000)
      yield failure('rate-limited', 'The script plays a provider that asks us to slow down.', {
        retryable: true,
        retryAfterMs,
      })
      return true
    }
    case 'deaf': {
      yield* speaker.say('text', wordsOf(`For the next ${step.seconds} seconds I do not listen to the signal.`), 40)
      await clock.sleep(step.seconds * 1000, new AbortController().signal)
      yield* speaker.sayDeaf(wordsOf('Now I listen again.'))
      return false
    }
    default:
      return false // steps with tools are played by `call`
  }
}

async function* call(calls: readonly PlannedCall[], request: ModelRequest, at: number, speaker: Speaker): Parts {
  for (const [index, planned] of calls.entries()) {
    yield* speaker.call(callIdFor(request.messages.length, at, index), planned.name, JSON.stringify(planned.input))
  }
}

/** A word about a call that did not end well: a model reads its results. */
async function* remark(progress: Progress, speaker: Speaker): Parts {
  const bad = progress.results.find((result) => result.status !== 'ok')
  if (!bad) return
  yield* speaker.say('text', wordsOf(`\`${bad.name}\` ended as *${bad.status}*. I go on with the script.`), 40)
}

async function* finish(request: ModelRequest, speaker: Speaker, reason: 'stop' | 'tool-calls'): Parts {
  const inputTokens = Math.ceil((request.system.length + JSON.stringify(request.messages).length) / 4)
  yield { type: 'usage', inputTokens, outputTokens: speaker.words }
  yield { type: 'finish', reason }
}

function closing(script: Script): string {
  const steps = script.steps.length === 1 ? 'one step' : `${script.steps.length} steps`
  return `That was the whole script: ${steps}. Send another one whenever you like.`
}

function attemptOf(request: ModelRequest): number {
  const { attempt } = request.settings
  return typeof attempt === 'number' ? attempt : 1
}
