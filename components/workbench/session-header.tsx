'use client'

/** The head of a session view: title, state and watch; below it where it works, who answers, and what it may do. */
import { Bot, Ellipsis, FolderOpen, ShieldCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useEnterKey } from '@/components/composer/use-enter-key'
import { Elapsed } from '@/components/ui/clock'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { StateMark } from '@/components/ui/state-mark'
import { sessionStateText } from '@/components/ui/state-text'
import { Tooltip } from '@/components/ui/tooltip'
import { approvalModes, modeText } from '@/components/workbench/approval-modes'
import { ModelSelect } from '@/components/workbench/model-select'
import { type SessionActions, SessionMenu } from '@/components/workbench/session-menu'
import { shortPath } from '@/lib/client/format'
import type { ChangeSessionBody, ModelInfo } from '@/lib/contract/commands'
import { type Session, stateWordOf } from '@/lib/contract/session'

export interface SessionHeaderProps {
  readonly session: Session
  readonly models: readonly ModelInfo[]
  readonly actions: SessionActions
  readonly onChange: (change: ChangeSessionBody) => void
  /** Buttons that open the side areas where they are not in sight. */
  readonly leading?: ReactNode
  readonly trailing?: ReactNode
}

export function SessionHeader({ session, models, actions, onChange, leading, trailing }: SessionHeaderProps) {
  return (
    <header className="grid gap-0.5 border-b bg-surface px-2 py-1.5 tablet:px-4">
      <div className="flex min-w-0 items-center gap-1">
        {leading}
        <EditableTitle title={session.title} onRename={actions.rename} />
        <span className="ml-auto hidden max-w-[55%] shrink-0 pl-2 tablet:inline-flex">
          <SessionState session={session} look="tinted" />
        </span>
        {trailing}
        <SessionMenu
          session={session}
          actions={actions}
          trigger={
            <IconButton label="More for this session">
              <Ellipsis />
            </IconButton>
          }
        />
      </div>
      <SettingsLine session={session} models={models} />
      <div className="hidden tablet:block">
        <SessionSettings session={session} models={models} onChange={onChange} />
      </div>
    </header>
  )
}

function SessionState({ session, look }: { session: Session; look: 'tinted' | 'plain' }) {
  const since = session.activity === 'idle' ? undefined : session.turnStartedAt
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <StateMark state={stateWordOf(session)} text={sessionStateText(session)} tinted={look === 'tinted'} />
      {since && <Elapsed since={since} className="min-w-9 text-ink-muted text-xs" />}
    </span>
  )
}

/** A click on the title edits it in place; Enter and leaving keep, Esc gives up. */
function EditableTitle({ title, onRename }: { title: string; onRename: (title: string) => void }) {
  const [draft, setDraft] = useState<string | null>(null)
  const shown = title || 'Untitled'
  const keep = () => {
    const wanted = draft?.trim() ?? ''
    if (wanted !== '' && wanted !== title) onRename(wanted)
    setDraft(null)
  }
  const keys = useEnterKey(keep, () => setDraft(null))
  if (draft === null) {
    return (
      <h1 className="min-w-0 grow tablet:grow-0">
        <button
          type="button"
          aria-label={`${shown}. Rename`}
          onClick={() => setDraft(title)}
          className="motion block h-control-small max-w-full truncate rounded-control px-2 text-left font-semibold text-base hover:bg-hover"
        >
          {shown}
        </button>
      </h1>
    )
  }
  return (
    <Input
      aria-label="Title"
      autoFocus
      value={draft}
      maxLength={200}
      onChange={(event) => setDraft(event.target.value)}
      onFocus={(event) => event.target.select()}
      onBlur={keep}
      {...keys}
      className="h-control-small max-w-md font-semibold"
    />
  )
}

/** Where it works, who answers, what it may do: as choices. On a phone they stand in the side sheet. */
export function SessionSettings({
  session,
  models,
  onChange,
}: Pick<SessionHeaderProps, 'session' | 'models' | 'onChange'>) {
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 text-ink-muted text-xs tablet:px-1">
      <Tooltip text={session.workspace}>
        <span
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the whole path is in the tooltip, which the keyboard reaches by focus
          tabIndex={0}
          className="inline-flex h-control-small min-w-0 max-w-56 items-center gap-1.5 rounded-control px-1"
        >
          <FolderOpen aria-hidden="true" className="size-3.5 shrink-0 text-ink-faint" />
          <span className="truncate" aria-hidden="true">
            {shortPath(session.workspace)}
          </span>
          <span className="sr-only">Workspace {session.workspace}</span>
        </span>
      </Tooltip>
      <span className="inline-flex min-w-0 items-center">
        <Bot aria-hidden="true" className="size-3.5 shrink-0 text-ink-faint" />
        <ModelSelect
          look="quiet"
          aria-label="Model"
          models={models}
          value={session.model}
          onChange={(model) => onChange({ model })}
          className="max-w-64"
          disabled={session.kind !== 'root'}
        />
      </span>
      <span className="inline-flex min-w-0 items-center">
        <ShieldCheck aria-hidden="true" className="size-3.5 shrink-0 text-ink-faint" />
        <Select
          look="quiet"
          aria-label="What the agent may do"
          value={session.approvalMode}
          onChange={(event) => {
            const chosen = approvalModes.find((item) => item.value === event.target.value)
            if (chosen) onChange({ approvalMode: chosen.value })
          }}
        >
          {approvalModes.map((item) => (
            <option key={item.value} value={item.value}>
              {item.label}
            </option>
          ))}
        </Select>
      </span>
      <span className="min-w-0 text-ink-faint" title={modeText(session.approvalMode).sentence}>
        {modeText(session.approvalMode).short}
      </span>
    </div>
  )
}

/** State and settings in one quiet line, for a phone. */
function SettingsLine({ session, models }: Pick<SessionHeaderProps, 'session' | 'models'>) {
  const model = models.find((known) => known.id === session.model)?.label ?? session.model
  return (
    <div className="flex min-w-0 items-center gap-2.5 px-2 pb-1 text-ink-faint text-xs tablet:hidden">
      <span className="flex max-w-[60%] shrink-0">
        <SessionState session={session} look="plain" />
      </span>
      <span className="truncate">
        {modeText(session.approvalMode).short} · {model} · {shortPath(session.workspace)}
      </span>
    </div>
  )
}
