'use client'

/** One provider: its name and how it stands; opened, what can be entered. */
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { ProviderForm } from '@/components/settings/provider-form'
import { standingOf } from '@/components/settings/provider-words'
import type { ProviderActions } from '@/components/settings/use-providers'
import { cn } from '@/components/ui/cn'
import { StateMark } from '@/components/ui/state-mark'
import type { ProviderStatus } from '@/lib/contract/providers'

export function ProviderRow({
  provider,
  actions,
  initially = 'closed',
}: {
  provider: ProviderStatus
  actions: Pick<ProviderActions, 'change' | 'test'>
  initially?: 'open' | 'closed'
}) {
  const [open, setOpen] = useState(initially === 'open')
  const id = useId()
  const { state, text } = standingOf(provider)
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={() => setOpen(!open)}
          className="motion flex min-h-control w-full flex-wrap items-center gap-x-3 gap-y-0.5 rounded-card px-3 py-2 text-left hover:bg-hover"
        >
          <ChevronRight
            aria-hidden="true"
            className={cn('motion size-4 shrink-0 text-ink-faint', open && 'rotate-90')}
          />
          <span className="grow font-medium text-sm">{provider.label}</span>
          <StateMark state={state} text={text} />
        </button>
      </h3>
      {open && (
        <section id={id} aria-label={provider.label} className="px-3 pt-1 pb-3 tablet:pl-10">
          <ProviderForm provider={provider} actions={actions} />
        </section>
      )}
    </li>
  )
}
