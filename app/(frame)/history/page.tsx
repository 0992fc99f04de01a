import type { Metadata } from 'next'
import { firstTurns } from '@/app/page-data'
import { HistoryView } from '@/components/history/history-view'

export const metadata: Metadata = { title: 'History' }

/** A filtered address is answered by the API, as every later change of the filter is. */
export default async function HistoryPage({ searchParams }: { searchParams: Promise<Record<string, unknown>> }) {
  const filtered = Object.keys(await searchParams).length > 0
  return <HistoryView initial={filtered ? null : firstTurns()} />
}
