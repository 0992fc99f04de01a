'use client'

/** One piece of an answer: prose or code. */
import { memo, useCallback } from 'react'
import { CodeBlock } from '@/components/transcript/code-block'
import { Markdown } from '@/components/transcript/markdown'
import { useTranscriptActions } from '@/components/transcript/transcript-context'
import { cn } from '@/components/ui/cn'
import type { ChunkRow as Row } from '@/lib/projection/transcript-rows'
import { codeOf } from '@/lib/projection/transcript-text'

/** A last line of a few marks will most likely be the end of the block: shown as code it would come and go. */
const halfFence = /(^|\n) {0,3}(?:`{1,3}|~{1,3})$/

export const ChunkRow = memo(function ChunkRow({ row }: { row: Row }) {
  const { codeAt } = useTranscriptActions()
  const { chunk, growing, turnId, key } = row
  const whole = useCallback(() => codeAt(turnId, key), [codeAt, turnId, key])
  if (chunk.kind === 'prose') {
    return chunk.raw.trim() === '' ? null : (
      <div
        className={cn(
          // Margins do not collapse over rows: a piece leaves its upper one to the piece before it.
          'flow-root text-prose [&>:first-child]:mt-0 [&>:is(h3,h4,h5,h6):first-child]:mt-2',
          !chunk.last && '[&>:last-child]:mb-0',
        )}
      >
        <Markdown text={chunk.raw} growing={growing} />
      </div>
    )
  }
  return (
    <div className="flow-root [&>*]:mt-0">
      <CodeBlock
        code={growing ? codeOf(chunk).replace(halfFence, '') : codeOf(chunk)}
        lang={chunk.lang}
        growing={growing}
        first={chunk.first}
        last={chunk.last}
        {...(!(chunk.first && chunk.last) && { whole })}
      />
    </div>
  )
})
