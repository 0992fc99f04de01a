'use client'

/** What the model thought: folded, with how long it took. */
import { ChevronRight } from 'lucide-react'
import { memo, useContext } from 'react'
import { Markdown } from '@/components/transcript/markdown'
import { FoldingContext } from '@/components/transcript/transcript-context'
import { useNow } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { StateIcon } from '@/components/ui/state-icon'
import { durationText } from '@/lib/client/format'
import { codeOf } from '@/lib/projection/transcript-text'
import type { ReasoningItem } from '@/lib/projection/transcript-view'

export const ReasoningRow = memo(function ReasoningRow({ item }: { item: ReasoningItem }) {
  const { isOpen, setOpen } = useContext(FoldingContext)
  const open = isOpen(item.key, false)
  const thinking = item.live && item.durationMs === null
  return (
    <div className="my-2">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(item.key, !open)}
        className="motion inline-flex h-control-small items-center gap-1 rounded-control pr-2 text-ink-muted text-sm hover:text-ink"
      >
        <ChevronRight aria-hidden="true" className={cn('size-4', open && 'rotate-90')} />
        {thinking ? <Thinking since={item.sinceMs} /> : <Thought item={item} />}
      </button>
      {open && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long thought must be reachable to be scrolled by keyboard
          tabIndex={0}
          aria-label="Reasoning"
          className="scroll-thin mt-1 max-h-96 overflow-y-auto border-line-strong border-l-2 pl-3 text-ink-muted text-sm"
        >
          {item.flow.chunks.map((chunk, at) =>
            chunk.kind === 'prose' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: chunks only grow at the end
              <Markdown key={at} text={chunk.raw} growing={item.live && at === item.flow.chunks.length - 1} />
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: chunks only grow at the end
              <pre key={at} className="overflow-x-auto whitespace-pre-wrap">
                {codeOf(chunk)}
              </pre>
            ),
          )}
        </section>
      )}
    </div>
  )
})

function Thinking({ since }: { since: number | null }) {
  const now = useNow(1000)
  const seconds = since === null ? 0 : Math.floor((now - since) / 1000)
  // The shape moves, the words stand still: they keep their contrast.
  return (
    <span className="figures inline-flex items-center gap-1.5">
      <StateIcon state="running" className="size-3.5" />
      Thinking{seconds > 0 ? ` ${seconds} s` : ''}
    </span>
  )
}

function Thought({ item }: { item: ReasoningItem }) {
  const long = item.durationMs !== null && item.durationMs >= 1000 ? ` for ${durationText(item.durationMs)}` : ''
  return (
    <span className="figures">
      Thought{long}
      {item.partial ? ', cut short' : ''}
    </span>
  )
}
