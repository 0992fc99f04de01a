/**
 * Widths and folds of the side areas. They live on <html> as custom properties and data attributes, so that a boot
 * script can set them before the first paint and a drag never renders anything.
 */
import { useSyncExternalStore } from 'react'
import { panelStorageKey } from '@/components/workbench/panel-storage'

export type PanelName = 'list' | 'tree'

export const panelLimits: Record<PanelName, { min: number; usual: number; max: number }> = {
  list: { min: 220, usual: 264, max: 420 },
  tree: { min: 248, usual: 304, max: 520 },
}

interface PanelState {
  readonly width: number
  readonly folded: boolean
}
type Panels = Record<PanelName, PanelState>

const usual: Panels = {
  list: { width: panelLimits.list.usual, folded: false },
  tree: { width: panelLimits.tree.usual, folded: false },
}

let panels: Panels | undefined
const listeners = new Set<() => void>()

export function usePanel(name: PanelName): PanelState {
  return useSyncExternalStore(
    subscribe,
    () => current()[name],
    () => usual[name],
  )
}

/** Sets what is given, within the limits, and remembers it. */
export function changePanel(name: PanelName, change: Partial<PanelState>): void {
  const { min, max } = panelLimits[name]
  const next = { ...current()[name], ...change }
  const state = { ...next, width: Math.round(Math.min(max, Math.max(min, next.width))) }
  panels = { ...current(), [name]: state }
  const root = document.documentElement
  root.style.setProperty(`--width-${name}`, `${state.width}px`)
  if (state.folded) root.setAttribute(`data-${name}`, 'folded')
  else root.removeAttribute(`data-${name}`)
  try {
    localStorage.setItem(panelStorageKey, JSON.stringify(panels))
  } catch {
    // Storage may be full or forbidden: the panel is right for now and forgotten later.
  }
  for (const listener of listeners) listener()
}

function current(): Panels {
  panels ??= stored()
  return panels
}

function stored(): Panels {
  try {
    const found = JSON.parse(localStorage.getItem(panelStorageKey) ?? '{}') as Partial<Panels>
    return { list: { ...usual.list, ...found.list }, tree: { ...usual.tree, ...found.tree } }
  } catch {
    // Unreadable: start from the usual measures.
    return usual
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
