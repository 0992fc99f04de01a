import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { sessionPageData, sessionTitle } from '@/app/page-data'
import { SessionView } from '@/components/workbench/session-view'

interface Address {
  readonly params: Promise<{ id: string }>
  readonly searchParams: Promise<{ turn?: string | string[] }>
}

export async function generateMetadata({ params }: Address): Promise<Metadata> {
  const { id } = await params
  return { title: sessionTitle(id) || 'Session' }
}

export default async function SessionPage({ params, searchParams }: Address) {
  const { id } = await params
  const { turn } = await searchParams
  const openAt = typeof turn === 'string' ? turn : null
  const data = sessionPageData(id, openAt)
  if (!data) notFound()
  return <SessionView key={id} data={data} openAt={openAt} />
}
