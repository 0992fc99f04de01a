import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { apiDocument } from '@/scripts/api-document'

it('docs/api.md says what the contract says (run `npm run api-docs`)', () => {
  expect(readFileSync(join(import.meta.dirname, '../../docs/api.md'), 'utf8')).toBe(apiDocument())
})
