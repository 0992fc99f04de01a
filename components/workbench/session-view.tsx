'use client'

/** One session: its head, its transcript with the composer, and the area beside it. */
import Link from 'next/link'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { Composer } from '@/components/composer/composer'
import { useRemovedSessions, useSessionSummary } from '@/components/live/use-summaries'
import { Transcript } from '@/components/transcript/transcript'
import { useSessionStore } from '@/components/transcript/use-session'
import { SideArea, SideSheetButton } from '@/components/tree/side-area'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { useAnnounceState } from '@/components/workbench/announcer'
import { ListSheetButton } from '@/components/workbench/app-frame'
import { useLiveSessions } from '@/components/workbench/live-sessions'
import { PageShell } from '@/components/workbench/page-shell'
import { useChangeSession, useModels, useSessionActions } from '@/components/workbench/queries'
import { SessionHeader, SessionSettings } from '@/components/workbench/session-header'
import type { SessionPageData } from '@/components/workbench/session-page-data'
import { newest } from '@/components/workbench/session-rows'
import { useTabTitle } from '@/components/workbench/use-tab-title'
import type { ChangeSessionBody } from '@/lib/contract/commands'
import type { PlanItem } from '@/lib/contract/events'
import type { TurnId } from '@/lib/contract/ids'
import type { Session } from '@/lib/contract/session'

/** `openAt` names the turn that the address points at. */
export function SessionView({ data, openAt }: { data: SessionPageData; openAt: string | null }) {
  const session = useSessionSummary(data.session.id, data.session) ?? data.session
  const removed = useRemovedSessions().has(session.id)
  useAnnounceState(session)
  useTabTitle(session)
  if (removed) return <DeletedView title={session.title} />
  return <OpenSession session={session} data={data} openAt={openAt} />
}

function OpenSession({ session, data, openAt }: { session: Session; data: SessionPageData; openAt: string | null }) {
  const { models } = useModels()
  const actions = useSessionActions(session.id)(session)
  const change = useChangeSession()
  const nodes = useTree(data, session)
  const plan = usePlan(data)
  const side = { session, nodes, plan }
  const settings = {
    session,
    models: models.models,
    onChange: (wish: ChangeSessionBody) => void change(session.id, wish),
  }
  return (
    <>
      <main id="main" tabIndex={-1} className="flex min-w-0 grow flex-col bg-surface outline-none">
        <SessionHeader
          {...settings}
          actions={actions}
          leading={<ListSheetButton />}
          trailing={
            <div className="tablet:hidden">
              <SideSheetButton {...side} above={<SessionSettings {...settings} />} />
            </div>
          }
        />
        <Transcript session={session} start={data.start} targetTurnId={openAt as TurnId | null} />
        <Composer session={session} start={data.start} />
      </main>
      <SideArea {...side} />
    </>
  )
}

/** The tree as it was rendered, each node in its newest form, and children that were born since. */
function useTree(data: SessionPageData, session: Session): readonly Session[] {
  const live = useLiveSessions()
  return useMemo(() => {
    const known = new Set(data.nodes.map((node) => node.id))
    const born = [...live.byId.values()].filter((node) => node.rootId === session.rootId && !known.has(node.id))
    return [...data.nodes.map((node) => newest(node, live)), ...born].filter((node) => !live.removed.has(node.id))
  }, [data.nodes, live, session.rootId])
}

/** The plan alone: the frame around the transcript does not render with every piece of text. */
function usePlan(data: SessionPageData): readonly PlanItem[] {
  const store = useSessionStore(data.session.id, data.start)
  const rendered = useMemo(
    () => data.start.events.findLast((event) => event.type === 'plan.updated')?.data.items ?? [],
    [data],
  )
  const subscribe = useCallback((changed: () => void) => store?.subscribe(changed) ?? (() => {}), [store])
  return useSyncExternalStore(
    subscribe,
    () => store?.snapshot().transcript.plan ?? rendered,
    () => rendered,
  )
}

/** Somebody deleted the session while it was open: said so, instead of an empty page. */
function DeletedView({ title }: { title: string }) {
  return (
    <PageShell title={title || 'Session'}>
      <EmptyState
        title="This session was deleted"
        actions={
          <Button asChild look="accent">
            <Link href="/">New session</Link>
          </Button>
        }
      >
        Its messages are gone. Files in its workspace are as they were.
      </EmptyState>
    </PageShell>
  )
}
