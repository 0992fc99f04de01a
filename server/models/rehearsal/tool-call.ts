/** The tool calls that a step asks for. */
import type { Step } from './script'

export interface PlannedCall {
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
}

/** The calls of one step, all made in one message; none for a step that needs no tool. */
export function callsOf(step: Step): readonly PlannedCall[] {
  switch (step.kind) {
    case 'run': {
      const timeout = step.timeoutSeconds === undefined ? {} : { timeout_seconds: step.timeoutSeconds }
      return [{ name: 'run_command', input: { command: step.command, ...timeout } }]
    }
    case 'write':
      return [{ name: 'write_file', input: { path: step.path, content: step.text } }]
    case 'read':
      return [{ name: 'read_file', input: { path: step.path } }]
    case 'ask':
      return [{ name: 'ask_user', input: { questions: [{ question: step.question }] } }]
    case 'delegate':
    case 'spawn': {
      const name = step.kind === 'delegate' ? 'delegate_task' : 'spawn_agent'
      return Array.from({ length: step.count }, (_, index) => ({
        name,
        input: { description: `Child ${index + 1} of ${step.count}`, prompt: step.script },
      }))
    }
    default:
      return []
  }
}
