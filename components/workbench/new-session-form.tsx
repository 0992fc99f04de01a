'use client'

/** The first message and its circumstances: where, by whom, with which leave. */
import { ArrowUp } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useEnterKey } from '@/components/composer/use-enter-key'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { Segmented } from '@/components/ui/segmented'
import { approvalModes, modeText } from '@/components/workbench/approval-modes'
import { isScripted, ModelSelect } from '@/components/workbench/model-select'
import type { ModelInfo } from '@/lib/contract/commands'
import type { ApprovalMode } from '@/lib/contract/events'

export interface NewSessionRequest {
  readonly text: string
  readonly model: string
  readonly approvalMode: ApprovalMode
}

export interface NewSessionFormProps {
  readonly models: readonly ModelInfo[]
  readonly defaultModel: string
  readonly defaultWorkspace: string
  readonly workspace: string
  readonly onWorkspace: (workspace: string) => void
  readonly starting: boolean
  /** Whether the message box takes the focus when it appears. */
  readonly focus: 'take' | 'leave'
  readonly onStart: (request: NewSessionRequest) => void
}

export function NewSessionForm(props: NewSessionFormProps) {
  const { models, starting, onStart, focus } = props
  const [text, setText] = useState('')
  const [model, setModel] = useState(props.defaultModel)
  const [approvalMode, setApprovalMode] = useState<ApprovalMode>('ask')
  const form = useRef<HTMLFormElement>(null)
  const scripted = isScripted(models, model)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (focus === 'take') box.current?.focus({ preventScroll: true })
  }, [focus])

  const keys = useEnterKey(() => form.current?.requestSubmit())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || starting) return
    onStart({ text, model, approvalMode })
  }

  return (
    <form ref={form} onSubmit={submit} className="grid grid-cols-1 gap-4">
      <div className="rounded-composer border border-line-control bg-raised p-1.5 has-[textarea:focus]:border-line has-[textarea:focus]:outline-2 has-[textarea:focus]:outline-focus has-[textarea:focus]:outline-offset-2">
        <textarea
          aria-label="First message"
          placeholder={scripted ? 'A script for the rehearsal, or anything: it explains itself' : 'Describe the work'}
          rows={3}
          value={text}
          ref={box}
          onChange={(event) => setText(event.target.value)}
          {...keys}
          className="scroll-thin field-sizing-content block max-h-[40dvh] min-h-20 w-full resize-none bg-transparent px-2.5 pt-1.5 text-prose outline-none touch:text-lg"
        />
        <div className="flex items-center justify-end gap-2">
          <p className="min-w-0 grow truncate px-2.5 text-ink-faint text-xs">
            Enter sends, Shift+Enter breaks the line
          </p>
          <Button type="submit" look="accent" disabled={text.trim() === '' || starting}>
            <ArrowUp aria-hidden="true" />
            {starting ? 'Starting' : 'Start'}
          </Button>
        </div>
      </div>
      <div className="grid grid-cols-1 gap-x-4 gap-y-3 tablet:grid-cols-2">
        <Field label="Workspace" hint={<WorkspaceHint {...props} />}>
          {(wiring) => (
            <Input
              {...wiring}
              value={props.workspace}
              placeholder={props.defaultWorkspace}
              spellCheck={false}
              autoComplete="off"
              maxLength={4096}
              onChange={(event) => props.onWorkspace(event.target.value)}
              className="font-mono"
            />
          )}
        </Field>
        <Field
          label="Model"
          hint={
            scripted ? 'This is a script, not a model: no key, no network, it does what the message says.' : undefined
          }
        >
          {(wiring) => <ModelSelect {...wiring} models={models} value={model} onChange={setModel} className="w-full" />}
        </Field>
        <div className="tablet:col-span-2">
          <Field label="What the agent may do" hint={modeText(approvalMode).sentence}>
            {({ id, 'aria-describedby': describedBy }) => (
              <Segmented
                id={id}
                aria-describedby={describedBy}
                label="What the agent may do"
                value={approvalMode}
                onChange={setApprovalMode}
                segments={approvalModes}
                className="w-full max-w-md"
              />
            )}
          </Field>
        </div>
      </div>
    </form>
  )
}

function WorkspaceHint({ workspace, defaultWorkspace }: Pick<NewSessionFormProps, 'workspace' | 'defaultWorkspace'>) {
  if (workspace.trim() === '' || workspace.trim() === defaultWorkspace) return 'The folder Belay was started for.'
  return 'File tools stay inside this folder.'
}
