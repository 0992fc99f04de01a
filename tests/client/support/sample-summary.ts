import { type Session, sessionSchema } from '@/lib/contract/session'

/** An idle root session, with the given fields in place of its own. */
export function sampleSummary(fields: Partial<Session> = {}): Session {
  const at = '2026-03-01T09:00:00.000Z'
  return {
    ...sessionSchema.parse({
      id: 'ses_1',
      kind: 'root',
      parentId: null,
      rootId: 'ses_1',
      depth: 0,
      title: 'A session',
      label: null,
      workspace: '/home/you/code/shop',
      model: 'rehearsal/script',
      approvalMode: 'full-access',
      archived: false,
      createdAt: at,
      updatedAt: at,
      lastSeq: 1,
      activity: 'idle',
      openTurnId: null,
      turnStartedAt: null,
      paused: false,
      queue: [],
      needs: 0,
      resident: true,
      lastOutcome: null,
      usage: { inputTokens: 0, outputTokens: 0, estimated: false },
      waitingOn: [],
    }),
    ...fields,
  }
}
