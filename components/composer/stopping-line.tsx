'use client'

/** What a stop waits for, once it takes longer than a second, and what can be done about it (U2). */
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useNow } from '@/components/ui/clock'
import { Notice } from '@/components/ui/notice'
import { StateMark } from '@/components/ui/state-mark'
import { toast } from '@/components/ui/toast'
import { api, reasonOf } from '@/lib/client/api'
import { assertNever } from '@/lib/contract/assert-never'
import type { Session, Wait } from '@/lib/contract/session'

/** Milliseconds after which it says what it waits for, and after which it says what to do. */
const saysAfter = 1_000
const helpsAfter = 15_000

export function StoppingLine({ session, since }: { session: Pick<Session, 'id' | 'waitingOn'>; since: number }) {
  const late = useReached(since + saysAfter)
  const now = Math.max(useNow(1000), since + saysAfter)
  if (!late) return null
  const took = now - since
  const killable = session.waitingOn.filter((wait) => wait.killable && wait.callId !== undefined)
  return (
    <div className="mb-2 grid gap-2" data-stopping-line="">
      <div className="flex min-h-control-small flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        <StateMark state="stopping" />
        <span className="figures min-w-0">{waitText(session.waitingOn, since, now)}</span>
        {killable.map((wait) => (
          <KillButton key={wait.callId} session={session} wait={wait} />
        ))}
      </div>
      {took >= helpsAfter && (
        <Notice tone="care">
          {killable.length > 0
            ? 'This takes long. “Kill now” ends the process at once; what it printed is kept.'
            : 'This takes long, and what it waits for cannot be forced. You can wait, or go on in another session. If it never ends, restart Belay: this turn will say “Lost at restart”, and what was written is kept.'}
        </Notice>
      )}
    </div>
  )
}

/** From that very moment on (epoch ms), not from the clock's next step: a command is killed 2 s after its signal anyway. */
function useReached(at: number): boolean {
  const [reached, setReached] = useState<number | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setReached(at), Math.max(0, at - Date.now()))
    return () => clearTimeout(timer)
  }, [at])
  return reached === at
}

/** "waiting for run_command, 3 s": counted from the stop, or from when the wait began, if that was later. */
function waitText(waits: readonly Wait[], stopAt: number, now: number): string {
  if (waits.length === 0) return 'waiting for it to come to rest'
  const parts = waits.map((wait) => {
    const seconds = Math.max(0, Math.floor((now - Math.max(stopAt, Date.parse(wait.since))) / 1000))
    return `${nameOf(wait)}, ${seconds} s`
  })
  return `waiting for ${parts.join(' · ')}`
}

function nameOf(wait: Wait): string {
  switch (wait.kind) {
    case 'tool':
    case 'hook':
      return wait.name
    case 'model':
      return 'the model'
    case 'approval':
      return 'an approval'
    case 'question':
      return 'an answer'
    case 'retry':
      return 'the next try'
    case 'store':
      return 'the log'
    case 'children':
      return 'its children'
    default:
      return assertNever(wait.kind)
  }
}

function KillButton({ session, wait }: { session: Pick<Session, 'id'>; wait: Wait }) {
  const [asked, setAsked] = useState(false)
  const { callId } = wait
  if (callId === undefined) return null
  const kill = () => {
    setAsked(true)
    api.endCall(session.id, callId, { force: true }).catch((error: unknown) => {
      setAsked(false)
      toast({ tone: 'failure', text: `Not killed. ${reasonOf(error)}` })
    })
  }
  return (
    <Button size="small" onClick={kill} disabled={asked} aria-label={`Kill ${wait.name} now`}>
      Kill now
    </Button>
  )
}
