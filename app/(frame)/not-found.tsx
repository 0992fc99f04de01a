import { NotFoundView } from '@/components/workbench/not-found-view'

export default function NotFoundInFrame() {
  return <NotFoundView />
}
