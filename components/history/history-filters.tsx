'use client'

/** The filters of the history page: words, how a turn ended, who stopped it, since when. */
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useEnterKey } from '@/components/composer/use-enter-key'
import {
  type Ending,
  endingLabels,
  endings,
  type HistoryFilter,
  isFiltered,
  noHistoryFilter,
  spanLabels,
  spans,
  stopperLabels,
  stoppers,
} from '@/components/history/history-filter'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { StateIcon } from '@/components/ui/state-icon'
import type { StateWord } from '@/lib/contract/session'

const typingPauseMs = 250

export function HistoryFilters({
  filter,
  onFilter,
}: {
  filter: HistoryFilter
  onFilter: (filter: HistoryFilter) => void
}) {
  return (
    <search aria-label="Filter turns" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex gap-2">
        <SearchBox filter={filter} onFilter={onFilter} />
        <Select
          aria-label="Since when"
          value={filter.since ?? ''}
          onChange={(event) =>
            onFilter({ ...filter, since: spans.find((span) => span === event.target.value) ?? null })
          }
          className="h-control"
        >
          <option value="">Any time</option>
          {spans.map((span) => (
            <option key={span} value={span}>
              {spanLabels[span]}
            </option>
          ))}
        </Select>
      </div>
      <div className="scroll-thin -mx-4 relative flex items-center gap-x-4 gap-y-2 overflow-x-auto px-4 py-0.5 tablet:mx-0 tablet:flex-wrap tablet:px-0">
        <fieldset className="flex shrink-0 items-center gap-1.5 tablet:flex-wrap">
          <legend className="sr-only">How it ended</legend>
          {endings.map((ending) => (
            <Toggle
              key={ending}
              on={filter.outcome.includes(ending)}
              onToggle={() => onFilter({ ...filter, outcome: toggled(filter.outcome, ending) })}
            >
              <StateIcon state={endingStates[ending]} className="size-3.5!" />
              {endingLabels[ending]}
            </Toggle>
          ))}
        </fieldset>
        <fieldset className="flex shrink-0 items-center gap-1.5 tablet:flex-wrap">
          <legend className="sr-only">Who stopped it</legend>
          {stoppers.map((stopper) => (
            <Toggle
              key={stopper}
              on={filter.by.includes(stopper)}
              onToggle={() => onFilter({ ...filter, by: toggled(filter.by, stopper) })}
            >
              {stopperLabels[stopper]}
            </Toggle>
          ))}
        </fieldset>
        {isFiltered(filter) && (
          <Button look="ghost" size="small" onClick={() => onFilter(noHistoryFilter)}>
            Clear
          </Button>
        )}
      </div>
    </search>
  )
}

const endingStates: Record<Ending, StateWord> = {
  done: 'done',
  stopped: 'stopped',
  shutdown: 'stopped',
  failed: 'failed',
  orphaned: 'orphaned',
}

/** Asks once the typing pauses; Enter asks at once. */
function SearchBox({ filter, onFilter }: { filter: HistoryFilter; onFilter: (filter: HistoryFilter) => void }) {
  const [draft, setDraft] = useState(filter.query)
  const [agreed, setAgreed] = useState(filter.query)
  if (agreed !== filter.query) {
    setAgreed(filter.query)
    setDraft(filter.query)
  }
  useEffect(() => {
    if (draft === filter.query) return
    const timer = setTimeout(() => onFilter({ ...filter, query: draft }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [draft, filter, onFilter])
  const keys = useEnterKey(() => onFilter({ ...filter, query: draft }))
  return (
    <div className="relative min-w-36 grow basis-0">
      <Search aria-hidden="true" className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-faint" />
      <Input
        type="search"
        aria-label="Search turns"
        placeholder="Search prompts and answers"
        value={draft}
        maxLength={500}
        onChange={(event) => setDraft(event.target.value)}
        {...keys}
        className="pl-8"
      />
    </div>
  )
}

function Toggle({ on, onToggle, children }: { on: boolean; onToggle: () => void; children: React.ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onToggle}
      className={cn(
        'motion inline-flex h-control-small items-center gap-1.5 rounded-full border px-2.5 text-xs',
        on
          ? 'border-accent bg-accent-soft font-medium text-ink'
          : 'border-line-strong bg-raised text-ink-muted hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </button>
  )
}

function toggled<T>(items: readonly T[], item: T): T[] {
  return items.includes(item) ? items.filter((other) => other !== item) : [...items, item]
}
