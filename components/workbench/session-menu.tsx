'use client'

/** What can be done with a session as a whole: rename, copy its link, archive, delete. The same menu in the list and in the header. */
import { Archive, ArchiveRestore, FolderOpen, Link2, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Dialog } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { Menu, MenuItem, MenuSeparator } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import type { Session } from '@/lib/contract/session'

export interface SessionActions {
  rename(title: string): void
  archive(archived: boolean): void
  remove(): void
}

export function SessionMenu({
  session,
  actions,
  trigger,
}: {
  session: Pick<Session, 'id' | 'title' | 'archived' | 'activity' | 'workspace'>
  actions: SessionActions
  trigger: ReactNode
}) {
  const [asking, setAsking] = useState<'nothing' | 'title' | 'deletion'>('nothing')
  const close = (open: boolean) => !open && setAsking('nothing')

  return (
    <>
      <Menu trigger={trigger}>
        <MenuItem onSelect={() => setAsking('title')}>
          <Pencil aria-hidden="true" /> Rename
        </MenuItem>
        <MenuItem onSelect={() => copy(`${location.origin}/s/${session.id}`, 'Link copied')}>
          <Link2 aria-hidden="true" /> Copy link
        </MenuItem>
        <MenuItem onSelect={() => copy(session.workspace, 'Path copied')}>
          <FolderOpen aria-hidden="true" /> Copy workspace path
        </MenuItem>
        <MenuSeparator />
        <MenuItem onSelect={() => actions.archive(!session.archived)}>
          {session.archived ? <ArchiveRestore aria-hidden="true" /> : <Archive aria-hidden="true" />}
          {session.archived ? 'Take out of the archive' : 'Archive'}
        </MenuItem>
        <MenuItem onSelect={() => setAsking('deletion')}>
          <Trash2 aria-hidden="true" /> Delete
        </MenuItem>
      </Menu>
      {asking === 'title' && <RenameDialog title={session.title} onRename={actions.rename} onOpenChange={close} />}
      <ConfirmDialog
        open={asking === 'deletion'}
        onOpenChange={close}
        title="Delete this session?"
        description={deletionText(session)}
        confirmLabel={session.activity === 'idle' ? 'Delete' : 'Stop and delete'}
        onConfirm={actions.remove}
      />
    </>
  )
}

function RenameDialog({
  title,
  onRename,
  onOpenChange,
}: {
  title: string
  onRename: (title: string) => void
  onOpenChange: (open: boolean) => void
}) {
  const [draft, setDraft] = useState(title)
  const wanted = draft.trim()
  return (
    <Dialog open onOpenChange={onOpenChange} title="Rename session">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted === '') return
          if (wanted !== title) onRename(wanted)
          onOpenChange(false)
        }}
      >
        <Input aria-label="Title" value={draft} maxLength={200} onChange={(event) => setDraft(event.target.value)} />
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="accent" type="submit" disabled={wanted === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function deletionText(session: Pick<Session, 'title' | 'activity'>): ReactNode {
  return (
    <>
      {session.activity !== 'idle' && 'It is running: it is stopped first. '}
      All messages of <b className="font-medium text-ink">{session.title}</b> go for good. Files in its workspace stay
      as they are.
    </>
  )
}

async function copy(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ text: done })
  } catch {
    // The browser does not let us write there: show it, so that it can be copied by hand.
    toast({ text })
  }
}
