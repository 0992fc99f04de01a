'use client'

/** One row of the transcript, whatever its kind. */
import { memo } from 'react'
import { ChunkRow } from '@/components/transcript/chunk-row'
import { MessageRow } from '@/components/transcript/message-row'
import { ReasoningRow } from '@/components/transcript/reasoning-row'
import {
  CompactionRow,
  NoteRow,
  OriginRow,
  ReplacedRow,
  RetryRow,
  WorkingRow,
} from '@/components/transcript/small-rows'
import { ToolCard } from '@/components/transcript/tool-card'
import { TurnFooter } from '@/components/transcript/turn-footer'
import { cn } from '@/components/ui/cn'
import { assertNever } from '@/lib/contract/assert-never'
import type { Row } from '@/lib/projection/transcript-rows'

/** In the column of the transcript; `marked` for a moment when an address led here. */
export const RowView = memo(function RowView({ row, marked }: { row: Row; marked: boolean }) {
  return (
    <div
      data-turn-id={row.turnId ?? undefined}
      data-row={row.kind}
      className={cn(
        'mx-auto w-full max-w-(--width-column) px-4 text-prose transition-colors duration-150',
        marked && 'bg-accent-soft',
      )}
    >
      {content(row)}
    </div>
  )
})

function content(row: Row) {
  switch (row.kind) {
    case 'origin':
      return <OriginRow created={row.created} />
    case 'replaced':
      return <ReplacedRow turn={row.turn} rowKey={row.key} open={row.open} />
    case 'message':
      return <MessageRow item={row.item} turnId={row.turnId} />
    case 'chunk':
      return <ChunkRow row={row} />
    case 'reasoning':
      return <ReasoningRow item={row.item} />
    case 'tool':
      return <ToolCard item={row.item} />
    case 'retry':
      return <RetryRow item={row.item} />
    case 'note':
      return <NoteRow item={row.item} />
    case 'compaction':
      return <CompactionRow item={row.item} />
    case 'working':
      return <WorkingRow stopping={row.stopping} startedAt={row.startedAt} />
    case 'footer':
      return <TurnFooter turn={row.turn} />
    default:
      return assertNever(row)
  }
}
