'use client'

/** The edge between two areas: drag it, or move it with the arrow keys; Enter and a double click fold the area away. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { cn } from '@/components/ui/cn'
import { changePanel, type PanelName, panelLimits, usePanel } from '@/components/workbench/panels'

const keyStep = 16

/** Stands inside the area, on its edge. `side` is the side of the handle on which the area lies. */
export function ResizeHandle({ panel, side, label }: { panel: PanelName; side: 'left' | 'right'; label: string }) {
  const { width } = usePanel(panel)
  const drag = useRef<{ from: number; width: number } | null>(null)
  const outwards = side === 'left' ? 1 : -1
  const { min, max } = panelLimits[panel]

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!drag.current) return
    changePanel(panel, { width: drag.current.width + (event.clientX - drag.current.from) * outwards })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key]
    if (step !== undefined) changePanel(panel, { width: width + step * outwards })
    else if (event.key === 'Home') changePanel(panel, { width: min })
    else if (event.key === 'End') changePanel(panel, { width: max })
    else if (event.key === 'Enter') changePanel(panel, { folded: true })
    else return
    event.preventDefault()
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged or focused; this is the window splitter pattern
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => {
        drag.current = null
      }}
      onPointerCancel={() => {
        drag.current = null
      }}
      onDoubleClick={() => changePanel(panel, { folded: true })}
      onKeyDown={onKeyDown}
      className={cn(
        'motion focus-inset absolute inset-y-0 z-10 w-2 cursor-col-resize touch-none after:absolute after:inset-y-0 after:left-1/2 after:w-px after:bg-line hover:after:w-0.5 hover:after:-translate-x-1/2 hover:after:bg-accent',
        side === 'left' ? '-right-1' : '-left-1',
      )}
    />
  )
}
