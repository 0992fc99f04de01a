'use client'

/** The right-hand area: the tree when the session has children, else the session itself. A rail on narrower screens, a sheet behind it. */
import { ListTree, PanelRightClose, PanelRightOpen } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { SessionPanel } from '@/components/tree/session-panel'
import { TreePanel } from '@/components/tree/tree-panel'
import { IconButton } from '@/components/ui/icon-button'
import { ScrollArea } from '@/components/ui/scroll-area'
import { Sheet } from '@/components/ui/sheet'
import { StateIcon } from '@/components/ui/state-icon'
import { stateOrder, stateWords } from '@/components/ui/state-text'
import { changePanel } from '@/components/workbench/panels'
import { ResizeHandle } from '@/components/workbench/resize-handle'
import type { PlanItem } from '@/lib/contract/events'
import { type Session, stateWordOf } from '@/lib/contract/session'

export interface SideAreaProps {
  readonly session: Session
  /** The whole tree in pre-order; one node while there are no children. */
  readonly nodes: readonly Session[]
  readonly plan: readonly PlanItem[]
}

interface SideSheetProps extends SideAreaProps {
  /** What stands above the panel in the sheet: the settings of the session, where the header has no room for them. */
  readonly above?: ReactNode
}

/** From 768 px on. Below that, `SideSheetButton` is the way in. */
export function SideArea(props: SideAreaProps) {
  const title = titleOf(props.nodes)
  return (
    <>
      <aside
        aria-label={title}
        className="relative hidden w-(--width-tree) shrink-0 flex-col bg-ground desk:flex tree-folded:hidden"
      >
        <div className="flex h-11 items-center gap-1 pr-2 pl-4">
          <h2 className="grow font-semibold text-sm">{title}</h2>
          <IconButton label="Fold this panel" size="icon-small" onClick={() => changePanel('tree', { folded: true })}>
            <PanelRightClose />
          </IconButton>
        </div>
        <ScrollArea className="grow">
          <SideContent {...props} />
        </ScrollArea>
        <ResizeHandle panel="tree" side="right" label={`Resize the ${title.toLowerCase()}`} />
      </aside>
      <aside
        aria-label={`${title}, folded`}
        className="hidden w-(--width-rail) shrink-0 flex-col items-center gap-2 border-l bg-ground py-1.5 tablet:flex desk:hidden tree-folded:desk:flex"
      >
        <div className="hidden desk:block">
          <IconButton label={`Show the ${title.toLowerCase()}`} onClick={() => changePanel('tree', { folded: false })}>
            <PanelRightOpen />
          </IconButton>
        </div>
        <div className="desk:hidden">
          <SideSheetButton {...props} />
        </div>
        {props.nodes.length > 1 && <RailCounts nodes={props.nodes} />}
      </aside>
    </>
  )
}

export function SideSheetButton({ above, ...props }: SideSheetProps) {
  const [open, setOpen] = useState(false)
  const title = titleOf(props.nodes)
  return (
    <>
      <IconButton label={`Show the ${title.toLowerCase()}`} onClick={() => setOpen(true)}>
        <ListTree />
      </IconButton>
      <Sheet open={open} onOpenChange={setOpen} side="right" title={title}>
        <ScrollArea className="grow">
          {above && <div className="border-b px-4 py-2">{above}</div>}
          <SideContent {...props} />
        </ScrollArea>
      </Sheet>
    </>
  )
}

function SideContent({ session, nodes, plan }: SideAreaProps) {
  return nodes.length > 1 ? (
    <TreePanel nodes={nodes} currentId={session.id} />
  ) : (
    <SessionPanel session={session} plan={plan} />
  )
}

function RailCounts({ nodes }: { nodes: readonly Session[] }) {
  const counts = stateOrder
    .map((state) => ({ state, count: nodes.filter((node) => stateWordOf(node) === state).length }))
    .filter(({ count }) => count > 0)
  return (
    <ul className="grid gap-1.5">
      {counts.map(({ state, count }) => (
        <li key={state} className="figures flex items-center gap-1 text-ink-muted text-xs" title={stateWords[state]}>
          <StateIcon state={state} />
          {count}
          <span className="sr-only">{stateWords[state]}</span>
        </li>
      ))}
    </ul>
  )
}

function titleOf(nodes: readonly Session[]): string {
  return nodes.length > 1 ? 'Tree' : 'Session'
}
