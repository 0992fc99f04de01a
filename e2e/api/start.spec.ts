/** Starting: what the start script prints and opens, and what it says when it cannot start (R1, R2, L7). */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect } from '@playwright/test'
import { ask } from '../support/http'
import { test } from '../support/own-belay'
import { Belay, projectRoot } from '../support/server'
import { fileOf, tamper } from '../support/stored'
import { outcomesIn } from '../support/turns'

/** `npm start` without npm: the script itself, so that signals reach it. */
const startScript = () => ({ args: [path.join(projectRoot, 'scripts/start.mjs')], cwd: projectRoot })

// One file, one lane: the script looks at the sources and rebuilds the worker, which no two may do at once.
test.describe.configure({ mode: 'default' })

test('R1: the start script prints the address with its token, and that address lets in', async ({ own }) => {
  const belay = await own.prepare({ command: startScript, env: { BELAY_TOKEN: undefined }, within: 60_000 })
  await belay.startAgain()
  await expect.poll(() => belay.stdout).toMatch(/Belay is running at http/)
  const [link = ''] = /http:\/\/\S+/.exec(belay.stdout.slice(belay.stdout.indexOf('Belay is running at'))) ?? []
  expect(link).toContain(`http://127.0.0.1:${belay.port}/?token=`)
  expect(new URL(link).searchParams.get('token')).toBe(readFileSync(path.join(belay.home, 'token'), 'utf8').trim())
  expect(belay.stdout).toContain(belay.workspace)
  expect((await ask(link)).status).toBe(303)
  const exit = await belay.stop('SIGTERM')
  expect(exit).toMatchObject({ code: 0 })
})

for (const { name, env, opens } of [
  { name: 'opens the browser where there is one to see', env: { CI: undefined, DISPLAY: ':77' }, opens: true },
  { name: 'opens nothing with CI=true', env: { CI: 'true', DISPLAY: ':77' }, opens: false },
  { name: 'opens nothing without a display', env: { CI: undefined, DISPLAY: undefined }, opens: false },
  { name: 'opens nothing with BROWSER=none', env: { CI: undefined, DISPLAY: ':77', BROWSER: 'none' }, opens: false },
] as const) {
  test(`R1: the start script ${name}`, async ({ own }) => {
    const belay = await own.prepare({ command: startScript })
    mkdirSync(belay.home, { recursive: true })
    const browser = path.join(belay.workspace, 'browser.sh')
    const opened = path.join(belay.workspace, 'opened')
    writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`)
    chmodSync(browser, 0o755)
    const started = await own.prepare({
      command: startScript,
      home: belay.home,
      within: 60_000,
      env: { BROWSER: browser, ...env },
    })
    await started.startAgain()
    await expect.poll(() => started.stdout).toMatch(/Belay is running at/)
    if (opens) {
      await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toContain(`?token=${started.token}`)
    } else {
      await started.stop()
      expect(existsSync(opened)).toBe(false)
    }
  })
}

for (const way of ['the start script', 'the server itself'] as const) {
  test(`R2: a second server on the same data folder is told by ${way} who holds it, and the first is untouched`, async ({
    own,
  }) => {
    const first = await own.start()
    const { id } = await first.api.create({ model: 'rehearsal/fast' })
    const second = await own.prepare({
      home: first.home,
      ...(way === 'the start script' && { command: startScript }),
    })
    second.launch()
    const { code } = await second.exited()
    expect(code).not.toBe(0)
    const said = second.stdout + second.stderr
    expect(said).toContain(`process ${first.pid}`)
    expect(said).toContain(`http://127.0.0.1:${first.port}`)
    expect(said).toContain(`kill ${first.pid}`)
    expect(said).not.toMatch(/\n\s+at .+:\d+:\d+/)
    expect((await first.api.session(id)).id).toBe(id)
    expect(statSync(fileOf(first.home)).size).toBeGreaterThan(0)
  })
}

test('R2: the lock of a server that was killed does not keep the next one out', async ({ own }) => {
  const first = await own.start()
  await first.kill9()
  expect(existsSync(path.join(first.home, 'server.lock'))).toBe(true)
  await first.startAgain()
  expect((await first.api.health()).status).toBe('ok')
})

test('R2: a port in use is said so, with what to do, and nothing is left behind', async ({ own }) => {
  const belay = await own.prepare({ command: startScript })
  const other = createServer((_request, response) => response.end('I was here first.'))
  await new Promise<void>((resolve) => other.listen(belay.port, '127.0.0.1', resolve))
  try {
    belay.launch()
    const { code } = await belay.exited()
    expect(code).not.toBe(0)
    expect(belay.stdout + belay.stderr).toMatch(new RegExp(`Port ${belay.port} is in use[\\s\\S]*PORT=`))
    expect(existsSync(path.join(belay.home, 'server.lock'))).toBe(false)
    expect((await ask(belay.url)).text).toBe('I was here first.')
  } finally {
    await new Promise((resolve) => other.close(resolve))
  }
})

for (const { variable, value, says } of [
  { variable: 'PORT', value: '70000', says: /PORT: a port is a number from 1 to 65535/ },
  {
    variable: 'BELAY_WORKSPACE',
    value: '/no/such/folder',
    says: /BELAY_WORKSPACE: there is no folder \/no\/such\/folder/,
  },
  { variable: 'BELAY_MODEL', value: 'just-a-name', says: /BELAY_MODEL: a model is named provider\/model/ },
  { variable: 'BELAY_HOME', value: '/etc/passwd/home', says: /BELAY_HOME/ },
] as const) {
  test(`R2: a bad ${variable} is refused in one plain sentence that names it`, async ({ own }) => {
    // The server itself never sees a bad PORT: Next has put the port it listens on into the variable by then.
    const through = variable === 'PORT' ? { command: startScript } : {}
    const belay = await own.prepare({ ...through, env: { [variable]: value } })
    belay.launch()
    const { code } = await belay.exited()
    expect(code).not.toBe(0)
    expect(belay.stdout + belay.stderr).toMatch(says)
    expect(belay.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/)
  })
}

test('L7: a corrupt database, a newer one and a foreign one are refused in words, and not a byte of them changes', async ({
  own,
}) => {
  const belay = await own.start()
  await belay.api.create({ model: 'rehearsal/fast' })
  await belay.stop()
  const file = fileOf(belay.home)
  const good = readFileSync(file)
  const besides = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  expect(besides, 'after an orderly end the file alone is the store').toBe(0)
  const middle = Buffer.from(good)
  middle.fill(0xa5, 4096, Math.min(good.length, 4096 * 6))
  tamper(belay.home, 'PRAGMA user_version = 999', [])
  const newer = readFileSync(file)
  for (const { content, says } of [
    { content: Buffer.from('this is no database at all, whatever its name says'), says: /belay\.db/ },
    { content: middle, says: /damaged|corrupt/i },
    { content: newer, says: /newer Belay/ },
  ]) {
    writeFileSync(file, content)
    const again = await own.prepare({ home: belay.home })
    again.launch()
    const { code } = await again.exited()
    expect(code).not.toBe(0)
    expect(again.stderr).toMatch(says)
    expect(again.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/)
    expect(readFileSync(file).equals(content)).toBe(true)
  }
})

test('L7: one row that does not parse leaves its session readable up to it, and all others untouched', async ({
  own,
}) => {
  const belay = await own.start()
  const { api } = belay
  const { id: hurt } = await api.create({ model: 'rehearsal/fast' })
  const { id: whole } = await api.create({ model: 'rehearsal/fast' })
  for (const id of [hurt, whole]) await api.send(id, 'talk for 5 words')
  await expect.poll(async () => (await api.session(hurt)).lastOutcome?.kind).toBe('completed')
  await expect.poll(async () => (await api.session(whole)).lastOutcome?.kind).toBe('completed')
  const before = await api.events(whole)
  const intact = (await api.events(hurt)).slice(0, 4)
  await belay.stop()
  expect(tamper(belay.home, "UPDATE events SET data = '{half' WHERE session_id = ? AND seq = 5", [hurt])).toBe(1)
  await belay.startAgain()
  const readable = await api.events(hurt)
  expect(readable.slice(0, 4)).toEqual(intact)
  expect(readable[4]).toMatchObject({ seq: 5, type: 'note', data: { for: 'person' } })
  expect(outcomesIn(readable), 'the turn that was open there reads as orphaned').toEqual(['orphaned'])
  expect(await api.events(whole)).toEqual(before)
  await api.send(whole, 'talk for 3 words')
  await expect.poll(async () => (await api.events(whole)).filter((event) => event.type === 'turn.end').length).toBe(2)
})

test('M2: without any configuration the default is a running local server, else the script', async ({ own }) => {
  test.slow() // A busy machine may miss the first look, and the next one is a minute later.
  const none = {
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    OPENAI_COMPATIBLE_BASE_URL: undefined,
    OPENAI_COMPATIBLE_API_KEY: undefined,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: undefined,
    GOOGLE_GENERATIVE_AI_API_KEY: undefined,
    GOOGLE_GENERATIVE_AI_BASE_URL: undefined,
    DEEPSEEK_API_KEY: undefined,
    DEEPSEEK_BASE_URL: undefined,
    OLLAMA_BASE_URL: undefined,
  }
  const belay = await own.start({ env: none })
  const usual = [11434, 1234, 8080]
  const anybody = await Promise.all(
    usual.map((port) => ask(`http://127.0.0.1:${port}/v1/models`).catch(() => undefined)),
  )
  const somebodyServes = anybody.some((answer) => answer?.status === 200)
  if (!somebodyServes) expect((await belay.api.models()).default).toBe('rehearsal/script')

  const local = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ data: [{ id: 'a-local-model' }] }))
  })
  const port = usual[anybody.indexOf(undefined)]
  if (port === undefined) throw new Error('All usual ports of local model servers are taken on this machine.')
  await new Promise<void>((resolve) => local.listen(port, '127.0.0.1', resolve))
  try {
    const second = await Belay.start({ env: none })
    try {
      await expect
        .poll(async () => (await second.api.models()).models.map((model) => model.id), { timeout: 75_000 })
        .toContainEqual(expect.stringMatching(/^(ollama|openai-compatible)\/a-local-model$/))
      if (!somebodyServes) expect((await second.api.models()).default).toMatch(/\/a-local-model$/)
    } finally {
      await second.dispose()
    }
  } finally {
    await new Promise((resolve) => local.close(resolve))
  }
})
