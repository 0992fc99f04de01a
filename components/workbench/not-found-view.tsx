/** What stands in the frame when an address leads nowhere. */
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { PageShell } from '@/components/workbench/page-shell'

export function NotFoundView() {
  return (
    <PageShell title="Not found">
      <EmptyState
        title="There is nothing at this address"
        actions={
          <>
            <Button asChild look="accent">
              <Link href="/">New session</Link>
            </Button>
            <Button asChild>
              <Link href="/history">History</Link>
            </Button>
          </>
        }
      >
        The session may have been deleted, or the link is incomplete.
      </EmptyState>
    </PageShell>
  )
}
