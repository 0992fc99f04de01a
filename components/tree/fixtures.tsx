'use client'

import { SessionPanel } from '@/components/tree/session-panel'
import { TreePanel } from '@/components/tree/tree-panel'
/** The side panel and the tree in every state, for the fixture page. */
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import { stateOrder } from '@/components/ui/state-text'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import type { PlanItem } from '@/lib/contract/events'
import type { SessionId } from '@/lib/contract/ids'

const plan: PlanItem[] = [
  { text: 'Read the CI logs', status: 'done' },
  { text: 'Bisect the commits that touched upload.spec since the last green run', status: 'in-progress' },
  { text: 'Write down what was found', status: 'pending' },
]

export function TreeFixtures({ now }: { now: number }) {
  const samples = sampleSessions(new Date(now - 42_000).toISOString())
  const nodes = [
    sampleSession(),
    ...stateOrder.map((state, index) => ({
      ...samples[state],
      kind: 'continuable' as const,
      parentId: 'ses_sample' as SessionId,
      rootId: 'ses_sample' as SessionId,
      depth: index % 3 === 2 ? 2 : 1,
      label: samples[state].title,
    })),
  ]
  return (
    <SpecimenGroup title="Side area">
      <Specimen name="a session with a plan">
        <div className="w-[304px] rounded-card border bg-ground">
          <SessionPanel session={samples.paused} plan={plan} />
        </div>
      </Specimen>
      <Specimen name="a new session">
        <div className="w-[304px] rounded-card border bg-ground">
          <SessionPanel session={samples.new} plan={[]} />
        </div>
      </Specimen>
      <Specimen name="tree">
        <div className="w-[304px] rounded-card border bg-ground">
          <TreePanel nodes={nodes} currentId={'ses_running' as SessionId} />
        </div>
      </Specimen>
    </SpecimenGroup>
  )
}
