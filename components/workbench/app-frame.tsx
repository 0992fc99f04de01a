'use client'

/** The frame of every page: skip link, connection banner, the session list, and the page itself. */
import { Menu as MenuIcon } from 'lucide-react'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { Palette } from '@/components/palette/palette'
import { IconButton } from '@/components/ui/icon-button'
import { Sheet } from '@/components/ui/sheet'
import { ConnectionBanner } from '@/components/workbench/connection-banner'
import { type FrameData, FrameDataProvider } from '@/components/workbench/frame-data'
import { useConnectionState } from '@/components/workbench/live-sessions'
import { useListRefresh } from '@/components/workbench/queries'
import { ResizeHandle } from '@/components/workbench/resize-handle'
import { Sidebar, SidebarRail } from '@/components/workbench/sidebar'

export function AppFrame({ data, children }: { data: FrameData; children: ReactNode }) {
  return (
    <FrameDataProvider value={data}>
      <Frame>{children}</Frame>
      <Palette />
    </FrameDataProvider>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const connection = useConnectionState()
  useListRefresh()
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-strong px-3 py-2 text-sm text-strong-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      <div className="flex h-dvh min-h-0 flex-col">
        <ConnectionBanner {...connection} />
        <div className="flex min-h-0 grow">
          <aside
            aria-label="Session list"
            className="relative hidden w-(--width-list) shrink-0 flex-col bg-ground tablet:flex list-folded:hidden"
          >
            <Sidebar place="area" />
            <ResizeHandle panel="list" side="left" label="Resize the session list" />
          </aside>
          <aside
            aria-label="Session list, folded"
            className="hidden w-(--width-rail) shrink-0 flex-col border-r bg-ground list-folded:tablet:flex"
          >
            <SidebarRail />
          </aside>
          <div className="flex min-h-0 min-w-0 grow">{children}</div>
        </div>
      </div>
    </>
  )
}

/** On a phone: the button that brings the list as a sheet. It closes by itself when a page has been chosen. */
export function ListSheetButton() {
  const path = usePathname()
  const [openAt, setOpenAt] = useState<string | null>(null)
  return (
    <div className="tablet:hidden">
      <IconButton label="Sessions" onClick={() => setOpenAt(path)}>
        <MenuIcon />
      </IconButton>
      <Sheet
        open={openAt !== null && openAt === path}
        onOpenChange={(open) => setOpenAt(open ? path : null)}
        side="left"
        title="Belay"
      >
        <Sidebar place="sheet" />
      </Sheet>
    </div>
  )
}
