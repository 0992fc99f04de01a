'use client'

/** Enter in a text box, told apart from the Enter that belongs to an input method (U3, S-M1). For composer, queue edit, rename and search. */
import { type CompositionEvent, type KeyboardEvent, useRef } from 'react'

/** Safari ends the composition first and then sends the keydown of the same press: within this time (ms) they are one press. */
const samePress = 50

export interface EnterKeyProps {
  onKeyDown(event: KeyboardEvent): void
  onCompositionStart(event: CompositionEvent): void
  onCompositionEnd(event: CompositionEvent): void
}

/**
 * Props for an `input` or `textarea`. `onEnter` is called for a plain Enter; Shift+Enter breaks the line, and an Enter (or Esc) of an
 * input method does neither. `onEscape` is called for Esc; the press is then used up, so that it stops nothing else.
 */
export function useEnterKey(onEnter: () => void, onEscape?: () => void): EnterKeyProps {
  const composition = useRef({ open: false, endedAt: Number.NEGATIVE_INFINITY })
  return {
    onCompositionStart: () => {
      composition.current.open = true
    },
    onCompositionEnd: (event) => {
      composition.current = { open: false, endedAt: event.timeStamp }
    },
    onKeyDown: (event) => {
      if (event.key !== 'Enter' && event.key !== 'Escape') return
      const { open, endedAt } = composition.current
      if (open || isComposing(event.nativeEvent) || event.timeStamp - endedAt < samePress) return
      if (event.key === 'Escape') {
        if (!onEscape) return
        event.preventDefault()
        event.stopPropagation()
        onEscape()
        return
      }
      if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      onEnter()
    },
  }
}

/** Whether a key press belongs to an input method: browsers say so in one of two ways. */
export function isComposing(event: { readonly isComposing?: boolean; readonly keyCode?: number }): boolean {
  return event.isComposing === true || event.keyCode === 229
}
