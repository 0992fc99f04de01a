'use client'

/**
 * A word or two about a control, on hover and on focus. Never the only place where something is said, so it is hidden from
 * assistive technology. Esc closes it and goes on to whatever Esc means: a tooltip is no layer that a press is spent on (U3).
 */
import { Slot } from 'radix-ui'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Kbd } from '@/components/ui/kbd'

const delayMs = 500
/** While tooltips are being read one after the other, the next one comes at once. */
const warmMs = 300
const gap = 6
const margin = 8

let closedAt = Number.NEGATIVE_INFINITY

export function Tooltip({
  text,
  keys,
  children,
}: {
  text: ReactNode
  keys?: string | undefined
  /** One element that takes a ref and handlers. */
  children: ReactNode
}) {
  const [open, setOpen] = useState(false)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const show = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), performance.now() - closedAt < warmMs ? 0 : delayMs)
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (open) closedAt = performance.now()
    setOpen(false)
  }

  return (
    <>
      <Slot.Root
        ref={setAnchor}
        onPointerEnter={(event) => event.pointerType !== 'touch' && show()}
        onPointerLeave={hide}
        onPointerDown={hide}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show()}
        onBlur={hide}
      >
        {children}
      </Slot.Root>
      {open && (
        <Bubble anchor={anchor} close={hide}>
          <span>{text}</span>
          {keys && <Kbd onStrong>{keys}</Kbd>}
        </Bubble>
      )}
    </>
  )
}

function Bubble({ anchor, close, children }: { anchor: HTMLElement | null; close: () => void; children: ReactNode }) {
  const bubble = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (anchor && bubble.current) place(bubble.current, anchor.getBoundingClientRect())
  }, [anchor])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && close()
    window.addEventListener('keydown', onKeyDown, { capture: true })
    window.addEventListener('scroll', close, { capture: true, passive: true })
    return () => {
      window.removeEventListener('keydown', onKeyDown, { capture: true })
      window.removeEventListener('scroll', close, { capture: true })
    }
  }, [close])
  return createPortal(
    <div
      ref={bubble}
      aria-hidden="true"
      data-tooltip=""
      className="pointer-events-none fixed top-0 left-0 z-50 flex max-w-72 animate-appear items-center gap-2 break-words rounded-control bg-strong px-2 py-1 text-strong-ink text-xs shadow-float"
    >
      {children}
    </div>,
    document.body,
  )
}

/** Below the anchor, above it where there is no room; never beyond the edge of the window. */
function place(bubble: HTMLElement, around: DOMRect): void {
  const { width, height } = bubble.getBoundingClientRect()
  const below = around.bottom + gap
  const top = below + height + margin <= window.innerHeight ? below : around.top - gap - height
  const left = around.left + around.width / 2 - width / 2
  bubble.style.top = `${Math.max(margin, top)}px`
  bubble.style.left = `${Math.max(margin, Math.min(left, window.innerWidth - width - margin))}px`
}
