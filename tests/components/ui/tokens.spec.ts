import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('../../../components/ui/tokens.css', import.meta.url), 'utf8')

const themes = {
  light: literalsOf(/:root,\s*\[data-theme='light'\]\s*{([^}]*)}/),
  dark: literalsOf(/\n\[data-theme='dark'\]\s*{([^}]*)}/),
}
const states = ['new', 'running', 'stopping', 'paused', 'needs-you', 'done', 'stopped', 'failed', 'orphaned']
/** Where something to type into may stand. */
const fieldGrounds = ['ground', 'surface', 'raised']
const grounds = ['ground', 'surface', 'raised', 'sunken', 'hover', 'selected']

describe.each(Object.entries(themes))('the %s theme', (_name, token) => {
  it.each(states)('U10: shows the state %s with at least 4.5:1 on every ground and on its own tint', (state) => {
    for (const ground of [...grounds, `state-${state}-soft`]) {
      expect.soft(contrast(token(`state-${state}`), token(ground)), `${state} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each(['ink', 'ink-muted', 'ink-faint', 'accent'])('U10: shows %s with at least 4.5:1 on every ground', (ink) => {
    for (const ground of [...grounds, 'accent-soft']) {
      expect.soft(contrast(token(ink), token(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
  })

  it.each([
    ['accent-ink', 'accent'],
    ['accent-ink', 'accent-hover'],
    ['strong-ink', 'strong'],
    ['strong-ink', 'strong-hover'],
  ])('U10: shows %s on %s with at least 4.5:1', (ink, ground) => {
    expect(contrast(token(ink), token(ground))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['line-control', 'focus', 'strong'])('U10: shows the edge %s with at least 3:1 on every ground', (edge) => {
    for (const ground of edge === 'line-control' ? fieldGrounds : grounds) {
      expect.soft(contrast(token(edge), token(ground)), `${edge} on ${ground}`).toBeGreaterThanOrEqual(3)
    }
  })

  it('keeps red for failure: the brake has no hue', () => {
    const [red, green, blue] = channels(token('strong'))
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(16)
  })
})

it('U10: says every state by a colour of its own in each theme', () => {
  for (const token of Object.values(themes)) {
    const hues = states
      .filter((state) => state !== 'stopped' && state !== 'new')
      .map((state) => token(`state-${state}`))
    expect(new Set(hues).size).toBe(hues.length)
  }
})

function literalsOf(block: RegExp): (name: string) => string {
  const body = css.match(block)?.[1] ?? ''
  const values = new Map([...body.matchAll(/--([a-z-]+):\s*(#[0-9a-f]{6});/g)].map((match) => [match[1], match[2]]))
  return (name) => {
    const value = values.get(name)
    if (!value) throw new Error(`tokens.css has no literal colour --${name} here`)
    return value
  }
}

function channels(hex: string): [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** WCAG 2.2 relative luminance. */
function luminance(hex: string): number {
  const [red, green, blue] = channels(hex).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
