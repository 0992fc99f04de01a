/** What must hold at the end of any schedule, read from the log and from what the runtime was seen to do. */
import { getEventListeners } from 'node:events'
import { isDeepStrictEqual } from 'node:util'
import { agentInterruptReasonOf } from '@/lib/contract/cancel-cause'
import type { SessionEvent } from '@/lib/contract/events'
import type { CallId, MessageId, TurnId } from '@/lib/contract/ids'
import { belayMarker, emptyPrompt, foldPrompt, promptMessages } from '@/lib/projection/prompt'
import type { ModelRequest } from '@/server/runtime/ports'
import { settled } from '../support/moments'
import { refuseInvalid } from '../support/scripted-model'
import type { ReferenceModel } from './reference-model'
import type { World } from './world'

/** @throws Error that says in words what does not hold */
export async function checkEnd(world: World, model: ReferenceModel): Promise<void> {
  const { log, drafts, clock, lines } = world.given
  const count = log.events.length
  await settled()
  hold(log.events.length === count, 'C17: something still ran after the disposal')
  hold(drafts.openDrafts.size === 0 && drafts.toolText.size === 0, 'C11: a draft was left open')
  hold(clock.sleeping === 0, 'C15: a sleep was left behind')
  const errors = lines.filter(({ level }) => level === 'error').map(({ message }) => message)
  hold(errors.length <= model.story.faults, `C12: error lines without a fault: ${errors.join('; ')}`)
  checkLog(log.events)
  checkRequests(world, model)
  checkSignals(world, model)
}

/** The rules that the log alone can break. */
export function checkLog(events: readonly SessionEvent[]): void {
  const fate = new Map<MessageId, 'waiting' | 'claimed' | 'discarded'>()
  const unanswered = new Set<CallId>()
  let open: TurnId | null = null
  for (const [index, event] of events.entries()) {
    hold(event.seq === index + 1, 'L1: seq has a gap')
    switch (event.type) {
      case 'inbox.queued':
        hold(!fate.has(event.data.messageId), 'a message was accepted twice')
        fate.set(event.data.messageId, 'waiting')
        break
      case 'inbox.claimed':
      case 'inbox.discarded':
        for (const id of event.data.messageIds) {
          hold(fate.get(id) === 'waiting', `a message that was ${fate.get(id)} got another fate`)
          fate.set(id, event.type === 'inbox.claimed' ? 'claimed' : 'discarded')
        }
        break
      case 'turn.start':
        hold(open === null, 'C3: two turns were open at once')
        open = event.data.turnId
        break
      case 'assistant.message':
        for (const block of event.data.blocks) if (block.type === 'tool-call') unanswered.add(block.callId)
        break
      case 'tool.end':
        hold(unanswered.delete(event.data.callId), 'C13: a call got a result that nothing asked for')
        break
      case 'turn.end': {
        hold(open === event.data.turnId, 'a turn ended that was not open')
        hold(unanswered.size === 0, 'C13: a turn ended with a call unanswered')
        open = null
        const next = events[index + 1]
        const told = next?.type === 'note' && next.data.for === 'model' && next.data.about === event.data.turnId
        const { kind } = event.data.outcome
        hold(told === (kind === 'aborted' || kind === 'disposed'), `C14: the note after ${kind} is wrong`)
        break
      }
    }
  }
  hold(open === null, 'a turn was left open')
}

/** L4, C13: what was sent can be rebuilt from the log, is valid, and says what the person said, in that order. */
function checkRequests({ given }: World, model: ReferenceModel): void {
  const rebuilt = rebuild(given.log.events)
  hold(rebuilt.length === given.model.requests.length, 'L4: not every request has its step.start')
  for (const [index, request] of given.model.requests.entries()) {
    hold(isDeepStrictEqual(rebuilt[index], request.messages), `L4: request ${index + 1} is not what the log says`)
    refuseInvalid(request.messages)
    hold(request.messages.at(-1)?.role !== 'assistant', `C13: request ${index + 1} ends in the model's own words`)
    hold(
      isDeepStrictEqual(said(request), model.story.requests[index]),
      `request ${index + 1} says ${said(request)} and not ${model.story.requests[index]}`,
    )
  }
  refuseInvalid(promptMessages(given.log.events.reduce(foldPrompt, emptyPrompt)))
}

function rebuild(events: readonly SessionEvent[]): ModelRequest['messages'][] {
  let prompt = emptyPrompt
  const requests: ModelRequest['messages'][] = []
  for (const event of events) {
    prompt = foldPrompt(prompt, event)
    if (event.type === 'step.start') requests.push(promptMessages(prompt))
  }
  return requests
}

function said(request: ModelRequest): string[] {
  return request.messages
    .flatMap((message) => (message.role === 'user' ? message.blocks.map(({ text }) => text) : []))
    .filter((text) => !text.startsWith(belayMarker))
}

/** C3, C4: one signal per turn, a fresh one for the next, and on it the first cause. */
function checkSignals({ given, signals }: World, model: ReferenceModel): void {
  const all = new Set<AbortSignal>()
  for (const [index, { turnId }] of given.log.all('turn.start').entries()) {
    const own = [...(signals.get(turnId) ?? [])]
    const [signal] = own
    hold(own.length === 1 && signal !== undefined, `C3: turn ${index + 1} had ${own.length} signals`)
    hold(!all.has(signal), `C3: turn ${index + 1} had the signal of another`)
    all.add(signal)
    hold(getEventListeners(signal, 'abort').length === 0, `C11: turn ${index + 1} left a listener on its signal`)
    const [real, expected] = [agentInterruptReasonOf(signal), model.story.turns[index]?.owner.reason]
    hold(real === expected, `C4: turn ${index + 1} was interrupted by ${real} and not by ${expected}`)
  }
}

function hold(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new Error(fault)
}
