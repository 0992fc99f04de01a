'use client'

/** Things to try with the rehearsal model. One press starts a session; what it is allowed to do is said on the card. */
import { modeOfScript } from '@/components/workbench/card-mode'
import type { NewSessionRequest } from '@/components/workbench/new-session-form'
import type { ModelInfo } from '@/lib/contract/commands'
import type { ApprovalMode } from '@/lib/contract/events'
import { rehearsalCards } from '@/lib/contract/rehearsal-cards'

export function RehearsalCards({
  models,
  disabled,
  onStart,
}: {
  models: readonly ModelInfo[]
  disabled: boolean
  onStart: (request: NewSessionRequest) => void
}) {
  const rehearsal = models.find((model) => model.scripted)
  if (!rehearsal) return null
  return (
    <section aria-labelledby="things-to-try" className="grid gap-2">
      <h2 id="things-to-try" className="font-medium text-base">
        Things to try, no key needed
      </h2>
      <p className="text-ink-faint text-xs">
        These are played by <span className="font-mono">{rehearsal.id}</span>: a script, not a model. It drives the real
        runtime and real tools.
      </p>
      <ul className="grid gap-2 tablet:grid-cols-2 desk:grid-cols-3">
        {rehearsalCards.map((card) => {
          const approvalMode = modeOfScript(card.script)
          return (
            <li key={card.title} className="flex">
              <button
                type="button"
                disabled={disabled}
                onClick={() => onStart({ text: card.script, model: rehearsal.id, approvalMode })}
                className="motion grid w-full content-start gap-1 rounded-card border bg-raised px-3 py-2.5 text-left hover:border-line-strong hover:bg-hover disabled:opacity-60"
              >
                <span className="font-medium text-sm">{card.title}</span>
                <span className="text-ink-muted text-xs">{card.hint}</span>
                {leaves[approvalMode] && <span className="text-ink-faint text-xs">{leaves[approvalMode]}</span>}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const leaves: Record<ApprovalMode, string | null> = {
  ask: null,
  'accept-edits': 'Writes a file in the workspace.',
  'full-access': 'Runs commands: starts with full access.',
}
