/** What the server renders the frame with, so that its first paint has content. */
import { createContext, useContext } from 'react'
import type { ModelInfo } from '@/lib/contract/commands'
import type { Session } from '@/lib/contract/session'

export interface FrameData {
  /** The first page of the list, newest activity first, without the archive. */
  readonly sessions: { readonly sessions: Session[]; readonly nextCursor: string | null }
  readonly models: { readonly models: ModelInfo[]; readonly default: string }
  /** Where a session works when nobody says otherwise (R2). */
  readonly defaultWorkspace: string
}

const FrameContext = createContext<FrameData | null>(null)
export const FrameDataProvider = FrameContext

/** @throws Error outside the frame. */
export function useFrameData(): FrameData {
  const data = useContext(FrameContext)
  if (!data) throw new Error('useFrameData needs a FrameDataProvider above it')
  return data
}
