/** Which tools there are, what they say about themselves, and who is offered which. */
import { expect, it } from 'vitest'
import { createTools } from '@/server/tools/registry'
import { givenTools } from './given-tools'

const offered = (approvalMode: 'ask' | 'accept-edits' | 'full-access') =>
  createTools().offered({ workspace: '/', approvalMode })

it('T2: offers by mode what needs no question: reads, then edits, then commands', () => {
  const names = (mode: Parameters<typeof offered>[0]) => offered(mode).map((tool) => tool.name)
  const reading = ['read_file', 'list_files', 'search_files', 'update_plan']
  expect(names('ask')).toEqual(reading)
  expect(names('accept-edits')).toEqual([...reading, 'write_file', 'edit_file'])
  expect(names('full-access')).toEqual([...reading, 'write_file', 'edit_file', 'run_command'])
})

it('T2: describes exactly the inputs of the contract', () => {
  const inputs = offered('full-access').map((tool) => {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
    const { properties, required = [] } = tool.inputSchema as { properties: object; required?: string[] }
    const isRequired = new Set(required)
    return [tool.name, Object.keys(properties).map((key) => (isRequired.has(key) ? key : `${key}?`))]
  })
  expect(Object.fromEntries(inputs)).toEqual({
    read_file: ['path', 'offset?', 'limit?'],
    list_files: ['pattern?', 'path?'],
    search_files: ['pattern', 'path?', 'glob?'],
    update_plan: ['items'],
    write_file: ['path', 'content'],
    edit_file: ['path', 'old_text', 'new_text', 'all?'],
    run_command: ['command', 'timeout_seconds?'],
  })
})

it('T2: reads may run in parallel, writes and commands are exclusive, and only a command can be killed', () => {
  const facts = offered('full-access').map(({ name, access, killable }) => [name, access, killable])
  expect(facts).toEqual([
    ['read_file', 'read', false],
    ['list_files', 'read', false],
    ['search_files', 'read', false],
    ['update_plan', 'read', false],
    ['write_file', 'write', false],
    ['edit_file', 'write', false],
    ['run_command', 'write', true],
  ])
})

it('T2: every tool answers bad input with a readable error that names the place', async () => {
  const { call } = givenTools()
  for (const tool of offered('full-access')) {
    const result = await call(tool.name, { nonsense: 1 })
    expect(result.status).toBe('error')
    expect(result.output).toContain(`The input of ${tool.name} is not valid:`)
    expect(result.output).toContain('nonsense')
  }
  const nested = await call('update_plan', { items: [{ text: 'a', status: 'later' }] })
  expect(nested.output).toMatch(/- items\.0\.status: /)
})

it('T1: a tool whose signal is aborted already does nothing', async () => {
  const { begin, put, content } = givenTools()
  put('a.txt', 'old')
  const call = begin('update_plan', { items: [] })
  expect((await call.result).status).toBe('ok')
  const tool = offered('full-access').find(({ name }) => name === 'write_file')
  const aborted = AbortSignal.abort()
  const result = await tool?.execute(
    { path: 'a.txt', content: 'new' },
    { ...({} as Parameters<typeof tool.execute>[1]), signal: aborted, forceSignal: aborted },
  )
  expect(result).toMatchObject({ status: 'aborted', output: expect.stringContaining('interrupted') })
  expect(content('a.txt')).toBe('old')
})

it('T2: update_plan records the plan as a fact and sums it up', async () => {
  const { begin } = givenTools()
  const items = [
    { text: 'look', status: 'done' },
    { text: 'leap', status: 'in-progress' },
  ]
  const call = begin('update_plan', { items })
  expect((await call.result).output).toBe('The plan is shown: 1 of 2 done.')
  expect(call.recorded).toEqual([{ type: 'plan.updated', data: { items } }])
})
