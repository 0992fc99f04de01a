'use client'

/** The parts of the frame in every state, for the fixture page. */
import { useState } from 'react'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import { stateOrder } from '@/components/ui/state-text'
import { ConnectionBanner } from '@/components/workbench/connection-banner'
import { ErrorView } from '@/components/workbench/error-view'
import { NewSessionForm } from '@/components/workbench/new-session-form'
import { RehearsalCards } from '@/components/workbench/rehearsal-cards'
import { sampleSession, sampleSessions } from '@/components/workbench/sample-sessions'
import { SessionHeader } from '@/components/workbench/session-header'
import { type ListState, SessionList } from '@/components/workbench/session-list'
import type { SessionActions } from '@/components/workbench/session-menu'
import { type ListFilter, noFilter } from '@/components/workbench/session-rows'
import type { ModelInfo } from '@/lib/contract/commands'
import type { SessionId } from '@/lib/contract/ids'

const models: ModelInfo[] = [
  { id: 'anthropic/claude-sonnet', label: 'claude-sonnet', provider: 'anthropic', scripted: false },
  { id: 'openai/gpt', label: 'gpt', provider: 'openai', scripted: false },
  { id: 'rehearsal/script', label: 'rehearsal', provider: 'rehearsal', scripted: true },
]
const nothing = () => {}
const actions: SessionActions = { rename: nothing, archive: nothing, remove: nothing }
const lists: Record<string, ListState> = {
  none: { kind: 'ready', rows: [], more: null, loadingMore: false },
  loading: { kind: 'loading' },
  failed: { kind: 'failed', message: 'The server does not answer.', retry: nothing },
}

export function WorkbenchFixtures({ now }: { now: number }) {
  const samples = sampleSessions(new Date(now - 42_000).toISOString())
  return (
    <>
      <SpecimenGroup title="Session list">
        <Specimen name="rows">
          <ListSpecimen
            list={{ kind: 'ready', rows: stateOrder.map((state) => samples[state]), more: nothing, loadingMore: false }}
            filter={noFilter}
          />
        </Specimen>
        {Object.entries(lists).map(([name, list]) => (
          <Specimen key={name} name={name}>
            <ListSpecimen list={list} filter={noFilter} />
          </Specimen>
        ))}
        <Specimen name="no match">
          <ListSpecimen
            list={{ kind: 'ready', rows: [], more: null, loadingMore: false }}
            filter={{ states: ['failed', 'orphaned'], text: 'xyz', archived: true }}
          />
        </Specimen>
      </SpecimenGroup>
      <SpecimenGroup title="Session header">
        {stateOrder.map((state) => (
          <Specimen key={state} name={state} wide>
            <SessionHeader session={samples[state]} models={models} actions={actions} onChange={nothing} />
          </Specimen>
        ))}
        <Specimen name="rehearsal, full access, long title" wide>
          <SessionHeader
            session={sampleSession({
              title: 'A title that goes on and on because somebody pasted a whole paragraph into the first message box',
              model: 'rehearsal/script',
              approvalMode: 'full-access',
              workspace: '/home/ada/a/very/long/path/to/some/deeply/nested/workspace-folder',
            })}
            models={models}
            actions={actions}
            onChange={nothing}
          />
        </Specimen>
      </SpecimenGroup>
      <SpecimenGroup title="New session">
        <Specimen name="with a model" wide>
          <FormSpecimen model="anthropic/claude-sonnet" />
        </Specimen>
        <Specimen name="with a rehearsal script" wide>
          <FormSpecimen model="rehearsal/script" />
        </Specimen>
        <Specimen name="cards" wide>
          <div className="max-w-[760px]">
            <RehearsalCards models={models} disabled={false} onStart={nothing} />
          </div>
        </Specimen>
      </SpecimenGroup>
      <SpecimenGroup title="Server gone">
        <Specimen name="waiting for the next try" wide>
          <ConnectionBanner
            status="lost"
            since={Date.parse('2026-03-02T12:04:31Z')}
            retryAt={now + 4000}
            why="no-answer"
            retryNow={nothing}
          />
        </Specimen>
        <Specimen name="trying" wide>
          <ConnectionBanner status="lost" since={null} retryAt={null} why="goodbye" retryNow={nothing} />
        </Specimen>
        <Specimen name="page that could not be drawn" wide>
          <div className="h-64">
            <ErrorView retry={nothing} />
          </div>
        </Specimen>
      </SpecimenGroup>
    </>
  )
}

function ListSpecimen({ list, filter: given }: { list: ListState; filter: ListFilter }) {
  const [filter, setFilter] = useState(given)
  return (
    <div className="flex h-[560px] w-[264px] flex-col rounded-card border bg-ground pt-3">
      <SessionList
        list={list}
        filter={filter}
        onFilter={setFilter}
        currentId={'ses_running' as SessionId}
        actionsOf={() => actions}
      />
    </div>
  )
}

function FormSpecimen({ model }: { model: string }) {
  const [workspace, setWorkspace] = useState('/home/ada/code/shop')
  return (
    <div className="max-w-[760px]">
      <NewSessionForm
        models={models}
        defaultModel={model}
        defaultWorkspace="/home/ada/code/shop"
        workspace={workspace}
        onWorkspace={setWorkspace}
        starting={false}
        focus="leave"
        onStart={nothing}
      />
    </div>
  )
}
