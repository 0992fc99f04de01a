'use client'

/** Esc stops the turn of the session in view; one press, one layer (U3, S-M2). */
import { useEffect } from 'react'
import { isComposing } from '@/components/composer/use-enter-key'

/** Whatever lies over the page or is being edited takes the press for itself. A tooltip does not. */
const layers = [
  'dialog[open]',
  '[role="dialog"][data-state="open"]',
  '[role="alertdialog"][data-state="open"]',
  '[role="menu"][data-state="open"]',
  '[role="listbox"][data-state="open"]',
  '[data-layer]',
].join(',')

/** `stop` is called for an Esc that belongs to nothing else; without it Esc is left alone. `own` marks the box in which Esc stops too. */
export function useStopKey(stop: (() => void) | null, own: string): void {
  useEffect(() => {
    if (!stop) return
    // Before anybody else hears it: afterwards a layer that this very press has closed would be gone already.
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.repeat || isComposing(event)) return
      if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
      if (document.querySelector(layers) || isEditing(document.activeElement, own)) return
      stop()
    }
    window.addEventListener('keydown', pressed, { capture: true })
    return () => window.removeEventListener('keydown', pressed, { capture: true })
  }, [stop, own])
}

function isEditing(element: Element | null, own: string): boolean {
  if (!(element instanceof HTMLElement) || element.matches(own)) return false
  return element.matches('input, textarea, select') || element.isContentEditable
}
