/** `read_file`, `write_file` and `edit_file` on real files. */
import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { givenTools } from './given-tools'

/** The superuser may do everything, so the work is done as nobody where the tests run as root. */
async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work()
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

describe('read_file', () => {
  it('T2: gives a whole text as it is, without byte-order mark and with plain line ends', async () => {
    const { call, put } = givenTools()
    put('a.txt', '\ufeffone\r\ntwo\r\n\r\nfour')
    expect(await call('read_file', { path: 'a.txt' })).toEqual({
      status: 'ok',
      output: 'one\ntwo\n\nfour',
      truncated: false,
    })
  })

  it('T2: reads lines from an offset and says which they are', async () => {
    const { call, put } = givenTools()
    put('a.txt', Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join(''))
    const result = await call('read_file', { path: 'a.txt', offset: 3, limit: 2 })
    expect(result).toEqual({ status: 'ok', output: '[lines 3 to 4 of 10]\nline 3\nline 4', truncated: true })
    expect((await call('read_file', { path: 'a.txt', offset: 10 })).output).toBe('[lines 10 to 10 of 10]\nline 10')
    expect(await call('read_file', { path: 'a.txt', offset: 11 })).toMatchObject({
      status: 'error',
      output: 'Line 11 is past the end: "a.txt" has 10 lines.',
    })
  })

  it('T2: bounds lines, characters and the width of a line', async () => {
    const { call, put } = givenTools()
    put('many.txt', 'x\n'.repeat(5000))
    expect((await call('read_file', { path: 'many.txt' })).output).toMatch(/^\[lines 1 to 2000 of 5000\]\nx\n/)
    put('wide.txt', `${'🧗'.repeat(5000)}\nend`)
    const wide = (await call('read_file', { path: 'wide.txt' })).output.split('\n')
    expect(wide[0]).toBe('[lines 1 to 2 of 2; 1 line cut to 2000 characters]')
    expect(wide[1]).toBe(`${'🧗'.repeat(1000)}…`)
    put('both.txt', `${'y'.repeat(1999)}\n`.repeat(100))
    const both = await call('read_file', { path: 'both.txt' })
    expect(both.output).toMatch(/^\[lines 1 to 32 of 100\]/)
    expect(both.output.length).toBeLessThan(66_000)
  })

  it('T2: refuses what is no text file in readable words', async () => {
    const { call, put } = givenTools()
    put('binary', Buffer.from([80, 75, 0, 1]))
    put('huge', Buffer.alloc(10 * 1024 * 1024 + 1, 'x'))
    put('folder/file')
    await call('run_command', { command: 'mkfifo pipe' })
    const said = async (path: string) => (await call('read_file', { path })).output
    expect(await said('binary')).toBe('"binary" is a binary file and cannot be shown as text.')
    expect(await said('huge')).toBe('"huge" is too large: 10.0 MiB, the limit is 10.0 MiB.')
    expect(await said('folder')).toBe('"folder" is a folder, not a file.')
    expect(await said('.')).toBe('"." is a folder, not a file.')
    expect(await said('pipe')).toBe('"pipe" is not a regular file.')
    expect(await said('missing')).toBe('"missing" does not exist.')
    expect(await said('binary/below')).toMatch(/^"binary\/below" goes through something that is not a folder\.$/)
    put('empty')
    expect(await call('read_file', { path: 'empty' })).toMatchObject({ status: 'ok', output: '[the file is empty]' })
  })

  it('T2: reads run in parallel', async () => {
    const { call, put } = givenTools()
    for (let i = 0; i < 100; i++) put(`d/${i}`, `content ${i}`)
    const results = await Promise.all(Array.from({ length: 100 }, (_, i) => call('read_file', { path: `d/${i}` })))
    expect(results.map((result) => result.output)).toEqual(Array.from({ length: 100 }, (_, i) => `content ${i}`))
  })

  it('T1: an abort in the middle of a read is an aborted result', async () => {
    const { begin, put } = givenTools()
    put('big', Buffer.alloc(9 * 1024 * 1024, 'x'))
    const call = begin('read_file', { path: 'big' })
    call.abort()
    expect(await call.result).toMatchObject({ status: 'aborted', output: expect.stringContaining('interrupted') })
  })
})

describe('write_file', () => {
  it('T2: creates files and folders, replaces whole files, and tells what changed', async () => {
    const { call, content } = givenTools()
    const created = await call('write_file', { path: 'a/b/c.txt', content: 'one\ntwo\n' })
    expect(created).toMatchObject({ status: 'ok', output: 'Created a/b/c.txt (+2 −0 lines).', meta: { created: true } })
    const replaced = await call('write_file', { path: 'a/b/c.txt', content: 'one\n2\n' })
    expect(replaced.output).toBe('Replaced a/b/c.txt (+1 −1 lines).')
    expect(replaced.meta).toEqual({
      path: 'a/b/c.txt',
      added: 1,
      removed: 1,
      patch: '@@ -1,2 +1,2 @@\n one\n-two\n+2',
      created: false,
    })
    expect(content('a/b/c.txt')).toBe('one\n2\n')
  })

  it('T2: keeps the mode of a file and leaves no temporary file', async () => {
    const { call, put, workspace } = givenTools()
    put('run.sh', 'old')
    chmodSync(join(workspace, 'run.sh'), 0o751)
    await call('write_file', { path: 'run.sh', content: 'new' })
    expect(statSync(join(workspace, 'run.sh')).mode & 0o777).toBe(0o751)
    expect(readdirSync(workspace)).toEqual(['run.sh'])
  })

  it('T2: refuses folders and pipes', async () => {
    const { call, put } = givenTools()
    put('folder/file', 'x')
    await call('run_command', { command: 'mkfifo pipe' })
    const said = async (path: string) => (await call('write_file', { path, content: '' })).output
    expect(await said('folder')).toBe('"folder" is a folder, not a file.')
    expect(await said('pipe')).toBe('"pipe" is not a regular file.')
    expect(await said('folder/file/below')).toMatch(/not a folder/)
  })

  it('T2: says that a file may not be read or written', async () => {
    const { call, put, outside, workspace } = givenTools()
    put('locked', 'x')
    chmodSync(join(workspace, 'locked'), 0o000)
    chmodSync(outside, 0o755)
    chmodSync(workspace, 0o777)
    const results = await asOrdinaryUser(async () => [
      await call('read_file', { path: 'locked' }),
      await call('write_file', { path: 'locked', content: '' }),
      await call('edit_file', { path: 'locked', old_text: 'x', new_text: 'y' }),
    ])
    for (const result of results) {
      expect(result).toMatchObject({ status: 'error', output: '"locked" may not be accessed: no permission.' })
    }
  })

  it('T1: an abort before the rename leaves the old content and no trace', async () => {
    const { begin, put, content, workspace } = givenTools()
    put('a.txt', 'old')
    const call = begin('write_file', { path: 'a.txt', content: 'new'.repeat(1_000_000) })
    call.abort()
    expect(await call.result).toMatchObject({ status: 'aborted', output: expect.stringContaining('interrupted') })
    expect(content('a.txt')).toBe('old')
    expect(readdirSync(workspace)).toEqual(['a.txt'])
  })

  it('T1: an abort at any moment leaves the old text or the new one, never a mixture, and the result is true', async () => {
    const fresh = 'new'.repeat(300_000)
    const seen = new Set<string>()
    for (let moments = 0; moments < 40; moments++) {
      const { begin, put, content, workspace } = givenTools()
      put('a.txt', 'old')
      const call = begin('write_file', { path: 'a.txt', content: fresh })
      for (let i = 0; i < moments * 3; i++) await setImmediate()
      call.abort()
      const { status } = await call.result
      expect(content('a.txt') === (status === 'ok' ? fresh : 'old')).toBe(true)
      expect(readdirSync(workspace)).toEqual(['a.txt'])
      seen.add(status)
    }
    expect(seen.has('aborted')).toBe(true)
  })
})

describe('edit_file', () => {
  it('T2: replaces a text that occurs once and shows the change', async () => {
    const { call, put, content } = givenTools()
    put('a.ts', 'a\nb\nc\nd\ne\nf\ng\nh\n')
    const result = await call('edit_file', { path: 'a.ts', old_text: 'd\ne', new_text: 'D\nE\nE2' })
    expect(result.output).toBe('Edited a.ts (+3 −2 lines).')
    expect(result.meta).toEqual({
      path: 'a.ts',
      added: 3,
      removed: 2,
      replacements: 1,
      patch: '@@ -1,8 +1,9 @@\n a\n b\n c\n-d\n-e\n+D\n+E\n+E2\n f\n g\n h',
    })
    expect(content('a.ts')).toBe('a\nb\nc\nD\nE\nE2\nf\ng\nh\n')
  })

  it('T2: changes nothing when the text occurs not at all or too often, and says how often', async () => {
    const { call, put, content } = givenTools()
    put('a.ts', '  x = 1\n  x = 1\n')
    const often = await call('edit_file', { path: 'a.ts', old_text: 'x = 1', new_text: 'y' })
    expect(often).toMatchObject({ status: 'error', output: expect.stringContaining('occurs 2 times') })
    const never = await call('edit_file', { path: 'a.ts', old_text: 'z', new_text: 'y' })
    expect(never).toMatchObject({ status: 'error', output: expect.stringContaining('occurs 0 times') })
    const nearly = await call('edit_file', { path: 'a.ts', old_text: 'x = 1\nx = 1', new_text: 'y' })
    expect(nearly.output).toContain('white space')
    const same = await call('edit_file', { path: 'a.ts', old_text: 'x', new_text: 'x' })
    expect(same).toMatchObject({ status: 'error', output: expect.stringContaining('the same') })
    expect(content('a.ts')).toBe('  x = 1\n  x = 1\n')
  })

  it('T2: replaces every occurrence when asked, with nothing special about the texts', async () => {
    const { call, put, content } = givenTools()
    put('a.ts', 'a.b a.b axb')
    const result = await call('edit_file', { path: 'a.ts', old_text: 'a.b', new_text: '$&$1', all: true })
    expect(result.output).toBe('Edited a.ts (+1 −1 lines, 2 replacements).')
    expect(content('a.ts')).toBe('$&$1 $&$1 axb')
  })

  it('T2: keeps a byte-order mark and Windows line ends', async () => {
    const { call, put, content } = givenTools()
    put('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n')
    expect((await call('edit_file', { path: 'a.txt', old_text: 'one\ntwo', new_text: '1\n2' })).status).toBe('ok')
    expect(content('a.txt')).toBe('\ufeff1\r\n2\r\nthree\r\n')
  })

  it('T2: refuses to edit what it could not write back', async () => {
    const { call, put } = givenTools()
    put('latin1', Buffer.from([0x61, 0xe9, 0x62]))
    put('binary', Buffer.from([0x61, 0x00]))
    const said = async (path: string) => (await call('edit_file', { path, old_text: 'a', new_text: 'b' })).output
    expect(await said('latin1')).toBe('"latin1" is not UTF-8 text and cannot be edited without damage.')
    expect(await said('binary')).toBe('"binary" is a binary file and cannot be edited as text.')
  })

  it('T2: edits a very large file truly and says so, without figures that would be wrong', async () => {
    const { call, content, put } = givenTools()
    put(
      'big.csv',
      Array.from({ length: 150_000 }, (_unused, n) => (n % 300 === 0 ? `foo,${n}` : `row,${n}`)).join('\n'),
    )
    const edited = await call('edit_file', { path: 'big.csv', old_text: 'foo,', new_text: 'bar,', all: true })
    expect(edited).toMatchObject({ status: 'ok', output: expect.stringContaining('500 replacements') })
    expect(content('big.csv').match(/bar,/g)).toHaveLength(500)
    const written = await call('write_file', { path: 'big.csv', content: 'new\n' })
    expect(written).toMatchObject({ status: 'ok', output: 'Replaced big.csv.' })
  })

  it('shows several changes as hunks and bounds the patch', async () => {
    const { call, put } = givenTools()
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`)
    put('a.txt', lines.join('\n'))
    const two = await call('write_file', {
      path: 'a.txt',
      content: lines.with(5, 'five').toSpliced(30, 1).join('\n'),
    })
    expect(two.meta).toMatchObject({ added: 1, removed: 2 })
    expect(String(two.meta?.patch).match(/^@@.*@@$/gm)).toEqual(['@@ -3,7 +3,7 @@', '@@ -28,7 +28,6 @@'])
    const huge = await call('write_file', { path: 'a.txt', content: 'new line\n'.repeat(3000) })
    expect(huge.meta).toMatchObject({ added: 3000, removed: 39 })
    expect(String(huge.meta?.patch).length).toBeLessThan(8200)
    expect(huge.meta?.patch).toMatch(/\[… \d+ more lines of the patch left out …\]$/)
  })
})
