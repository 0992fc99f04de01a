import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

it('W12: docs/security.md says for whom Belay is built and what a server for several people must revisit', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8')
  expect(text).toMatch(/Trust model: one person, one machine/)
  expect(text).toMatch(/a server for several people must revisit/i)
})
