'use client'

/** The side panel of a session without children: its plan, what waits, where it works, what it used. */
import { CircleCheck, CircleDashed, CircleDot } from 'lucide-react'
import type { ReactNode } from 'react'
import { Elapsed, TimeText } from '@/components/ui/clock'
import { cn } from '@/components/ui/cn'
import { exactUsage, shortUsage } from '@/lib/client/format'
import { assertNever } from '@/lib/contract/assert-never'
import type { PlanItem } from '@/lib/contract/events'
import type { Session } from '@/lib/contract/session'

export function SessionPanel({ session, plan }: { session: Session; plan: readonly PlanItem[] }) {
  const { usage } = session
  const doing = session.waitingOn[0]
  return (
    <div className="grid content-start gap-5 px-4 py-3">
      {plan.length > 0 && (
        <Part title={`Plan, ${plan.filter((item) => item.status === 'done').length} of ${plan.length}`}>
          <ul className="grid gap-1.5">
            {plan.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a plan is replaced as a whole and its items have no ids
              <PlanLine key={index} item={item} />
            ))}
          </ul>
        </Part>
      )}
      <Part title="This session">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
          {doing && (
            <Fact name="Now">
              <span className="flex justify-between gap-2">
                <span className="truncate font-mono text-xs leading-5">{doing.name}</span>
                <Elapsed since={doing.since} className="text-ink-faint text-xs leading-5" />
              </span>
            </Fact>
          )}
          <Fact name="Waiting">{session.queue.length === 0 ? 'nothing' : waitingText(session.queue.length)}</Fact>
          <Fact name="Tokens">
            <span className="figures" title={exactUsage(usage)}>
              {usage.inputTokens + usage.outputTokens === 0 ? 'none yet' : shortUsage(usage)}
            </span>
          </Fact>
          <Fact name="Workspace">
            <span className="break-all font-mono text-xs leading-5">{session.workspace}</span>
          </Fact>
          <Fact name="Model">
            <span className="break-all font-mono text-xs leading-5">{session.model}</span>
          </Fact>
          <Fact name="Started">
            <TimeText at={session.createdAt} />
          </Fact>
        </dl>
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2">
      <h3 className="font-medium text-ink-faint text-xs">{title}</h3>
      {children}
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </>
  )
}

function PlanLine({ item }: { item: PlanItem }) {
  const { icon: Icon, ink, word } = planLook(item.status)
  return (
    <li className="flex gap-2 text-sm">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', ink)} />
      <span className={cn('min-w-0', item.status === 'done' && 'text-ink-faint')}>
        {item.text}
        <span className="sr-only">, {word}</span>
      </span>
    </li>
  )
}

function planLook(status: PlanItem['status']): { icon: typeof CircleDot; ink: string; word: string } {
  switch (status) {
    case 'pending':
      return { icon: CircleDashed, ink: 'text-ink-faint', word: 'not begun' }
    case 'in-progress':
      return { icon: CircleDot, ink: 'text-state-running', word: 'in progress' }
    case 'done':
      return { icon: CircleCheck, ink: 'text-state-done', word: 'done' }
    default:
      return assertNever(status)
  }
}

function waitingText(count: number): string {
  return count === 1 ? '1 message' : `${count} messages`
}
