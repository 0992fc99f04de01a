'use client'

/** A short word at the edge of the screen about something that went wrong elsewhere, or that can be undone. It never carries the only copy of a fact. */
import { X } from 'lucide-react'
import { Toast as Primitive } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { StateIcon } from '@/components/ui/state-icon'

export interface ToastMessage {
  readonly tone?: 'plain' | 'failure'
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

interface Shown extends ToastMessage {
  readonly id: number
}

let shown: readonly Shown[] = []
let nextId = 1
const listeners = new Set<() => void>()
const none: readonly Shown[] = []

/** Shows a toast; at most three stand at once. Returns what takes it away. */
export function toast(message: ToastMessage): () => void {
  const id = nextId++
  change([...shown.slice(-2), { ...message, id }])
  return () => dismiss(id)
}

/** Mounted once, in the frame. */
export function Toaster() {
  const toasts = useSyncExternalStore(
    subscribe,
    () => shown,
    () => none,
  )
  return (
    <Primitive.Provider label="Notice" duration={8000} swipeDirection="right">
      {toasts.map((item) => (
        <Primitive.Root
          key={item.id}
          onOpenChange={(open) => !open && dismiss(item.id)}
          className="flex animate-appear items-center gap-2 rounded-card border border-line bg-raised py-2 pr-2 pl-3 text-sm shadow-float"
        >
          {item.tone === 'failure' && <StateIcon state="failed" />}
          <Primitive.Description className="min-w-0 grow">{item.text}</Primitive.Description>
          {item.action && (
            <Primitive.Action altText={item.action.label} asChild>
              <Button size="small" onClick={item.action.run}>
                {item.action.label}
              </Button>
            </Primitive.Action>
          )}
          <Primitive.Close asChild>
            <IconButton label="Close" size="icon-small">
              <X />
            </IconButton>
          </Primitive.Close>
        </Primitive.Root>
      ))}
      <Primitive.Viewport className="fixed right-4 bottom-4 z-50 grid w-[min(380px,calc(100vw-32px))] gap-2 outline-none" />
    </Primitive.Provider>
  )
}

function dismiss(id: number): void {
  change(shown.filter((item) => item.id !== id))
}

function change(next: readonly Shown[]): void {
  shown = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
