'use client'

/** What the person (or the parent agent) said. A settled prompt can be edited and sent again in its place. */
import { Pencil } from 'lucide-react'
import { memo, useContext, useEffect, useRef, useState } from 'react'
import { useEnterKey } from '@/components/composer/use-enter-key'
import { FactsContext, useTranscriptActions } from '@/components/transcript/transcript-context'
import { Button } from '@/components/ui/button'
import { TimeText } from '@/components/ui/clock'
import { reasonOf } from '@/lib/client/api'
import type { TurnId } from '@/lib/contract/ids'
import type { MessageItem } from '@/lib/projection/transcript-view'

export const MessageRow = memo(function MessageRow({ item, turnId }: { item: MessageItem; turnId: TurnId }) {
  const [editing, setEditing] = useState(false)
  const facts = useContext(FactsContext)
  const mine = item.from.kind === 'user'
  const canEdit = mine && item.delivery === 'follow-up' && facts.idle && facts.blocked === null
  return (
    <article aria-label={mine ? 'You' : 'Parent'} className="group mt-6 mb-3" data-message-id={item.messageId}>
      <header className="mb-1 flex h-control-small items-center gap-2 text-ink-faint text-xs">
        <span className="font-medium text-ink-muted">{mine ? 'You' : 'Parent agent'}</span>
        {item.delivery === 'steer' && <span>joined while running</span>}
        <TimeText at={item.at} />
        {canEdit && !editing && (
          <Button
            look="ghost"
            size="small"
            onClick={() => setEditing(true)}
            className="ml-auto opacity-0 focus-visible:opacity-100 group-hover:opacity-100 touch:opacity-100"
          >
            <Pencil aria-hidden="true" />
            Edit
          </Button>
        )}
      </header>
      {editing ? (
        <EditBox text={item.text} turnId={turnId} close={() => setEditing(false)} />
      ) : (
        <MessageText text={item.text} />
      )}
    </article>
  )
})

/** The words as they were typed. A very long message is folded. */
export function MessageText({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const long = text.length > 4000
  const shown = long && !open ? `${text.slice(0, 3000)}…` : text
  return (
    <div className="whitespace-pre-wrap break-words rounded-card bg-sunken px-3 py-2">
      {shown}
      {long && (
        <Button look="ghost" size="small" onClick={() => setOpen(!open)} aria-expanded={open} className="mt-2 block">
          {open ? 'Show less' : 'Show all'}
        </Button>
      )}
    </div>
  )
}

function EditBox({ text, turnId, close }: { text: string; turnId: TurnId; close: () => void }) {
  const { resend } = useTranscriptActions()
  const [draft, setDraft] = useState(text)
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    box.current?.focus()
    box.current?.setSelectionRange(box.current.value.length, box.current.value.length)
  }, [])
  const send = async () => {
    if (draft.trim() === '' || sending) return
    setSending(true)
    setProblem(null)
    try {
      await resend(turnId, draft)
      close()
    } catch (error) {
      setProblem(reasonOf(error))
      setSending(false)
    }
  }
  const keys = useEnterKey(() => void send(), close)
  return (
    <div className="rounded-card border border-line-control bg-raised p-2" data-layer="edit">
      <textarea
        ref={box}
        aria-label="Edit the message"
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        rows={Math.min(12, draft.split('\n').length + 1)}
        className="field-sizing-content max-h-80 w-full resize-none bg-transparent px-1 outline-none"
        {...keys}
      />
      {problem && (
        <p role="alert" className="px-1 text-sm text-state-failed">
          Not sent. {problem}
        </p>
      )}
      <div className="mt-1 flex items-center justify-end gap-2">
        <p className="mr-auto px-1 text-ink-faint text-xs">The earlier version is folded away.</p>
        <Button size="small" onClick={close}>
          Cancel
        </Button>
        <Button size="small" look="accent" onClick={() => void send()} disabled={sending || draft.trim() === ''}>
          Send again
        </Button>
      </div>
    </div>
  )
}
