'use client'

/** Sifts the list: by words, by state, and between desk and archive. */
import { ListFilter as FilterIcon, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Menu, MenuCheckItem, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import { StateIcon } from '@/components/ui/state-icon'
import { stateOrder, stateWords } from '@/components/ui/state-text'
import { type ListFilter, noFilter } from '@/components/workbench/session-rows'
import type { StateWord } from '@/lib/contract/session'

const typingPauseMs = 200

export function ListFilterBar({ filter, onFilter }: { filter: ListFilter; onFilter: (filter: ListFilter) => void }) {
  const sifted = filter.states.length > 0 || filter.archived
  return (
    <search className="grid gap-1 px-3 pb-2" aria-label="Filter sessions">
      <div className="flex items-center gap-1">
        <FilterText filter={filter} onFilter={onFilter} />
        <Menu
          trigger={
            <IconButton
              label="Filter by state"
              className={cn(sifted && 'bg-accent-soft text-accent hover:text-accent')}
            >
              <FilterIcon />
            </IconButton>
          }
        >
          <MenuLabel>State</MenuLabel>
          {stateOrder.map((state) => (
            <MenuCheckItem
              key={state}
              checked={filter.states.includes(state)}
              onCheckedChange={() => onFilter({ ...filter, states: toggled(filter.states, state) })}
            >
              <StateIcon state={state} className="animate-none" />
              {stateWords[state]}
            </MenuCheckItem>
          ))}
          <MenuSeparator />
          <MenuCheckItem
            checked={filter.archived}
            onCheckedChange={(archived) => onFilter({ ...filter, archived: archived === true })}
          >
            Show the archive
          </MenuCheckItem>
          <MenuSeparator />
          <MenuItem disabled={!sifted} onSelect={() => onFilter({ ...noFilter, text: filter.text })}>
            Clear
          </MenuItem>
        </Menu>
      </div>
      {sifted && (
        <p className="truncate text-ink-muted text-xs">
          {[filter.archived ? 'Archive' : null, ...filter.states.map((state) => stateWords[state])]
            .filter((word) => word !== null)
            .join(' · ')}
        </p>
      )}
    </search>
  )
}

/** Asks once the typing pauses, not with every key. */
function FilterText({ filter, onFilter }: { filter: ListFilter; onFilter: (filter: ListFilter) => void }) {
  const [draft, setDraft] = useState(filter.text)
  const [agreed, setAgreed] = useState(filter.text)
  if (agreed !== filter.text) {
    setAgreed(filter.text)
    setDraft(filter.text)
  }
  useEffect(() => {
    if (draft === filter.text) return
    const timer = setTimeout(() => onFilter({ ...filter, text: draft }), typingPauseMs)
    return () => clearTimeout(timer)
  }, [draft, filter, onFilter])

  return (
    <div className="relative min-w-0 grow">
      <Search aria-hidden="true" className="absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-faint" />
      <Input
        aria-label="Filter sessions"
        placeholder="Filter"
        value={draft}
        maxLength={500}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || draft === '') return
          event.stopPropagation()
          setDraft('')
        }}
        className="px-8"
      />
      {draft !== '' && (
        <button
          type="button"
          aria-label="Clear the text"
          onClick={() => setDraft('')}
          className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded-mark text-ink-faint hover:text-ink"
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </div>
  )
}

function toggled(states: readonly StateWord[], state: StateWord): StateWord[] {
  return states.includes(state) ? states.filter((item) => item !== state) : [...states, state]
}
