/** `list_files` and `search_files`, the latter with ripgrep and without. */

import { execFileSync } from 'node:child_process'
import { getEventListeners } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from '@/server/tools/run-command/command-environment'
import { givenTools } from './given-tools'

function givenProject(options: Parameters<typeof givenTools>[0] = {}) {
  const tools = givenTools(options)
  tools.put('README.md', 'Belay\nstop means stop\n')
  tools.put('src/agent.ts', 'export const stop = 1\r\nconst other = 2\r\n')
  tools.put('src/deep/turn.tsx', '// 取消\n')
  tools.put('src/deep/[id].ts', 'stop()\n')
  tools.put('.hidden/notes.md', 'stop here too\n')
  tools.put('node_modules/pkg/index.js', 'stop\n')
  tools.put('.git/config', 'stop\n')
  tools.put('image.png', Buffer.from('stop\0stop'))
  return tools
}

describe('list_files', () => {
  it('T2: lists the entries of a folder when no pattern is given', async () => {
    const { call } = givenProject()
    expect((await call('list_files', {})).output.split('\n')).toEqual([
      '.git/',
      '.hidden/',
      'README.md',
      'image.png',
      'node_modules/',
      'src/',
    ])
    expect((await call('list_files', { path: 'src' })).output.split('\n')).toEqual(['src/agent.ts', 'src/deep/'])
  })

  it.each([
    ['**/*.ts', ['src/agent.ts', 'src/deep/[id].ts']],
    ['**/*.{ts,tsx}', ['src/agent.ts', 'src/deep/[id].ts', 'src/deep/turn.tsx']],
    ['*.md', ['README.md']],
    ['**/*.md', ['.hidden/notes.md', 'README.md']],
    ['src/**', ['src/agent.ts', 'src/deep/[id].ts', 'src/deep/turn.tsx']],
    ['./src/*/t??n.tsx', ['src/deep/turn.tsx']],
    ['src/**/deep/**/[st]*', ['src/deep/turn.tsx']],
    ['src/deep/\\[id].ts', ['src/deep/[id].ts']],
    ['src/deep/[!t]*', ['src/deep/[id].ts']],
    ['{README.md,src/{agent,turn}.ts}', ['README.md', 'src/agent.ts']],
    ['nothing/**', ['[no files]']],
  ])('T2: finds the files of the glob %s', async (pattern, expected) => {
    const { call } = givenProject()
    expect((await call('list_files', { pattern })).output.split('\n')).toEqual(expected)
  })

  it('T2: applies the pattern below the path, and enters skipped folders only when started there', async () => {
    const { call } = givenProject()
    expect((await call('list_files', { path: 'src', pattern: '*' })).output).toBe('src/agent.ts')
    expect((await call('list_files', { path: 'node_modules', pattern: '**' })).output).toBe('node_modules/pkg/index.js')
  })

  it('T2: names links but does not follow them', async () => {
    const { call, workspace } = givenProject()
    symlinkSync('..', join(workspace, 'up'))
    expect((await call('list_files', { pattern: '*' })).output.split('\n')).toEqual(['README.md', 'image.png', 'up'])
    expect((await call('list_files', { pattern: 'up/**/*' })).output).toBe('[no files]')
  })

  it('T2: bounds the list and says so', async () => {
    const { call, put } = givenTools()
    for (let i = 0; i < 1001; i++) put(`d/${String(i).padStart(4, '0')}`)
    const result = await call('list_files', { pattern: 'd/*' })
    expect(result.truncated).toBe(true)
    expect(result.output.split('\n').slice(-2)).toEqual([
      'd/0999',
      '[only the first 1000; narrow the pattern or the path]',
    ])
  })

  it('T2: refuses a file and hopeless patterns in readable words', async () => {
    const { call } = givenProject()
    expect((await call('list_files', { path: 'README.md' })).output).toBe('"README.md" is a file, not a folder.')
    expect(await call('list_files', { pattern: '{a,b}'.repeat(12) })).toMatchObject({ status: 'error' })
    const start = performance.now()
    expect((await call('list_files', { pattern: `${'*a'.repeat(200)}*b` })).output).toBe('[no files]')
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('T1: an abort ends the walk', async () => {
    const { begin, put } = givenTools()
    for (let i = 0; i < 50; i++) put(`d${i}/f`)
    const call = begin('list_files', { pattern: '**' })
    call.abort()
    expect((await call.result).status).toBe('aborted')
  })
})

const ripgrep = findProgram('rg', process.env)
const ways: [string, string | null][] = [['without ripgrep', null]]
if (ripgrep !== undefined) ways.push(['with ripgrep', ripgrep])

describe.each(ways)('search_files %s', (_way, program) => {
  const given = () => givenProject({ ripgrep: program })
  const lines = async (input: object) => (await given().call('search_files', input)).output.split('\n')

  it('T2: gives path, line and text, sorted, without .git, node_modules and binary files', async () => {
    expect(await lines({ pattern: 'st[o]p' })).toEqual([
      '.hidden/notes.md:1: stop here too',
      'README.md:2: stop means stop',
      'src/agent.ts:1: export const stop = 1',
      'src/deep/[id].ts:1: stop()',
    ])
  })

  it('T2: narrows by path and by glob', async () => {
    expect(await lines({ pattern: 'stop', path: 'src' })).toEqual([
      'src/agent.ts:1: export const stop = 1',
      'src/deep/[id].ts:1: stop()',
    ])
    expect(await lines({ pattern: 'stop', path: 'README.md' })).toEqual(['README.md:2: stop means stop'])
    expect(await lines({ pattern: 'stop', glob: '*.md' })).toEqual([
      '.hidden/notes.md:1: stop here too',
      'README.md:2: stop means stop',
    ])
    expect(await lines({ pattern: 'stop', glob: 'src/*.ts' })).toEqual(['src/agent.ts:1: export const stop = 1'])
    expect(await lines({ pattern: 'stop', path: 'src', glob: '**/deep/*.{ts,js}' })).toEqual([
      'src/deep/[id].ts:1: stop()',
    ])
    expect(await lines({ pattern: 'stop', path: 'node_modules' })).toEqual(['node_modules/pkg/index.js:1: stop'])
  })

  it('T2: finds text in any language, patterns that begin with a dash, and ends of Windows lines', async () => {
    expect(await lines({ pattern: '取消' })).toEqual(['src/deep/turn.tsx:1: // 取消'])
    expect(await lines({ pattern: '-e' })).toEqual(['[no match]'])
    expect(await lines({ pattern: '= 2' })).toEqual(['src/agent.ts:2: const other = 2'])
  })

  it('T2: says that a pattern is not valid', async () => {
    expect(await given().call('search_files', { pattern: '(' })).toMatchObject({
      status: 'error',
      output: expect.stringMatching(/^The pattern is not a valid regular expression: /),
    })
  })

  it('T2: leaves out what .gitignore names', async () => {
    const { put, call } = given()
    put('.gitignore', '# built\ndist/\n*.log\n/only-here.txt\n!keep.log\n')
    put('dist/out.js', 'needle')
    put('src/x.log', 'needle')
    put('src/keep.log', 'needle')
    put('only-here.txt', 'needle')
    put('src/only-here.txt', 'needle')
    put('src/deep/.gitignore', 'local.txt\n')
    put('src/deep/local.txt', 'needle')
    put('local.txt', 'needle')
    const found = async (input: object) =>
      (await call('search_files', { pattern: 'needle', ...input })).output.split('\n')
    expect(await found({})).toEqual(['local.txt:1: needle', 'src/keep.log:1: needle', 'src/only-here.txt:1: needle'])
    expect(await found({ path: 'dist' })).toEqual(['dist/out.js:1: needle'])
    expect(await found({ glob: '*.log' })).toEqual(['src/keep.log:1: needle', 'src/x.log:1: needle'])
  })

  it('T2: bounds the number of matches and the width of a line', async () => {
    const { put, call } = given()
    put('many.txt', 'needle\n'.repeat(500))
    const many = await call('search_files', { pattern: 'needle' })
    expect(many.truncated).toBe(true)
    expect(many.output.split('\n')).toHaveLength(201)
    expect(many.output).toMatch(/\[only the first 200; narrow the pattern, the path or the glob\]$/)
    put('wide.txt', `thread ${'x'.repeat(3_000_000)}`)
    expect((await call('search_files', { pattern: 'thread' })).output).toBe(`wide.txt:1: thread ${'x'.repeat(393)}…`)
  })

  it('T1: an abort ends the search and leaves no listener', async () => {
    const { begin, put } = given()
    for (let i = 0; i < 50; i++) put(`d${i}/f`, 'needle\n')
    const call = begin('search_files', { pattern: 'needle' })
    call.abort()
    expect((await call.result).status).toBe('aborted')
    expect(getEventListeners(call.signal, 'abort')).toEqual([])
  })
})

it('T2: a pattern that backtracks without end is given up in readable words, and the server goes on', async () => {
  const { put, call } = givenTools({ ripgrep: null })
  put('a.txt', `${'a'.repeat(60)}b`)
  const start = performance.now()
  expect(await call('search_files', { pattern: '^(a+)+$' })).toMatchObject({
    status: 'error',
    output: expect.stringContaining('too long'),
  })
  expect(performance.now() - start).toBeLessThan(2000)
})

it('T2: searches plainly when the ripgrep that was named cannot be started', async () => {
  const { put, call } = givenTools({ ripgrep: '/nowhere/rg' })
  put('a.txt', 'needle')
  expect((await call('search_files', { pattern: 'needle' })).output).toBe('a.txt:1: needle')
})

it('T2: search_files does not wait at a named pipe', async () => {
  const { call, workspace } = givenTools()
  execFileSync('mkfifo', [join(workspace, 'fifo')])
  expect(await call('search_files', { pattern: 'x', path: 'fifo' })).toMatchObject({
    status: 'error',
    output: '"fifo" is neither a folder nor a regular file.',
  })
})
