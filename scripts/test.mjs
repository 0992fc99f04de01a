/**
 * `npm test`: installs what is missing and runs everything; the last line is `N passed, N failed, N skipped`.
 * Each check (format, lint, types, rooms, unused) and the build count as one test. Fixed waits in tests are multiplied by
 * BELAY_TEST_SCALE: 0.1 here, 1 with `--long` (`npm run test:long`).
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { browserForTests } from './browser.mjs'
import { build } from './build.mjs'
import { installIfNeeded, requireNode } from './install.mjs'
import { fail, root, runNode } from './run.mjs'

requireNode()
const long = process.argv.includes('--long')
process.env.BELAY_TEST_SCALE ??= long ? '1' : '0.1'
process.env.NEXT_TELEMETRY_DISABLED = '1'
delete process.env.NODE_ENV
await installIfNeeded()

const bin = (name) => path.join(root, 'node_modules', name)
const biome = bin('@biomejs/biome/bin/biome')
const checks = {
  format: [[biome, 'format', '.']],
  lint: [
    [biome, 'lint', '.'],
    [bin('eslint/bin/eslint.js'), '.'],
  ],
  types: [[bin('typescript/bin/tsc'), '--noEmit']],
  rooms: [[bin('dependency-cruiser/bin/dependency-cruise.mjs'), ...roomArguments()]],
  unused: [[bin('knip/bin/knip.js')]],
}

const reports = mkdtempSync(path.join(tmpdir(), 'belay-test-'))
const sum = { passed: 0, failed: 0, skipped: 0 }
const failures = []

for (const [name, commands] of Object.entries(checks)) await one(name, () => all(commands))
await unitTests()
await one('build', build)
await browserTests()
rmSync(reports, { recursive: true, force: true })

if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exit(sum.failed > 0 ? 1 : 0)

/** Runs one thing that counts as one test. */
async function one(name, test) {
  console.log(`\n── ${name}`)
  if (await test()) sum.passed++
  else add(name, { passed: 0, failed: 1, skipped: 0 })
}

async function all(commands) {
  for (const command of commands) if ((await runNode(command)) !== 0) return false
  return true
}

async function unitTests() {
  console.log('\n── unit tests')
  const report = path.join(reports, 'vitest.json')
  const code = await runNode([
    bin('vitest/vitest.mjs'),
    'run',
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  const json = readReport(report)
  const counted = json && {
    passed: json.numPassedTests,
    failed: json.numFailedTests,
    skipped: json.numPendingTests + json.numTodoTests,
  }
  add('unit tests', honest(counted, code))
}

async function browserTests() {
  if (!hasJourneys()) return console.log('\n── browser tests: there are none yet')
  console.log('\n── browser tests')
  const browser = await browserForTests()
  if (!browser) fail('No Chromium could be found or installed: install one and name it in BELAY_CHROMIUM.')
  const report = path.join(reports, 'playwright.json')
  const code = await runNode([bin('@playwright/test/cli.js'), 'test', '--reporter=list,json'], {
    ...browser,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  })
  const stats = readReport(report)?.stats
  const counted = stats && { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
  add('browser tests', honest(counted, code))
}

/** A run that ended badly without a failed test (a crash, a file that does not load) is one failure, never a green sum. */
function honest(counted, code) {
  const result = counted ?? { passed: 0, failed: 0, skipped: 0 }
  const silent = result.failed === 0 && (code !== 0 || !counted || result.passed === 0)
  return silent ? { ...result, failed: 1 } : result
}

function add(name, { passed, failed, skipped }) {
  sum.passed += passed
  sum.failed += failed
  sum.skipped += skipped
  if (failed > 0) failures.push(name)
}

function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function hasJourneys() {
  const folder = path.join(root, 'e2e')
  return (
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((file) => /\.(spec|e2e)\.ts$/.test(String(file)))
  )
}

/** The same folders as `npm run rooms`: package.json is where they are named. */
function roomArguments() {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return scripts.rooms.split(' ').slice(1)
}
