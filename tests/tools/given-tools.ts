/** A workspace in a temporary folder, the real tools, and a way to call them as the runtime does. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { NewEvent } from '@/lib/contract/events'
import { callIdSchema, sessionIdSchema, turnIdSchema } from '@/lib/contract/ids'
import type { ToolContext, ToolResult } from '@/server/runtime/ports'
import { createTools, type ToolsOptions } from '@/server/tools/registry'

export interface Call {
  readonly result: Promise<ToolResult>
  /** What the call has shown live so far. */
  live(): string
  /** How often it has shown something. */
  liveCalls(): number
  /** Resolves once the live output holds the text. */
  hasShown(text: string): Promise<void>
  abort(reason?: unknown): void
  force(): void
  readonly signal: AbortSignal
  readonly forceSignal: AbortSignal
  readonly recorded: NewEvent[]
}

export function givenTools(options: ToolsOptions = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-tools-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  const port = createTools(options)

  const begin = (name: string, input: unknown): Call => {
    const tool = port.offered({ workspace, approvalMode: 'full-access' }).find((one) => one.name === name)
    if (!tool) throw new Error(`no tool ${name}`)
    const polite = new AbortController()
    const forced = new AbortController()
    const recorded: NewEvent[] = []
    const waiting = new Set<() => void>()
    let shown = ''
    let calls = 0
    const context: ToolContext = {
      sessionId: sessionIdSchema.parse('ses_1'),
      turnId: turnIdSchema.parse('turn_1'),
      callId: callIdSchema.parse('call_1'),
      workspace,
      signal: polite.signal,
      forceSignal: forced.signal,
      output: (text) => {
        shown += text
        calls += 1
        for (const look of [...waiting]) look()
      },
      record: (event) => recorded.push(event),
    }
    return {
      result: tool.execute(input, context),
      live: () => shown,
      liveCalls: () => calls,
      hasShown: (text) =>
        new Promise((resolve) => {
          const look = () => {
            if (!shown.includes(text)) return
            waiting.delete(look)
            resolve()
          }
          waiting.add(look)
          look()
        }),
      abort: (reason) => polite.abort(reason),
      force: () => forced.abort(),
      signal: polite.signal,
      forceSignal: forced.signal,
      recorded,
    }
  }

  return {
    /** The folder around the workspace: outside of it. */
    outside: folder,
    workspace,
    begin,
    call: (name: string, input: unknown) => begin(name, input).result,
    put: (path: string, content: string | Buffer = '') => {
      mkdirSync(dirname(join(workspace, path)), { recursive: true })
      writeFileSync(join(workspace, path), content)
    },
    content: (path: string) => readFileSync(join(workspace, path), 'utf8'),
  }
}
