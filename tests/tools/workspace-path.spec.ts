/** No file tool leaves the workspace, whatever path it is given. */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { givenTools } from './given-tools'

describe('staying inside the workspace', () => {
  const hostile: readonly [string, string][] = [
    ['the parent folder', '../secret.txt'],
    ['a way up and back', 'a/../../secret.txt'],
    ['an absolute path', '<outside>/secret.txt'],
    ['a link to a file outside', 'file-link'],
    ['a file below a link to a folder outside', 'folder-link/secret.txt'],
    ['a new file below a link to a folder outside', 'folder-link/new/file.txt'],
    ['a link that leads nowhere', 'broken-link'],
    ['a file below a link that leads nowhere', 'broken-link/file.txt'],
    ['a link to itself', 'circle'],
    ['a sibling whose name begins like the workspace', '../workspace-2/secret.txt'],
    ['a NUL', 'a\0b'],
    ['a line break', 'a\nb'],
    ['an escape', 'a\u001b[2Jb'],
    ['an overlong path', 'a/'.repeat(3000)],
    ['an overlong name', 'a'.repeat(300)],
    ['an empty path', ''],
  ]

  function givenTraps() {
    const tools = givenTools()
    writeFileSync(join(tools.outside, 'secret.txt'), 'secret')
    mkdirSync(join(tools.outside, 'workspace-2'))
    writeFileSync(join(tools.outside, 'workspace-2', 'secret.txt'), 'secret')
    symlinkSync('../secret.txt', join(tools.workspace, 'file-link'))
    symlinkSync('..', join(tools.workspace, 'folder-link'))
    symlinkSync('../nowhere', join(tools.workspace, 'broken-link'))
    symlinkSync('circle', join(tools.workspace, 'circle'))
    return tools
  }

  it.each(hostile)('T2: refuses %s in every tool, in readable words, and touches nothing', async (_what, given) => {
    const { call, outside } = givenTraps()
    const path = given.replace('<outside>', outside)
    const before = readdirSync(outside, { recursive: true }).sort()
    const results = await Promise.all([
      call('read_file', { path }),
      call('write_file', { path, content: 'overwritten' }),
      call('edit_file', { path, old_text: 'secret', new_text: 'changed' }),
      call('list_files', { path }),
      call('search_files', { path, pattern: 'secret' }),
    ])
    for (const { status, output } of results) {
      expect(status).toBe('error')
      expect(output).toMatch(/^\P{Cc}+\.$/u)
      expect(output).not.toMatch(/E[A-Z]{4,}|Error/)
    }
    expect(readdirSync(outside, { recursive: true }).sort()).toEqual(before)
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
  })

  it('T2: follows links that stay inside, and accepts absolute paths inside', async () => {
    const { call, put, content, workspace } = givenTools()
    put('real/file.txt', 'one')
    symlinkSync('real', join(workspace, 'folder'))
    symlinkSync('real/file.txt', join(workspace, 'link.txt'))
    expect((await call('read_file', { path: 'folder/file.txt' })).output).toBe('one')
    expect((await call('read_file', { path: join(workspace, 'real/file.txt') })).output).toBe('one')
    await call('write_file', { path: 'link.txt', content: 'two' })
    expect(content('real/file.txt')).toBe('two')
  })

  it('T2: says that the workspace is gone', async () => {
    const tools = givenTools()
    rmSync(tools.workspace, { recursive: true })
    for (const [name, input] of [
      ['read_file', { path: 'a' }],
      ['write_file', { path: 'a', content: '' }],
      ['run_command', { command: 'true' }],
    ] as const) {
      expect(await tools.call(name, input)).toMatchObject({
        status: 'error',
        output: expect.stringContaining('workspace'),
      })
    }
  })

  it('T2: never writes outside while a folder is being swapped for a link', async () => {
    const { call, begin, outside, workspace } = givenTools()
    mkdirSync(join(outside, 'target'))
    mkdirSync(join(workspace, 'swap'))
    const swapping = begin('run_command', {
      command: 'echo up; while :; do mv swap real; ln -s ../target swap; rm swap; mv real swap; done',
    })
    await swapping.hasShown('up')
    for (let i = 0; i < 100; i++) await call('write_file', { path: `swap/file-${i}`, content: 'x' })
    swapping.abort()
    await swapping.result
    expect(readdirSync(join(outside, 'target'))).toEqual([])
  })
})
