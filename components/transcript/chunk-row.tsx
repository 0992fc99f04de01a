'use client'

/** One piece of an answer: prose or code. */
import { memo, useCallback } from 'react'
import { CodeBlock } from '@/components/transcript/code-block'
import { Markdown } from '@/components/transcript/markdown'
import { useTranscriptActions } from '@/components/transcript/transcript-context'
import type { ChunkRow as Row } from '@/lib/projection/transcript-rows'
import { codeOf } from '@/lib/projection/transcript-text'

export const ChunkRow = memo(function ChunkRow({ row }: { row: Row }) {
  const { codeAt } = useTranscriptActions()
  const { chunk, growing, turnId, key } = row
  const whole = useCallback(() => codeAt(turnId, key), [codeAt, turnId, key])
  if (chunk.kind === 'prose') {
    return chunk.raw.trim() === '' ? null : (
      <div className="flow-root text-prose">
        <Markdown text={chunk.raw} growing={growing} />
      </div>
    )
  }
  return (
    <CodeBlock
      code={codeOf(chunk)}
      lang={chunk.lang}
      growing={growing}
      first={chunk.first}
      last={chunk.last}
      {...(!(chunk.first && chunk.last) && { whole })}
    />
  )
})
