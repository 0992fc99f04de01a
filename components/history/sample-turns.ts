/** Turns that ended in every way, for the fixture page and the tests. */
import type { SessionId, TurnId } from '@/lib/contract/ids'
import { type TurnRow, turnRowSchema } from '@/lib/contract/session'

/** A finished turn, changed by what is given. */
export function sampleTurn(n: number, change: Partial<TurnRow> = {}): TurnRow {
  return turnRowSchema.parse({
    turnId: `turn_${n}` as TurnId,
    sessionId: 'ses_sample' as SessionId,
    rootId: 'ses_sample' as SessionId,
    title: 'Fix the flaky upload test',
    prompt: 'Find out why upload.spec fails on CI and not here',
    outcome: { kind: 'completed' },
    requestedBy: null,
    via: null,
    startedAt: '2026-03-02T12:04:31.000Z',
    durationMs: 45_200,
    usage: { inputTokens: 3200, outputTokens: 212, estimated: false },
    lastStep: { text: 'The clock of the runner is an hour off, and the signature is refused.' },
    ...change,
  })
}

export const sampleTurns: readonly TurnRow[] = [
  sampleTurn(1, { outcome: null, durationMs: null, lastStep: { tool: 'run_command', text: 'npm test -- upload' } }),
  sampleTurn(2),
  sampleTurn(3, {
    outcome: { kind: 'aborted' },
    requestedBy: 'user',
    via: 'button',
    lastStep: { tool: 'run_command', text: 'while true; do date; sleep 1; done' },
  }),
  sampleTurn(4, {
    outcome: { kind: 'aborted' },
    requestedBy: 'user',
    via: 'api',
    usage: { inputTokens: 120, outputTokens: 9, estimated: true },
  }),
  sampleTurn(5, { outcome: { kind: 'aborted' }, requestedBy: 'parent', via: 'tool', title: 'read the CI logs' }),
  sampleTurn(6, { outcome: { kind: 'disposed' }, durationMs: 812 }),
  sampleTurn(7, { outcome: { kind: 'truncated' } }),
  sampleTurn(8, {
    outcome: { kind: 'failed', code: 'rate-limited', message: 'The provider allows no more requests for now.' },
    durationMs: 3140,
  }),
  sampleTurn(9, { outcome: { kind: 'blocked' }, durationMs: 12, lastStep: { text: '' } }),
  sampleTurn(10, {
    outcome: { kind: 'orphaned' },
    prompt: '把上传测试修好，并写一份简短的说明',
    durationMs: 4_000_000,
  }),
  sampleTurn(11, { snippet: { seq: 12, text: '… 14 of 20 failures share the same upload id …' } }),
]
