import { NewSession } from '@/components/workbench/new-session'

export default function HomePage() {
  return <NewSession />
}
