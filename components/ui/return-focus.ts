'use client'

/** Gives the focus back to what opened a window when it closes: the focus is never lost (U10). */
import { useRef } from 'react'

/** Handlers for the content of a dialog that is opened by state and so has no trigger of its own. */
export function useReturnFocus(): { onOpenAutoFocus: () => void; onCloseAutoFocus: (event: Event) => void } {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = openerOf(document.activeElement)
    },
    onCloseAutoFocus: (event) => {
      event.preventDefault()
      const home = opener.current?.isConnected ? opener.current : document.getElementById('main')
      home?.focus()
    },
  }
}

/** What was chosen in a menu is gone with the menu: then the button that opened the menu. */
function openerOf(active: Element | null): HTMLElement | null {
  const trigger = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (trigger) return document.getElementById(trigger)
  return active instanceof HTMLElement ? active : null
}
