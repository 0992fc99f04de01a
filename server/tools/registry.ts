/** All built-in tools, and which of them a session is offered. */
import { assertNever } from '@/lib/contract/assert-never'
import type { ApprovalMode } from '@/lib/contract/events'
import type { Tool, ToolPort } from '@/server/runtime/ports'
import { editFileTool } from './edit-file'
import { listFilesTool } from './list-files'
import { readFileTool } from './read-file'
import { type Environment, findProgram } from './run-command/command-environment'
import { runCommandTool } from './run-command/run-command'
import { searchFilesTool } from './search-files'
import { updatePlanTool } from './update-plan'
import { writeFileTool } from './write-file'

export interface ToolsOptions {
  /** The server's environment (default: this process's). Commands get it without secrets. */
  readonly environment?: Environment
  /** The full path of ripgrep; `null`: do without. Default: the one on the PATH. */
  readonly ripgrep?: string | null
}

/** The tools of T2 that need neither a person nor the network. Build it once per process. */
export function createTools(options: ToolsOptions = {}): ToolPort {
  const environment = options.environment ?? process.env
  const ripgrep = options.ripgrep === undefined ? findProgram('rg', environment) : (options.ripgrep ?? undefined)
  const all: readonly Tool[] = [
    readFileTool,
    listFilesTool,
    searchFilesTool({ ripgrep }),
    updatePlanTool,
    writeFileTool,
    editFileTool,
    runCommandTool({ environment }),
  ]
  const byMode = {
    ask: all.filter((tool) => isOffered(tool, 'ask')),
    'accept-edits': all.filter((tool) => isOffered(tool, 'accept-edits')),
    'full-access': all.filter((tool) => isOffered(tool, 'full-access')),
  }
  return { offered: ({ approvalMode }) => byMode[approvalMode] }
}

/**
 * The policy as long as nobody can be asked: what a mode would ask about is not offered at all. `ask` has the tools that only
 * read, `accept-edits` those that write files too, `full-access` everything. With approvals (T7) every tool is offered and this
 * becomes the question whether a call must ask first.
 */
function isOffered(tool: Tool, mode: ApprovalMode): boolean {
  switch (mode) {
    case 'ask':
      return tool.access === 'read'
    case 'accept-edits':
      return tool.access === 'read' || tool === writeFileTool || tool === editFileTool
    case 'full-access':
      return true
    default:
      return assertNever(mode)
  }
}
