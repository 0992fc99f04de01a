'use client'

/** The parts of the composer in every state, for the fixture page. */
import type { QueueActions } from '@/components/composer/queue-actions'
import { QueuePanel } from '@/components/composer/queue-panel'
import { SendButton } from '@/components/composer/send-button'
import { StopButton } from '@/components/composer/stop-button'
import { StoppingLine } from '@/components/composer/stopping-line'
import type { WaitingMessage } from '@/components/composer/use-composer-state'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import type { Wait } from '@/lib/contract/session'
import { call, message, session } from '@/lib/projection/fixtures/log-writer'

const nothing = () => {}
const later = async () => {}
const actions: QueueActions = {
  edit: later,
  move: later,
  remove: later,
  sendNow: later,
  resume: later,
  clear: later,
  retry: nothing,
  dismiss: nothing,
}

/** `now` is when the page was rendered, epoch ms. */
export function ComposerFixtures({ now }: { now: number }) {
  const at = new Date(now).toISOString()
  const queue: WaitingMessage[] = [
    { messageId: message(1), text: 'also check retries', delivery: 'follow-up', at, whole: true },
    {
      messageId: message(2),
      text: `then write a note about it ${'and more '.repeat(30)}`,
      delivery: 'steer',
      at,
      whole: true,
    },
  ]
  const unsent = { delivery: 'follow-up' as const, clientId: 'c-1', text: 'and one more', replaces: undefined }
  const waits = (killable: boolean): Wait[] => [
    { kind: 'tool', name: 'run_command', callId: call('c1'), killable, since: at },
  ]
  return (
    <SpecimenGroup title="Composer">
      <Specimen name="send">
        <SendButton mode="send" disabled={false} send={nothing} />
      </Specimen>
      <Specimen name="nothing to send">
        <SendButton mode="send" disabled send={nothing} />
      </Specimen>
      <Specimen name="queue">
        <SendButton mode="queue" disabled={false} send={nothing} />
      </Specimen>
      <Specimen name="stop">
        <StopButton stoppingSince={null} press={nothing} waiting={0} />
      </Specimen>
      <Specimen name="stopping">
        <StopButton stoppingSince={now} press={nothing} waiting={2} />
      </Specimen>
      <Specimen name="queue while a turn runs" wide>
        <QueuePanel queue={queue} pending={[]} running actions={actions} />
      </Specimen>
      <Specimen name="paused" wide>
        <QueuePanel queue={queue} pending={[]} running={false} actions={actions} />
      </Specimen>
      <Specimen name="being sent, and not sent" wide>
        <QueuePanel
          queue={[]}
          pending={[
            { ...unsent, state: 'sending', reason: null },
            { ...unsent, clientId: 'c-2', state: 'failed', reason: 'The server does not answer.' },
          ]}
          running
          actions={actions}
        />
      </Specimen>
      <Specimen name="a stop that takes a while" wide>
        <StoppingLine session={{ id: session, waitingOn: waits(true) }} since={now - 3_000} />
      </Specimen>
      <Specimen name="a stop that takes long, nothing to kill" wide>
        <StoppingLine session={{ id: session, waitingOn: waits(false) }} since={now - 20_000} />
      </Specimen>
    </SpecimenGroup>
  )
}
