import type { ReactNode } from 'react'
import { frameData } from '@/app/page-data'
import { AppFrame } from '@/components/workbench/app-frame'

export default function FrameLayout({ children }: { children: ReactNode }) {
  return <AppFrame data={frameData()}>{children}</AppFrame>
}
