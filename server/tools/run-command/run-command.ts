/** `run_command`: a shell command in the workspace, its output live, its whole process tree ended with the call (T3, T4, T8). */
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { z } from 'zod'
import { assertNever } from '@/lib/contract/assert-never'
import type { Tool, ToolContext, ToolResult } from '@/server/runtime/ports'
import { defineTool } from '../define-tool'
import { errorCodeOf, ToolFault } from '../tool-fault'
import { commandEnvironment, type Environment, findProgram } from './command-environment'
import { type CommandEnd, CommandProcess } from './command-process'
import { KeptOutput } from './kept-output'
import { LiveOutput } from './live-output'
import { TerminalText } from './terminal-text'

/** What the model reads of the output: the first 16 Ki and the last 48 Ki UTF-16 units, the cut marked with what was left out. */
export const keptBounds = { head: 16 * 1024, tail: 48 * 1024 } as const

export interface RunCommandOptions {
  /** The server's environment; secrets are withheld from commands. */
  readonly environment: Environment
}

type Ending = 'by-itself' | 'interrupted' | 'timed-out'

/**
 * Foreground only: what the command leaves running in the background ends with the call, `setsid` or not. The result is the
 * output, then a line in square brackets that says how it ended. Terminal escapes are stripped, live and in the result.
 * `meta`: `exitCode`, `signal`, `pid`, `startTime` (ISO 8601), `leftOut` (characters), `leftBehind` (processes).
 */
export function runCommandTool({ environment }: RunCommandOptions): Tool {
  const shell = findProgram('bash', environment) ?? '/bin/sh'
  return defineTool({
    name: 'run_command',
    description:
      `Runs a command with ${shell.endsWith('bash') ? 'bash' : 'sh'} in the workspace and returns what it printed (stdout and stderr together) and its exit code. No terminal, no input. ` +
      'Everything the command starts ends with it: processes left in the background are ended when the call returns, so do not start servers that must stay. ' +
      `Of a long output the first ${keptBounds.head} and the last ${keptBounds.tail} characters are returned. The time limit is \`timeout_seconds\`.`,
    access: 'write',
    killable: true,
    input: z.strictObject({
      command: z
        .string()
        .min(1)
        .max(100_000)
        .refine((text) => !text.includes('\0'), 'must not hold a NUL character'),
      timeout_seconds: z.number().min(0.1).max(3600).default(120),
    }),
    execute: (input, context) => run(shell, environment, input, context),
  })
}

async function run(
  shell: string,
  environment: Environment,
  input: { command: string; timeout_seconds: number },
  context: ToolContext,
): Promise<ToolResult> {
  const mark = randomUUID()
  const terminal = new TerminalText()
  const kept = new KeptOutput(keptBounds)
  const live = new LiveOutput((text) => context.output(text))
  const take = (text: string) => {
    kept.write(text)
    live.write(text)
  }
  const startTime = new Date().toISOString()
  const command = await start(context.workspace, {
    shell,
    command: input.command,
    environment: commandEnvironment(environment, mark),
    mark,
    workspace: context.workspace,
    onOutput: (bytes) => take(terminal.write(bytes)),
  })
  const { end, ending } = await untilGone(command, input.timeout_seconds, context)
  take(terminal.end())
  live.end()
  return {
    status: statusOf(ending, end),
    output: resultText(kept, ending, end, input.timeout_seconds),
    truncated: kept.leftOut > 0,
    meta: {
      exitCode: end.exitCode,
      signal: end.signal,
      pid: command.pid,
      startTime,
      leftOut: kept.leftOut,
      leftBehind: end.leftBehind,
    },
  }
}

async function start(workspace: string, spec: Parameters<typeof CommandProcess.start>[0]): Promise<CommandProcess> {
  const folder = await stat(workspace).catch(() => undefined)
  if (!folder?.isDirectory()) throw new ToolFault('The workspace folder does not exist or cannot be opened.')
  try {
    return await CommandProcess.start(spec)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === undefined) throw error
    if (code === 'E2BIG')
      throw new ToolFault('The command is too long for the system. Put it into a file and run that.')
    throw new ToolFault(`The command could not be started (${code}).`)
  }
}

/** Waits for the very end; the signals and the time limit only hurry it. All listeners and the timer are gone afterwards. */
async function untilGone(
  command: CommandProcess,
  timeoutSeconds: number,
  { signal, forceSignal }: ToolContext,
): Promise<{ end: CommandEnd; ending: Ending }> {
  let ending: Ending = 'by-itself'
  const interrupt = (how: Exclude<Ending, 'by-itself'>) => {
    if (command.hasEnded) return
    if (ending === 'by-itself') ending = how
  }
  const onAbort = () => {
    interrupt('interrupted')
    command.stop()
  }
  const onForce = () => {
    interrupt('interrupted')
    command.kill()
  }
  const timer = setTimeout(() => {
    interrupt('timed-out')
    command.stop()
  }, timeoutSeconds * 1000)
  signal.addEventListener('abort', onAbort)
  forceSignal.addEventListener('abort', onForce)
  if (signal.aborted) onAbort()
  if (forceSignal.aborted) onForce()
  try {
    const end = await command.gone
    return { end, ending }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    forceSignal.removeEventListener('abort', onForce)
  }
}

function statusOf(ending: Ending, end: CommandEnd): ToolResult['status'] {
  switch (ending) {
    case 'interrupted':
      return 'aborted'
    case 'timed-out':
      return 'timed-out'
    case 'by-itself':
      return end.exitCode === 0 ? 'ok' : 'error'
    default:
      return assertNever(ending)
  }
}

function resultText(kept: KeptOutput, ending: Ending, end: CommandEnd, timeoutSeconds: number): string {
  const printed = kept.text((leftOut) => `\n[… ${leftOut} characters left out …]\n`)
  const lines = [howItEnded(ending, end, timeoutSeconds, kept.isEmpty)]
  if (end.leftBehind > 0) {
    lines.push(`[${plural(end.leftBehind, 'process')} left running in the background ended with the command]`)
  }
  if (end.refused.length > 0) {
    lines.push(`[not ended, because they belong to another user: ${end.refused.join(', ')}]`)
  }
  const separator = printed === '' || printed.endsWith('\n') ? '' : '\n'
  return printed + separator + lines.join('\n')
}

function howItEnded(ending: Ending, end: CommandEnd, timeoutSeconds: number, isEmpty: boolean): string {
  const soFar = isEmpty ? 'It had printed nothing.' : 'The output above is what it had printed so far.'
  switch (ending) {
    case 'interrupted':
      return `[interrupted before it ended. ${soFar}]`
    case 'timed-out':
      return `[ended after the time limit of ${timeoutSeconds} s. ${soFar}]`
    case 'by-itself':
      return end.signal ? `[ended by ${end.signal}]` : `[exit code ${end.exitCode ?? 'unknown'}]`
    default:
      return assertNever(ending)
  }
}

function plural(n: number, word: string): string {
  return n === 1 ? `${n} ${word}` : `${n} ${word}es`
}
