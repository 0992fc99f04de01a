/** The one-way rule must fire: forbidden imports are planted in a copy of the rooms and dependency-cruiser is asked. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = join(import.meta.dirname, '../..')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-rooms-'))
  for (const name of ['.dependency-cruiser.cjs', 'tsconfig.json', 'package.json'])
    cpSync(join(project, name), join(folder, name))
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  plant('lib/contract/fact.ts', 'export const fact = 1\n')
  plant('server/runtime/heart.ts', "import { fact } from '@/lib/contract/fact'\nexport const heart = fact\n")
  plant('server/store/disk.ts', "import { heart } from '@/server/runtime/heart'\nexport const disk = heart\n")
  plant('server/container.ts', "import { disk } from './store/disk'\nexport const container = disk\n")
  plant('components/panel.tsx', 'export const panel = 1\n')
  plant(
    'app/page.tsx',
    "import { container } from '@/server/container'\nexport default function Page() { return container }\n",
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is planted, where, and the rule that must fire there. */
const planted: readonly [name: string, file: string, source: string, rule: string][] = [
  ['the contract imports the runtime', 'lib/contract/bad.ts', "import '@/server/runtime/heart'\n", 'room-lib-contract'],
  ['the runtime imports the store', 'server/runtime/bad.ts', "import '@/server/store/disk'\n", 'room-server-runtime'],
  ['a component imports the server', 'components/bad.tsx', "import '@/server/runtime/heart'\n", 'room-components'],
  [
    'a component reads the container',
    'components/worse.tsx',
    "import '@/server/container'\n",
    'only-app-and-cli-read-the-container',
  ],
  ['somebody imports app', 'server/store/bad.ts', "import '@/app/page'\n", 'nobody-imports-app'],
  ['lib uses a Node built-in', 'lib/contract/node.ts', "import 'node:fs'\n", 'lib-runs-anywhere'],
  ['lib uses React', 'lib/contract/react.ts', "import 'react'\n", 'lib-without-react'],
  ['two files import each other', 'server/runtime/a.ts', "import './b'\n", 'no-cycles'],
]

describe('the one-way rule', () => {
  let before: Violation[]
  let after: Violation[]
  beforeAll(async () => {
    before = await violations()
    for (const [, file, source] of planted) plant(file, source)
    plant('server/runtime/b.ts', "import './a'\n")
    after = await violations()
  }, 120_000)

  it('lets the allowed imports through', () => {
    expect(before).toEqual([])
  })

  it.each(planted)('fires when %s', (_name, file, _source, rule) => {
    expect(after.filter(({ from }) => from === file).map((violation) => violation.rule.name)).toContain(rule)
  })
})

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), source)
}

/** What dependency-cruiser holds against the planted rooms. */
async function violations(): Promise<Violation[]> {
  const cruiser = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const rooms = ['app', 'components', 'lib', 'server']
  const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...rooms]
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 })
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}
