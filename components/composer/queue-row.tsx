'use client'

/** One waiting message: read, edit, move, remove, send now. */
import { ArrowDown, ArrowUp, CornerDownLeft, Pencil, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { QueueActions } from '@/components/composer/queue-actions'
import type { WaitingMessage } from '@/components/composer/use-composer-state'
import { useEnterKey } from '@/components/composer/use-enter-key'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'

export function QueueRow({
  message,
  at,
  count,
  running,
  actions,
}: {
  message: WaitingMessage
  at: number
  count: number
  running: boolean
  actions: QueueActions
}) {
  const [editing, setEditing] = useState(false)
  const { messageId, text, whole } = message
  if (editing) {
    return (
      <li className="px-1 py-1">
        <EditBox
          text={text}
          save={(changed) => void actions.edit(messageId, changed)}
          close={() => setEditing(false)}
        />
      </li>
    )
  }
  return (
    <li className="flex min-h-control-small flex-wrap items-center gap-1 rounded-control pl-2 text-sm hover:bg-hover tablet:flex-nowrap">
      <span className="figures w-4 shrink-0 text-ink-faint text-xs">{at + 1}</span>
      <span className="min-w-0 grow basis-40 truncate" title={text}>
        {text}
      </span>
      {message.delivery === 'steer' && <span className="shrink-0 text-ink-faint text-xs">joins at the next step</span>}
      <span className="ml-auto inline-flex shrink-0">
        {whole && (
          <IconButton label="Edit" size="icon-small" onClick={() => setEditing(true)}>
            <Pencil />
          </IconButton>
        )}
        <IconButton
          label="Move up"
          size="icon-small"
          disabled={at === 0}
          onClick={() => void actions.move(messageId, at - 1)}
        >
          <ArrowUp />
        </IconButton>
        <IconButton
          label="Move down"
          size="icon-small"
          disabled={at === count - 1}
          onClick={() => void actions.move(messageId, at + 1)}
        >
          <ArrowDown />
        </IconButton>
        <IconButton
          label={running ? 'Send this one now: it joins the running turn' : 'Send this one now'}
          size="icon-small"
          disabled={running && (message.delivery === 'steer' || !whole)}
          onClick={() => void actions.sendNow(message)}
        >
          <CornerDownLeft />
        </IconButton>
        <IconButton label="Remove" size="icon-small" onClick={() => void actions.remove(messageId)}>
          <X />
        </IconButton>
      </span>
    </li>
  )
}

function EditBox({ text, save, close }: { text: string; save: (text: string) => void; close: () => void }) {
  const [draft, setDraft] = useState(text)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
  }, [])
  const done = () => {
    if (draft.trim() === '') return
    if (draft !== text) save(draft)
    close()
  }
  const keys = useEnterKey(done, close)
  return (
    <div className="flex items-end gap-1 rounded-control border border-line-control bg-raised p-1" data-layer="edit">
      <textarea
        ref={box}
        aria-label="Edit the waiting message"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        rows={Math.min(6, draft.split('\n').length)}
        className="max-h-40 min-w-0 grow resize-none bg-transparent px-1 text-sm outline-none"
        {...keys}
      />
      <Button size="small" onClick={close}>
        Cancel
      </Button>
      <Button look="accent" size="small" onClick={done} disabled={draft.trim() === ''}>
        Save
      </Button>
    </div>
  )
}
