/** The main area of a page that is not a session: a head with its title, and content that scrolls. */
import type { ReactNode } from 'react'
import { ListSheetButton } from '@/components/workbench/app-frame'

export function PageShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="flex min-w-0 grow flex-col bg-surface outline-none">
      <header className="flex min-h-13 items-center gap-1 border-b px-2 tablet:px-6">
        <ListSheetButton />
        <h1 className="font-semibold text-lg">{title}</h1>
      </header>
      <div className="scroll-thin min-h-0 grow overflow-y-auto">
        <div className="mx-auto w-full max-w-4xl px-4 py-4 tablet:px-6">{children}</div>
      </div>
    </main>
  )
}
