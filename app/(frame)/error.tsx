'use client'

import { ErrorView } from '@/components/workbench/error-view'

export default function FrameError({ reset }: { error: Error; reset: () => void }) {
  return <ErrorView retry={reset} />
}
