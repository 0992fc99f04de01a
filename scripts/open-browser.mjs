/** Opens an address in the person's browser, where there is one to see (R1). */
import { spawn } from 'node:child_process'

/** Never with CI=true, BROWSER=none or without a display. A browser that cannot be started is no error: the address is printed. */
export function openBrowser(link, env = process.env, platform = process.platform) {
  const opener = openerFor(env, platform)
  if (!opener) return false
  const child = spawn(opener.command, [...opener.args, link], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
  return true
}

export function openerFor(env, platform) {
  const inCi = env.CI !== undefined && env.CI !== '' && env.CI !== 'false' && env.CI !== '0'
  if (inCi || env.BROWSER === 'none') return undefined
  const display = platform === 'darwin' || platform === 'win32' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (!display) return undefined
  if (env.BROWSER) return { command: env.BROWSER, args: [] }
  if (platform === 'darwin') return { command: 'open', args: [] }
  if (platform === 'win32') return { command: 'cmd', args: ['/c', 'start', ''] }
  return { command: 'xdg-open', args: [] }
}
