import { frameData } from '@/app/page-data'
import { AppFrame } from '@/components/workbench/app-frame'
import { NotFoundView } from '@/components/workbench/not-found-view'

export default function NotFound() {
  return (
    <AppFrame data={frameData()}>
      <NotFoundView />
    </AppFrame>
  )
}
