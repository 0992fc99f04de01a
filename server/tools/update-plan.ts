/** `update_plan`: the agent's own list of what it is going to do, for the person to see. */
import { z } from 'zod'
import type { Tool } from '@/server/runtime/ports'
import { defineTool, done } from './define-tool'

/** Changes nothing but the log, so it counts as a read and may run beside other reads. Each call replaces the whole plan. */
export const updatePlanTool: Tool = defineTool({
  name: 'update_plan',
  description:
    'Shows the person your plan. Each call replaces the whole list. Keep it short, at most one item `in-progress`, and update it as you go.',
  access: 'read',
  killable: false,
  input: z.strictObject({
    items: z
      .array(z.strictObject({ text: z.string().min(1).max(500), status: z.enum(['pending', 'in-progress', 'done']) }))
      .max(100),
  }),
  async execute({ items }, context) {
    context.record({ type: 'plan.updated', data: { items } })
    const finished = items.filter((item) => item.status === 'done').length
    return done(`The plan is shown: ${finished} of ${items.length} done.`)
  },
})
