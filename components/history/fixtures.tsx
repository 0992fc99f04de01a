'use client'

/** The history in every state, for the fixture page. */
import { useState } from 'react'
import { type HistoryFilter, noHistoryFilter } from '@/components/history/history-filter'
import { HistoryFilters } from '@/components/history/history-filters'
import { HistoryList, type HistoryState } from '@/components/history/history-list'
import { sampleTurns } from '@/components/history/sample-turns'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'

const nothing = () => {}
const empty: HistoryState = { kind: 'ready', turns: [], more: null, loadingMore: false }

export function HistoryFixtures() {
  const [filter, setFilter] = useState<HistoryFilter>({ ...noHistoryFilter, outcome: ['stopped'], query: 'upload' })
  return (
    <SpecimenGroup title="History">
      <Specimen name="filters" wide>
        <div className="max-w-4xl">
          <HistoryFilters filter={filter} onFilter={setFilter} />
        </div>
      </Specimen>
      <Specimen name="rows, searched for “upload”" wide>
        <div className="max-w-4xl px-3">
          <HistoryList
            state={{ kind: 'ready', turns: sampleTurns, more: nothing, loadingMore: false }}
            query="upload"
            filtered
            onClear={nothing}
          />
        </div>
      </Specimen>
      {Object.entries({
        loading: { kind: 'loading' },
        failed: { kind: 'failed', message: 'The server does not answer.', retry: nothing },
        none: empty,
        'no match': empty,
      } satisfies Record<string, HistoryState>).map(([name, state]) => (
        <Specimen key={name} name={name}>
          <div className="w-80 max-w-full">
            <HistoryList state={state} query="" filtered={name === 'no match'} onClear={nothing} />
          </div>
        </Specimen>
      ))}
    </SpecimenGroup>
  )
}
