import { describe, expect, it } from 'vitest'
import { openerFor } from '../../scripts/open-browser.mjs'

describe('npm start', () => {
  it('R1: opens the browser where there is a display', () => {
    expect(openerFor({ DISPLAY: ':0' }, 'linux')).toEqual({ command: 'xdg-open', args: [] })
    expect(openerFor({ WAYLAND_DISPLAY: 'w' }, 'linux')?.command).toBe('xdg-open')
    expect(openerFor({ DISPLAY: ':0', BROWSER: 'firefox' }, 'linux')?.command).toBe('firefox')
    expect(openerFor({}, 'darwin')?.command).toBe('open')
  })

  it('R1: never with CI=true, BROWSER=none or without a display', () => {
    expect(openerFor({ DISPLAY: ':0', CI: 'true' }, 'linux')).toBeUndefined()
    expect(openerFor({ DISPLAY: ':0', BROWSER: 'none' }, 'linux')).toBeUndefined()
    expect(openerFor({ BROWSER: 'none' }, 'darwin')).toBeUndefined()
    expect(openerFor({}, 'linux')).toBeUndefined()
  })
})
