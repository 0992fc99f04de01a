import { frameData } from '@/app/page-data'
import { AppFrame } from '@/components/workbench/app-frame'
import { NotFoundView } from '@/components/workbench/not-found-view'

export default async function NotFound() {
  return (
    <AppFrame data={await frameData()}>
      <NotFoundView />
    </AppFrame>
  )
}
