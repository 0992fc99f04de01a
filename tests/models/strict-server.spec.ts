import { describe, expect, it } from 'vitest'
import { checkAnthropic } from '../support/model-server/strict-anthropic'
import { checkChat } from '../support/model-server/strict-chat'
import { checkGoogle } from '../support/model-server/strict-google'
import { checkResponses } from '../support/model-server/strict-responses'

const signed = new Map([['sig', 'a thought']])

describe('C13: the strict doubles refuse what a strict provider refuses', () => {
  const text = (value: string) => [{ type: 'text', text: value }]
  const use = { type: 'tool_use', id: 'c1', name: 'look', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'c1', content: 'x' }
  const user = { role: 'user', content: text('hi') }
  const anthropic: [string, unknown[]][] = [
    ['an unanswered call', [user, { role: 'assistant', content: [use] }, user]],
    ['an answer nobody asked for', [{ role: 'user', content: [result] }]],
    [
      'a result behind a text',
      [user, { role: 'assistant', content: [use] }, { role: 'user', content: [...text('a'), result] }],
    ],
    ['two of a role', [user, user]],
    ['the assistant first', [{ role: 'assistant', content: text('a') }, user]],
    ['the assistant last', [user, { role: 'assistant', content: text('a') }]],
    ['an empty message', [{ role: 'user', content: [] }]],
    ['a blank text', [{ role: 'user', content: text(' ') }]],
    [
      'an unsigned thought',
      [user, { role: 'assistant', content: [{ type: 'thinking', thinking: 'a thought' }, ...text('a')] }, user],
    ],
    [
      'an odd call id',
      [
        user,
        { role: 'assistant', content: [{ ...use, id: 'c/1' }] },
        { role: 'user', content: [{ ...result, tool_use_id: 'c/1' }] },
      ],
    ],
  ]
  it.each(anthropic)('C13: Anthropic refuses %s', (_name, messages) => {
    expect(checkAnthropic({ max_tokens: 1, messages }, signed)).toBeTypeOf('string')
  })
  it('C13: Anthropic takes a valid conversation, and only with max_tokens', () => {
    const thinking = { type: 'thinking', thinking: 'a thought', signature: 'sig' }
    const messages = [
      user,
      { role: 'assistant', content: [thinking, use] },
      { role: 'user', content: [result, ...text('go')] },
    ]
    expect(checkAnthropic({ max_tokens: 1, messages }, signed)).toBeUndefined()
    expect(checkAnthropic({ messages }, signed)).toBeTypeOf('string')
  })

  const asks = { role: 'user', content: 'hi' }
  const calls = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
  }
  const tool = { role: 'tool', tool_call_id: 'c1', content: 'x' }
  const chat: [string, unknown[]][] = [
    ['an unanswered call', [asks, calls, asks]],
    ['an unanswered call at the end', [asks, calls]],
    ['an answer nobody asked for', [asks, tool]],
    ['two user messages', [asks, asks]],
    ['an empty reply', [asks, { role: 'assistant', content: '' }, asks]],
    ['a blank question', [{ role: 'user', content: ' ' }]],
    ['the assistant last', [asks, { role: 'assistant', content: 'a' }]],
    ['broken arguments', [asks, { ...calls, tool_calls: [{ id: 'c1', function: { arguments: '{"a' } }] }, tool]],
  ]
  it.each(chat)('C13: chat completions refuse %s', (_name, messages) => {
    expect(checkChat({ messages })).toBeTypeOf('string')
  })
  it('C13: chat completions take a valid conversation', () => {
    expect(
      checkChat({
        messages: [{ role: 'system', content: 'be' }, asks, calls, tool, { role: 'assistant', content: 'a' }, asks],
      }),
    ).toBeUndefined()
  })

  const question = { role: 'user', content: [{ type: 'input_text', text: 'hi' }] }
  const functionCall = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' }
  const output = { type: 'function_call_output', call_id: 'c1', output: 'x' }
  const responses: [string, unknown[]][] = [
    ['an unanswered call', [question, functionCall]],
    ['an answer nobody asked for', [question, output]],
    ['a thought it does not hold', [question, { type: 'reasoning', summary: [] }, question]],
    ['a reference to what was not stored', [question, { type: 'item_reference', id: 'x' }]],
    ['an empty message', [{ role: 'user', content: [] }]],
    ['two user messages', [question, question]],
    ['nothing', []],
  ]
  it.each(responses)('C13: Responses refuse %s', (_name, input) => {
    expect(checkResponses({ input })).toBeTypeOf('string')
  })
  it('C13: Responses take a valid conversation', () => {
    expect(checkResponses({ input: [question, functionCall, output, question] })).toBeUndefined()
  })

  const said = { role: 'user', parts: [{ text: 'hi' }] }
  const model = { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] }
  const response = { role: 'user', parts: [{ functionResponse: { name: 'look', response: {} } }] }
  const google: [string, unknown[]][] = [
    ['an unanswered call', [said, model, said]],
    ['an answer nobody asked for', [response]],
    ['two of a role', [said, said]],
    ['an empty content', [{ role: 'user', parts: [] }]],
    ['a blank text', [{ role: 'user', parts: [{ text: '' }] }]],
    ['an unsigned thought', [said, { role: 'model', parts: [{ text: 'a thought', thought: true }] }, said]],
    [
      'an altered thought',
      [said, { role: 'model', parts: [{ text: 'another', thought: true, thoughtSignature: 'sig' }] }, said],
    ],
  ]
  it.each(google)('C13: Google refuses %s', (_name, contents) => {
    expect(checkGoogle({ contents }, signed)).toBeTypeOf('string')
  })
  it('C13: Google takes a valid conversation', () => {
    expect(checkGoogle({ contents: [said, model, response, said] }, signed)).toBeUndefined()
  })
})
