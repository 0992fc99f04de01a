import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendText,
  closeText,
  codeOf,
  emptyText,
  type FlowText,
  textOf,
  wholeText,
} from '@/lib/projection/transcript-text'

function inPieces(pieces: readonly string[]): FlowText {
  return pieces.reduce(appendText, emptyText)
}

describe('text that grows', () => {
  it('U9: loses and doubles nothing, however the text is cut into pieces', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.constantFrom(
        '\n',
        '\n\n',
        '```ts\n',
        '```\n',
        '~~~\n',
        '- item\n',
        '  ',
        '| a | b |\n',
        'word '.repeat(300),
        '你好'.repeat(900),
        '😀'.repeat(2100),
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const flow = inPieces(pieces)
        expect(textOf(flow)).toBe(pieces.join(''))
        expect(flow.length).toBe(pieces.join('').length)
      }),
    )
  })

  it('U9: leaves every finished chunk the same object when more text comes', () => {
    const paragraph = `${'A sentence of some length. '.repeat(40)}\n\n`
    const before = inPieces([paragraph, paragraph, paragraph, 'The tail'])
    const after = appendText(before, ' grows')
    expect(before.chunks.length).toBeGreaterThan(2)
    expect(after.chunks.slice(0, -1)).toEqual(before.chunks.slice(0, -1))
    for (const [at, chunk] of before.chunks.slice(0, -1).entries()) expect(after.chunks[at]).toBe(chunk)
  })

  it('U9: keeps the open chunk short in a text without a single break, so that the pace holds', () => {
    let flow = emptyText
    for (let at = 0; at < 20_000; at += 1) flow = appendText(flow, 'word ')
    expect(Math.max(...flow.chunks.map((chunk) => chunk.raw.length))).toBeLessThan(4_100)
    expect(textOf(flow)).toBe('word '.repeat(20_000))
  })

  it('never cuts a code point in two', () => {
    const flow = wholeText('😀'.repeat(10_000))
    for (const chunk of flow.chunks) expect(encodeURIComponent(chunk.raw)).toBeTruthy()
  })

  it('makes a code block a chunk of its own and shows it without its fences', () => {
    const flow = wholeText('Before.\n\n```ts\nconst a = 1\n```\nAfter.')
    expect(flow.chunks.map((chunk) => chunk.kind)).toEqual(['prose', 'code', 'prose'])
    const code = flow.chunks[1]
    expect(code && codeOf(code)).toBe('const a = 1')
    expect(code?.lang).toBe('ts')
  })

  it('holds back a line that may become the closing fence', () => {
    const open = inPieces(['```\nx = 1\n', '```'])
    const [chunk] = open.chunks
    expect(chunk && codeOf(chunk)).toBe('x = 1')
    expect(textOf(closeText(open))).toBe('```\nx = 1\n```')
  })

  it('cuts a very long code block into pieces that together are the block', () => {
    const lines = Array.from({ length: 400 }, (_, at) => `line ${at}`)
    const flow = wholeText(`\`\`\`\n${lines.join('\n')}\n\`\`\`\n`)
    const code = flow.chunks.filter((chunk) => chunk.kind === 'code')
    expect(code.length).toBeGreaterThan(4)
    expect(code.map(codeOf).join('\n')).toBe(lines.join('\n'))
    expect(code.map((chunk) => [chunk.first, chunk.last])).toEqual(
      code.map((_, at) => [at === 0, at === code.length - 1]),
    )
  })

  it('does not tear a list or a table apart at its blank lines', () => {
    const items = Array.from({ length: 60 }, (_, at) => `${at + 1}. item number ${at + 1} of the list`).join('\n\n')
    expect(wholeText(items).chunks).toHaveLength(1)
  })
})
