// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { Markdown } from '@/components/transcript/markdown'
import { safeLink } from '@/components/transcript/safe-link'
import { hostileLog } from '@/lib/projection/fixtures/logs'
import { givenRows } from './given-row'

afterEach(cleanup)
const draw = (text: string, growing = false) => render(<Markdown text={text} growing={growing} />).container

describe('untrusted markdown', () => {
  it('W11: loads no image and says what was not loaded', () => {
    const page = draw('![a tracker](https://evil.example/pixel.png) and ![](data:image/png;base64,xyz)')
    expect(page.querySelector('img')).toBeNull()
    expect(page.textContent).toContain('[Image not loaded: a tracker (https://evil.example/pixel.png)]')
  })

  it('W11: shows the target beside a link whose words say something else, and the real host of it', () => {
    const page = draw('[your bank](https://bank.example@evil.example/login)')
    const link = page.querySelector('a')
    expect(link?.getAttribute('href')).toBe('https://evil.example/login')
    expect(page.textContent).toBe('your bank (evil.example/login)')
    expect(link?.getAttribute('rel')).toContain('noopener')
    expect(link?.getAttribute('target')).toBe('_blank')
  })

  it('W11: does not repeat the target of a link that says it itself', () => {
    expect(draw('See https://example.com/notes now').textContent).toBe('See https://example.com/notes now')
  })

  it('W11: makes no link of javascript:, data:, file: or relative targets, and still shows them', () => {
    const page = draw(
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](file:///etc/passwd) [d](../up) [e](JaVaScRiPt:1)',
    )
    expect(page.querySelector('a')).toBeNull()
    expect(page.textContent).toContain('a (javascript:alert(1))')
    expect(page.textContent).toContain('d (../up)')
  })

  it('W11: makes no link of a target that hides its scheme in entities or spaces', () => {
    const page = draw('[a](&#106;avascript:alert(1)) [b](java&Tab;script:alert(1)) [c](<  javascript:alert(1)>)')
    expect(page.querySelector('a')).toBeNull()
    expect(safeLink(' https://ok.example ')?.shown).toBe('ok.example')
  })

  it('W11: shows raw HTML as text', () => {
    const page = draw('<script>alert(1)</script>\n\nInline <b onclick="x()">bold</b> and <!-- a comment -->')
    expect(page.querySelector('script, b')).toBeNull()
    expect(page.textContent).toContain('<script>alert(1)</script>')
    expect(page.textContent).toContain('<b onclick="x()">bold</b>')
  })

  it('W11: draws a whole hostile answer without an element that acts', () => {
    const { container } = givenRows(hostileLog)
    expect(container.querySelector('img, script, iframe, object, form, [onclick], [onerror]')).toBeNull()
    for (const link of container.querySelectorAll('a'))
      expect(link.getAttribute('href')).toMatch(/^https:\/\/evil\.example\//)
  })

  it('reads entities as the characters they stand for, but not in code', () => {
    const page = draw('1 &lt; 2 &amp; `&lt;` &#x4F60; &unknown;')
    expect(page.textContent).toBe('1 < 2 & &lt; 你 &unknown;')
  })
})

describe('markdown', () => {
  it('U9: draws headings, lists, tables, quotes and code', () => {
    const page = draw(
      '# Title\n\n- one\n- [x] done\n\n3. three\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> quoted\n\n```ts\nconst a = 1\n```',
    )
    expect(within(page).getByRole('heading', { name: 'Title' }).tagName).toBe('H3')
    expect(page.querySelector('ol')?.getAttribute('start')).toBe('3')
    expect(page.querySelectorAll('td')[1]?.style.textAlign).toBe('right')
    expect(page.querySelector('blockquote')?.textContent).toBe('quoted')
    expect(page.querySelector('pre')?.textContent).toBe('const a = 1')
    expect(page.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked).toBe(true)
  })

  it('U9: mends what is half written, so that no mark flickers', () => {
    expect(draw('This is **bol', true).querySelector('strong')?.textContent).toBe('bol')
    expect(draw('Call `fn(', true).querySelector('code')?.textContent).toBe('fn(')
    expect(draw('See [the notes](https://exam', true).textContent).not.toContain('https://exam')
    expect(draw('This is **bol').textContent).toBe('This is **bol')
  })

  it('U9: keeps the elements of what stands already while the text grows', () => {
    const { container, rerender } = render(<Markdown text={'First.\n\nSec'} growing />)
    const first = container.querySelector('p')
    rerender(<Markdown text={'First.\n\nSecond, and **more**'} growing />)
    expect(container.querySelector('p')).toBe(first)
  })

  it('U10: lets the keyboard reach what scrolls sideways', () => {
    draw('| a |\n|---|\n| 1 |')
    expect(screen.getByRole('region', { name: 'Table' }).tabIndex).toBe(0)
  })
})
