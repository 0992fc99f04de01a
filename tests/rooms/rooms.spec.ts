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

describe('the one-way rule', () => {
  it('lets the allowed imports through', async () => {
    expect(await violated()).toEqual([])
  })

  const planted: [string, string, string, string][] = [
    [
      'the contract imports the runtime',
      'lib/contract/bad.ts',
      "import '@/server/runtime/heart'\n",
      'room-lib-contract',
    ],
    ['the runtime imports the store', 'server/runtime/bad.ts', "import '@/server/store/disk'\n", 'room-server-runtime'],
    ['a component imports the server', 'components/bad.tsx', "import '@/server/runtime/heart'\n", 'room-components'],
    [
      'a component reads the container',
      'components/bad.tsx',
      "import '@/server/container'\n",
      'only-app-and-cli-read-the-container',
    ],
    ['somebody imports app', 'server/store/bad.ts', "import '@/app/page'\n", 'nobody-imports-app'],
    ['lib uses a Node built-in', 'lib/contract/bad.ts', "import 'node:fs'\n", 'lib-runs-anywhere'],
    ['lib uses React', 'lib/contract/bad.ts', "import 'react'\n", 'lib-without-react'],
  ]
  it.each(planted)('fires when %s', async (_name, file, source, rule) => {
    plant(file, source)
    try {
      expect(await violated()).toContain(rule)
    } finally {
      rmSync(join(folder, file))
    }
  })

  it('fires on a cycle', async () => {
    plant('server/runtime/a.ts', "import './b'\n")
    plant('server/runtime/b.ts', "import './a'\n")
    try {
      expect(await violated()).toContain('no-cycles')
    } finally {
      rmSync(join(folder, 'server/runtime/a.ts'))
      rmSync(join(folder, 'server/runtime/b.ts'))
    }
  })
})

function plant(file: string, source: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), source)
}

/** The names of the rules that the planted rooms break. */
async function violated(): Promise<string[]> {
  const cruiser = join(project, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const rooms = ['app', 'components', 'lib', 'server']
  const args = [cruiser, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...rooms]
  const run = promisify(execFile)(process.execPath, args, { cwd: folder, maxBuffer: 1 << 26 })
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  const report = JSON.parse(stdout) as { summary: { violations: { rule: { name: string } }[] } }
  return report.summary.violations.map((violation) => violation.rule.name)
}
