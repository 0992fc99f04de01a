'use client'

/** A key combination in the words of the reader's keyboard: "⌘K" on a Mac, "Ctrl K" elsewhere. */
import { useSyncExternalStore } from 'react'
import { Kbd } from '@/components/ui/kbd'

const macNames: Record<string, string> = { mod: '⌘', alt: '⌥', shift: '⇧' }
const otherNames: Record<string, string> = { mod: 'Ctrl', alt: 'Alt', shift: 'Shift' }

/** `keys` is written "mod+k": names joined by "+". */
export function useKeyName(keys: string): string {
  const mac = useSyncExternalStore(
    stays,
    () => /mac|iphone|ipad/i.test(navigator.platform),
    () => false,
  )
  const names = mac ? macNames : otherNames
  return keys
    .split('+')
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join(mac ? '' : ' ')
}

export function Shortcut({ keys }: { keys: string }) {
  return <Kbd>{useKeyName(keys)}</Kbd>
}

function stays(): () => void {
  return () => {}
}
