/** 100 sessions that stream at 20 tokens a second each for 8 seconds: what the server pays and what a reader sees. */
import { readFileSync } from 'node:fs'
import type { Belay } from '../e2e/support/server'
import { StreamReading } from '../e2e/support/stream'
import { epochNow } from './clock'
import type { Figure } from './table'

const sessions = 100

export async function measureLoad(belay: Belay): Promise<Figure[]> {
  const made = []
  for (let n = 0; n < sessions; n++) made.push(await belay.api.create({ model: 'openai-compatible/stamps-20' }))
  const reading = await StreamReading.open(belay, { sessions: made.map((session) => session.id) })
  const before = cpuSeconds(belay.pid)
  const sentAt = new Map<string, number>()
  await Promise.all(
    made.map((session) => {
      sentAt.set(session.id, epochNow())
      return belay.api.send(session.id, 'go')
    }),
  )
  await Promise.all(
    made.map((session) => reading.event('turn.end', (event) => event.sessionId === session.id, { within: 90_000 })),
  )
  const cpu = cpuSeconds(belay.pid) - before
  const memory = residentMiB(belay.pid)
  reading.close()
  const firsts = new Map<string, number>()
  const ages: number[] = []
  for (const frame of reading.frames) {
    if (frame.event !== 'delta') continue
    const at = performance.timeOrigin + frame.at
    const sent = sentAt.get(frame.data.sessionId)
    if (!firsts.has(frame.data.sessionId) && sent !== undefined) firsts.set(frame.data.sessionId, at - sent)
    const stamp = frame.data.text.match(/1\d{12}\.\d+/g)?.at(-1)
    if (stamp) ages.push(at - Number(stamp))
  }
  return [
    { name: '100 sessions × 20 tok/s × 8 s: CPU', unit: 's', target: '≤ 4 s', samples: [cpu] },
    { name: '100 sessions: memory', unit: 'MiB', target: '≤ 400 MiB', samples: [memory] },
    { name: '100 sessions: chunk → event stream', unit: 'ms', target: 'p95 ≤ 50 ms', samples: ages },
    { name: '100 sessions: send → first token', unit: 'ms', target: '≤ 200 ms', samples: [...firsts.values()] },
  ]
}

/** User and system time of a process so far. Linux. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

export function residentMiB(pid: number): number {
  const line = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? Number.NaN) / 1024
}
