/** Makes a `Tool` of a name, a zod schema and a body: the schema becomes JSON Schema for the model and guards the body. */
import { z } from 'zod'
import type { Tool, ToolContext, ToolResult } from '@/server/runtime/ports'
import { ToolFault } from './tool-fault'

export interface ToolDefinition<Input> {
  readonly name: string
  readonly description: string
  /** `read` calls may run in parallel; `write` calls run alone (T2). */
  readonly access: Tool['access']
  /** True where `forceSignal` ends the call for good (T8). */
  readonly killable: boolean
  readonly input: z.ZodType<Input>
  /** May throw a `ToolFault`, and anything at all once its signal is aborted. Every other throw is a bug. */
  execute(input: Input, context: ToolContext): Promise<ToolResult>
}

/**
 * The tool's `execute` validates strictly and never throws for what can be expected: bad input and faults are `error`
 * results in readable words, an abort is an `aborted` result (C12). A bug in the body is thrown on.
 */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool {
  const { name, description, access, killable, input: schema } = definition
  return {
    name,
    description,
    access,
    killable,
    inputSchema: jsonSchemaOf(schema),
    async execute(input, context) {
      const parsed = schema.safeParse(input)
      if (!parsed.success) return failed(readableIssues(name, parsed.error))
      if (context.signal.aborted) return interrupted('The call was interrupted before it started.')
      try {
        return await definition.execute(parsed.data, context)
      } catch (error) {
        if (error instanceof ToolFault) return failed(error.message)
        if (context.signal.aborted) return interrupted('The call was interrupted before it ended. Nothing was changed.')
        throw error
      }
    },
  }
}

export function done(output: string, extra: Partial<Pick<ToolResult, 'truncated' | 'meta'>> = {}): ToolResult {
  return { status: 'ok', output, truncated: false, ...extra }
}

export function failed(output: string): ToolResult {
  return { status: 'error', output, truncated: false }
}

export function interrupted(output: string): ToolResult {
  return { status: 'aborted', output, truncated: false }
}

function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return rest
}

function readableIssues(name: string, error: z.ZodError): string {
  const lines = error.issues.slice(0, 10).map((issue) => {
    const where = issue.path.map(String).join('.')
    return `- ${where === '' ? '' : `${where}: `}${issue.message}`
  })
  return `The input of ${name} is not valid:\n${lines.join('\n')}`
}
