import { statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from '@/server/config'
import { keptToken, prepareDataFolder } from '@/server/container/data-folder'
import { tempFolder } from './given-server'

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

describe('the environment', () => {
  it('R2: has defaults for everything', () => {
    expect(readConfig({}, '/tmp')).toEqual({
      port: 4310,
      host: '127.0.0.1',
      home: path.join(homedir(), '.belay'),
      workspace: '/tmp',
      givenToken: undefined,
      model: undefined,
      allowedHosts: [],
    })
  })

  it('R2: reads every variable, and takes an empty one as absent', () => {
    const workspace = tempFolder('workspace')
    const config = readConfig(
      {
        PORT: '5000',
        HOST: '0.0.0.0',
        BELAY_HOME: '~/elsewhere',
        BELAY_WORKSPACE: workspace,
        BELAY_TOKEN: 'secret',
        BELAY_MODEL: 'openai/gpt',
        BELAY_ALLOWED_HOSTS: 'belay.example, other.example:8443,',
      },
      '/tmp',
    )
    expect(config).toMatchObject({
      port: 5000,
      host: '0.0.0.0',
      home: path.join(homedir(), 'elsewhere'),
      workspace,
      givenToken: 'secret',
      model: 'openai/gpt',
      allowedHosts: ['belay.example', 'other.example:8443'],
    })
    expect(readConfig({ PORT: '', BELAY_TOKEN: ' ' }, '/tmp')).toMatchObject({ port: 4310, givenToken: undefined })
  })

  it.each([
    ['PORT', 'none'],
    ['PORT', '0'],
    ['PORT', '70000'],
    ['BELAY_TOKEN', 'two words'],
    ['BELAY_MODEL', 'no-provider'],
    ['BELAY_ALLOWED_HOSTS', 'http://x'],
    ['BELAY_WORKSPACE', '/nowhere/at/all'],
  ])('R2: says which variable is wrong: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value }, '/tmp')).toThrow(ConfigError)
    expect(() => readConfig({ [name]: value }, '/tmp')).toThrow(new RegExp(`^${name}: `))
  })
})

describe('the data folder', () => {
  it('W9: is closed to others, and keeps one token across restarts', () => {
    const home = path.join(tempFolder('home'), 'deep/belay')
    prepareDataFolder(home)
    const token = keptToken(home)
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(keptToken(home)).toBe(token)
    expect([modeOf(home), modeOf(path.join(home, 'token'))]).toEqual(['700', '600'])
  })

  it('W9: makes a new token for an empty file, and closes an open one', () => {
    const home = tempFolder('home')
    writeFileSync(path.join(home, 'token'), '\n', { mode: 0o644 })
    expect(keptToken(home)).toMatch(/^[\w-]{32}$/)
    writeFileSync(path.join(home, 'token'), 'mine\n', { mode: 0o644 })
    expect(keptToken(home)).toBe('mine')
    expect(modeOf(path.join(home, 'token'))).toBe('600')
  })

  it('R2: says in words that it cannot be used', () => {
    const file = path.join(tempFolder('home'), 'file')
    writeFileSync(file, '')
    expect(() => prepareDataFolder(path.join(file, 'inside'))).toThrow(/^BELAY_HOME: the folder .* cannot be used/)
  })
})
