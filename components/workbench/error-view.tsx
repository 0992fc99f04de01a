'use client'

/** What stands on the page when drawing it failed. The sessions go on without it. */
import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export function ErrorView({ retry }: { retry: () => void }) {
  return (
    <main id="main" tabIndex={-1} className="grid min-w-0 grow content-center bg-surface outline-none">
      <EmptyState
        title="This page could not be drawn"
        actions={
          <>
            <Button look="accent" onClick={retry}>
              Try again
            </Button>
            <Button asChild>
              <Link href="/">Start page</Link>
            </Button>
          </>
        }
      >
        Sessions go on running on the server; nothing of them is lost.
      </EmptyState>
    </main>
  )
}
