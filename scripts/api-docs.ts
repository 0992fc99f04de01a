/** `npm run api-docs`: writes docs/api.md from the route table and the event schemas. A test holds the file against them. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiDocument } from './api-document'

writeFileSync(join(import.meta.dirname, '../docs/api.md'), apiDocument())
