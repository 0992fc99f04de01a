import type { ReactNode } from 'react'
import { frameData } from '@/app/page-data'
import { AppFrame } from '@/components/workbench/app-frame'

export default async function FrameLayout({ children }: { children: ReactNode }) {
  return <AppFrame data={await frameData()}>{children}</AppFrame>
}
