'use client'

/** The draft of a session's composer. */
import { useCallback, useSyncExternalStore } from 'react'
import { type Draft, DraftMemory, emptyDraft } from '@/lib/client/draft-memory'
import type { SessionId } from '@/lib/contract/ids'

let memory: DraftMemory | null = null

/** The one memory of this page. */
export function drafts(): DraftMemory {
  memory ??= new DraftMemory(storage())
  return memory
}

export function useDraft(id: SessionId): readonly [Draft, (draft: Draft) => void] {
  const draft = useSyncExternalStore(
    subscribe,
    () => drafts().get(id),
    () => emptyDraft,
  )
  const set = useCallback((next: Draft) => drafts().set(id, next), [id])
  return [draft, set]
}

const subscribe = (changed: () => void) => drafts().subscribe(changed)

function storage(): Storage | null {
  try {
    return window.localStorage
  } catch {
    // Forbidden by the browser.
    return null
  }
}
