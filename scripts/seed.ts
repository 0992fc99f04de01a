/**
 * Fills a data folder with every kind of session: `npm run seed` (into BELAY_HOME), `npm run seed -- --home DIR --turns 500`.
 * The server must not be running on that folder.
 */
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '@/server/runtime/system-clock'
import { openDatabase } from '@/server/store/database'
import { SqliteEventLog } from '@/server/store/event-log'
import { call, longSession, type SeededSession, seedSession } from './seed-sessions'

const { values } = parseArgs({
  options: { home: { type: 'string' }, turns: { type: 'string', default: '500' }, workspace: { type: 'string' } },
})
const home = resolve(values.home ?? process.env.BELAY_HOME ?? join(homedir(), '.belay'))
const workspace = resolve(values.workspace ?? process.cwd())
mkdirSync(home, { recursive: true, mode: 0o700 })

const database = openDatabase(join(home, 'belay.db'))
const log = new SqliteEventLog(database, {
  clock: systemClock,
  logger: { info: () => undefined, warn: console.warn, error: console.error },
})
const batch = Date.now().toString(36)
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

const sessions: readonly Omit<SeededSession, 'id' | 'workspace'>[] = [
  {
    title: 'Explain the build script',
    startedAt: hoursAgo(30),
    turns: [
      {
        prompt: 'What does the build script do?',
        reply: [
          { type: 'reasoning', text: 'The person wants a short overview, so I should read the file first.' },
          call('c_done', 'read_file', { path: 'package.json' }),
        ],
        results: { c_done: { status: 'ok', output: '{\n  "scripts": { "build": "next build" }\n}\n' } },
        closing: 'It runs **one** command, `next build`, and nothing else.',
        outcome: { kind: 'completed' },
      },
    ],
  },
  {
    title: 'Watch the log',
    startedAt: hoursAgo(5),
    turns: [
      {
        prompt: 'Follow the log and tell me when something breaks',
        reply: [{ type: 'text', text: 'I follow it.' }, call('c_stop', 'run_command', { command: 'tail -f app.log' })],
        results: {
          c_stop: {
            status: 'aborted',
            output:
              '12:04:31 ready\n12:04:35 GET / 200\n[interrupted before it ended. The output above is what it had printed so far.]',
          },
        },
        outcome: { kind: 'aborted' },
      },
    ],
  },
  {
    title: 'Migrate the configuration',
    startedAt: hoursAgo(3),
    turns: [
      {
        prompt: 'Move the settings to the new format',
        reply: [{ type: 'text', text: 'The old format has eleven keys. The first three move as they' }],
        outcome: { kind: 'aborted' },
      },
    ],
    waiting: ['also check the defaults', 'then write a note about it'],
  },
  {
    title: 'Release notes',
    startedAt: hoursAgo(2),
    turns: [
      {
        prompt: 'Draft the release notes',
        reply: [{ type: 'text', text: 'I begin with' }],
        outcome: {
          kind: 'failed',
          code: 'rate-limited',
          message: 'The provider asks for a pause. It may be tried again later.',
        },
      },
    ],
  },
  {
    title: '翻译说明文档',
    startedAt: hoursAgo(1),
    turns: [
      {
        prompt: '请把说明文档翻译成中文，并保留代码。',
        reply: [{ type: 'text', text: '好的。下面是译文：\n\n# 停止\n\n按下停止后，本轮会真正结束。' }],
        outcome: { kind: 'completed' },
      },
    ],
  },
  {
    title: 'Lost in the middle',
    startedAt: hoursAgo(0.5),
    turns: [{ prompt: 'Count the files', reply: [call('c_lost', 'run_command', { command: 'find . | wc -l' })] }],
  },
  { title: 'An old spike', startedAt: hoursAgo(200), archived: true, turns: [] },
]

for (const [index, session] of sessions.entries())
  seedSession(log, { ...session, id: `ses_seed_${batch}_${index}`, workspace })
seedSession(log, longSession(`ses_seed_${batch}_long`, Number(values.turns), workspace, hoursAgo(60)))
database.close()
console.log(`${sessions.length + 1} sessions were written to ${home}.`)
