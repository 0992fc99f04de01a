'use client'

/** Every primitive in every state, for the fixture page. */
import { Archive, Ellipsis, Pencil, Plus, Square } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Elapsed, TimeText } from '@/components/ui/clock'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Kbd } from '@/components/ui/kbd'
import { Menu, MenuCheckItem, MenuItem, MenuLabel, MenuSeparator } from '@/components/ui/menu'
import { Notice } from '@/components/ui/notice'
import { Segmented } from '@/components/ui/segmented'
import { Select } from '@/components/ui/select'
import { Sheet } from '@/components/ui/sheet'
import { Shortcut } from '@/components/ui/shortcut'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import { StateIcon } from '@/components/ui/state-icon'
import { StateMark } from '@/components/ui/state-mark'
import { stateOrder } from '@/components/ui/state-text'
import { Tabs } from '@/components/ui/tabs'
import { Textarea } from '@/components/ui/textarea'
import { toast } from '@/components/ui/toast'

export function UiFixtures() {
  return (
    <>
      <States />
      <Buttons />
      <Fields />
      <Overlays />
      <Pieces />
    </>
  )
}

function States() {
  return (
    <SpecimenGroup title="States">
      {stateOrder.map((state) => (
        <Specimen key={state} name={state}>
          <div className="grid justify-items-start gap-2">
            <StateIcon state={state} />
            <StateMark state={state} />
            <StateMark state={state} tinted />
          </div>
        </Specimen>
      ))}
      <Specimen name="with more words">
        <StateMark state="paused" text="Paused, 2 waiting" tinted />
      </Specimen>
    </SpecimenGroup>
  )
}

function Buttons() {
  return (
    <SpecimenGroup title="Buttons">
      {(['accent', 'strong', 'outline', 'ghost'] as const).map((look) => (
        <Specimen key={look} name={look}>
          <div className="flex gap-2">
            <Button look={look}>{look === 'strong' ? 'Stop' : 'Send'}</Button>
            <Button look={look} disabled>
              Disabled
            </Button>
            <Button look={look} size="small">
              <Plus aria-hidden="true" /> Small
            </Button>
          </div>
        </Specimen>
      ))}
      <Specimen name="icon">
        <div className="flex gap-2">
          <IconButton label="Rename" keys="F2">
            <Pencil />
          </IconButton>
          <IconButton label="Stop" look="strong">
            <Square />
          </IconButton>
          <IconButton label="More" size="icon-small">
            <Ellipsis />
          </IconButton>
        </div>
      </Specimen>
    </SpecimenGroup>
  )
}

function Fields() {
  const [mode, setMode] = useState<'ask' | 'edit' | 'all'>('ask')
  return (
    <SpecimenGroup title="Fields">
      <Specimen name="input, with a hint">
        <Field label="Workspace" hint="The folder Belay was started for.">
          {(wiring) => <Input {...wiring} defaultValue="/home/ada/code/shop" className="font-mono" />}
        </Field>
      </Specimen>
      <Specimen name="input, refused">
        <Field label="Workspace" problem="There is no folder at this path.">
          {(wiring) => <Input {...wiring} defaultValue="/nowhere" className="font-mono" />}
        </Field>
      </Specimen>
      <Specimen name="input, disabled">
        <Input aria-label="Disabled" disabled defaultValue="Not now" />
      </Specimen>
      <Specimen name="select">
        <Select aria-label="Model">
          <option>claude-sonnet</option>
          <option>rehearsal/script</option>
        </Select>
      </Specimen>
      <Specimen name="select, quiet">
        <Select aria-label="Model" look="quiet">
          <option>claude-sonnet</option>
        </Select>
      </Specimen>
      <Specimen name="segmented">
        <Segmented
          label="Mode"
          value={mode}
          onChange={setMode}
          segments={[
            { value: 'ask', label: 'Asks first' },
            { value: 'edit', label: 'Edits files' },
            { value: 'all', label: 'Full access' },
          ]}
        />
      </Specimen>
      <Specimen name="textarea">
        <Textarea aria-label="Note" placeholder="A note" />
      </Specimen>
    </SpecimenGroup>
  )
}

function Overlays() {
  const [open, setOpen] = useState<'none' | 'dialog' | 'confirm' | 'sheet'>('none')
  const close = (isOpen: boolean) => !isOpen && setOpen('none')
  return (
    <SpecimenGroup title="Overlays">
      <Specimen name="dialog">
        <Button onClick={() => setOpen('dialog')}>Open a dialog</Button>
        <Dialog
          open={open === 'dialog'}
          onOpenChange={close}
          title="Rename session"
          description="The title is for you; the model does not see it."
          actions={<Button look="accent">Rename</Button>}
        >
          <Input aria-label="Title" defaultValue="Fix the flaky upload test" />
        </Dialog>
      </Specimen>
      <Specimen name="confirm">
        <Button onClick={() => setOpen('confirm')}>Ask first</Button>
        <ConfirmDialog
          open={open === 'confirm'}
          onOpenChange={close}
          title="Delete this session?"
          description="It is running: it is stopped first. All its messages go for good."
          confirmLabel="Stop and delete"
          onConfirm={() => {}}
        />
      </Specimen>
      <Specimen name="sheet">
        <Button onClick={() => setOpen('sheet')}>Open a sheet</Button>
        <Sheet open={open === 'sheet'} onOpenChange={close} side="left" title="Sessions">
          <SkeletonRows rows={3} label="Loading sessions" />
        </Sheet>
      </Specimen>
      <Specimen name="menu">
        <Menu align="start" trigger={<Button>Open a menu</Button>}>
          <MenuLabel>Session</MenuLabel>
          <MenuItem keys="F2">
            <Pencil aria-hidden="true" /> Rename
          </MenuItem>
          <MenuItem disabled>
            <Archive aria-hidden="true" /> Archive
          </MenuItem>
          <MenuSeparator />
          <MenuCheckItem checked>Running</MenuCheckItem>
          <MenuCheckItem checked={false}>Paused</MenuCheckItem>
        </Menu>
      </Specimen>
      <Specimen name="toast">
        <div className="flex gap-2">
          <Button onClick={() => toast({ text: 'Archived', action: { label: 'Undo', run: () => {} } })}>Say</Button>
          <Button onClick={() => toast({ tone: 'failure', text: 'Not stopped. The server does not answer.' })}>
            Say what failed
          </Button>
        </div>
      </Specimen>
    </SpecimenGroup>
  )
}

function Pieces() {
  return (
    <SpecimenGroup title="Pieces">
      <Specimen name="badge">
        <Badge>12</Badge>
      </Specimen>
      <Specimen name="keys">
        <span className="flex gap-1">
          <Kbd>Esc</Kbd> <Shortcut keys="mod+k" /> <Shortcut keys="alt+n" />
        </span>
      </Specimen>
      <Specimen name="time">
        <TimeText at="2026-03-02T12:04:31.000Z" />
      </Specimen>
      <Specimen name="watch">
        <Elapsed since="2026-03-02T12:04:31.000Z" />
      </Specimen>
      <Specimen name="notices" wide>
        <div className="grid max-w-xl gap-2">
          <Notice>This is a script, not a model.</Notice>
          <Notice tone="care">The workspace has uncommitted changes.</Notice>
          <Notice tone="failure" actions={<Button size="small">Try again</Button>}>
            The history could not be loaded. The server does not answer.
          </Notice>
        </div>
      </Specimen>
      <Specimen name="tabs" wide>
        <Tabs
          label="Views"
          items={[
            { value: 'a', label: 'Transcript', content: <p>The conversation.</p> },
            { value: 'b', label: 'Events', content: <p>The log.</p> },
          ]}
        />
      </Specimen>
      <Specimen name="skeleton">
        <div className="w-64">
          <SkeletonRows rows={2} label="Loading" />
        </div>
      </Specimen>
      <Specimen name="empty">
        <EmptyState title="No session matches" actions={<Button size="small">Clear the filter</Button>} />
      </Specimen>
    </SpecimenGroup>
  )
}
