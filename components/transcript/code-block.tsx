'use client'

/** A block of code: coloured a moment after it is there, to be copied with one press. A long one comes in several pieces that look like one. */
import { Check, Copy } from 'lucide-react'
import { memo, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useHighlight } from '@/components/transcript/use-highlight'
import { cn } from '@/components/ui/cn'

export interface CodeBlockProps {
  readonly code: string
  readonly lang: string
  readonly growing?: boolean
  /** False for a piece that carries on what stands above it, or is carried on below. */
  readonly first?: boolean
  readonly last?: boolean
  /** The whole code, where this is only a piece of it. */
  readonly whole?: () => string
}

export const CodeBlock = memo(function CodeBlock({
  code,
  lang,
  growing = false,
  first = true,
  last = true,
  whole,
}: CodeBlockProps) {
  const coloured = useHighlight(code, lang, growing)
  const copied = useCallback(() => whole?.() ?? code, [whole, code])
  return (
    <div
      className={cn(
        'overflow-hidden border-x border-line bg-sunken',
        first && 'mt-3 rounded-t-control border-t',
        last && 'mb-3 rounded-b-control border-b',
      )}
    >
      {first && (
        <div className="flex h-8 items-center justify-between border-line border-b pr-1 pl-3 text-ink-faint text-xs">
          <span>{lang || 'text'}</span>
          <CopyButton text={copied} label="Copy code" />
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code must be reachable to be scrolled by keyboard */}
      <pre className="scroll-thin focus-inset overflow-x-auto px-3 py-2 text-sm" tabIndex={0}>
        <code>
          {code.split('\n').map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line's place is its identity
            <span key={at} className="block min-h-5">
              {coloured[at]?.map((token) => (
                <span
                  key={token.offset}
                  style={token.htmlStyle}
                  className="text-(color:--code-light) dark:text-(color:--code-dark)"
                >
                  {token.content}
                </span>
              )) ?? line}
            </span>
          ))}
        </code>
      </pre>
    </div>
  )
})

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label, children }: { text: () => string; label: string; children?: ReactNode }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const copy = () => {
    copyText(text()).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={children ? undefined : label}
      className="motion inline-flex h-control-small items-center gap-1 rounded-control px-1.5 text-ink-muted text-xs hover:bg-hover hover:text-ink"
    >
      {state === 'copied' ? (
        <Check aria-hidden="true" className="size-3.5" />
      ) : (
        <Copy aria-hidden="true" className="size-3.5" />
      )}
      <span aria-live="polite">{state === 'copied' ? 'Copied' : state === 'failed' ? 'Not copied' : children}</span>
    </button>
  )
}

/** @throws Error where the browser does not allow it, as on an insecure address. */
async function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('There is no clipboard here.')
  await navigator.clipboard.writeText(text)
}
