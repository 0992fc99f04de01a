'use client'

/**
 * Markdown of untrusted text as React elements: no HTML is ever set, raw HTML is shown as text, no image is loaded, a link shows its
 * target (W11). A piece that still grows is mended first, so that half-written marks do not flicker (U9).
 */
import { lexer, type Token, type Tokens } from 'marked'
import { createElement, Fragment, memo, type ReactNode } from 'react'
import remend from 'remend'
import { CodeBlock } from '@/components/transcript/code-block'
import { decodeEntities } from '@/components/transcript/entities'
import { safeLink, shownAddress } from '@/components/transcript/safe-link'

/** Marks at the very end: what they will begin or have ended shows with the next piece, and `remend` knows no single star. */
const lastMarks = /(?<!\\)[*_~`]{1,3}$/

export const Markdown = memo(function Markdown({ text, growing = false }: { text: string; growing?: boolean }) {
  const source = growing
    ? remend(text.replace(lastMarks, ''), { linkMode: 'text-only', htmlTags: false, katex: false })
    : text
  return <>{blocks(lexer(source, { gfm: true }), growing)}</>
})

function blocks(tokens: readonly Token[], growing: boolean): ReactNode {
  return inOrder(tokens.map((token) => block(token, growing)))
}

function block(token: Token, growing: boolean): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return heading(token as Tokens.Heading)
    case 'paragraph':
      return <p className="my-3">{inline((token as Tokens.Paragraph).tokens)}</p>
    case 'text':
      return (token as Tokens.Text).tokens ? inline((token as Tokens.Text).tokens ?? []) : plain(token)
    case 'hr':
      return <hr className="my-4 border-line-strong" />
    case 'blockquote':
      return (
        <blockquote className="my-3 border-line-strong border-l-2 pl-3 text-ink-muted">
          {blocks((token as Tokens.Blockquote).tokens, growing)}
        </blockquote>
      )
    case 'list':
      return list(token as Tokens.List, growing)
    case 'code': {
      const { text, lang } = token as Tokens.Code
      return <CodeBlock code={text} lang={lang ?? ''} growing={growing} />
    }
    case 'table':
      return table(token as Tokens.Table)
    default:
      return <p className="my-3 whitespace-pre-wrap">{token.raw}</p>
  }
}

/** Children without keys: in a text that grows, the place is the identity. */
function inOrder(nodes: readonly ReactNode[]): ReactNode {
  return createElement(Fragment, null, ...nodes)
}

const headingLooks = ['text-lg', 'text-lg', 'text-prose', 'text-prose', 'text-base', 'text-base'] as const

/** An answer stands below the page's own headings, so its first level is the third. */
function heading(token: Tokens.Heading): ReactNode {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[Math.min(token.depth, 4) - 1] ?? 'h6'
  return <Tag className={`mt-5 mb-2 font-semibold ${headingLooks[token.depth - 1] ?? ''}`}>{inline(token.tokens)}</Tag>
}

function list(token: Tokens.List, growing: boolean): ReactNode {
  const items = token.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the place of an item in a growing text is its identity
    <li key={index} className={item.task ? 'list-none' : 'pl-1'}>
      {item.task && (
        <input
          type="checkbox"
          aria-label={item.checked ? 'Done' : 'Not done'}
          checked={item.checked ?? false}
          readOnly
          tabIndex={-1}
          className="mr-2 -ml-5"
        />
      )}
      {blocks(
        item.tokens.filter((part) => part.type !== 'checkbox'),
        growing,
      )}
    </li>
  ))
  const look = `my-3 space-y-1 pl-6 ${token.loose ? '[&>li>p]:my-2' : ''}`
  if (!token.ordered) return <ul className={`list-disc ${look}`}>{items}</ul>
  return (
    <ol start={token.start === '' ? 1 : token.start} className={`list-decimal ${look}`}>
      {items}
    </ol>
  )
}

function table(token: Tokens.Table): ReactNode {
  const align = (at: number) => ({ textAlign: token.align[at] ?? ('left' as const) })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be reachable to be scrolled by keyboard
    <section className="my-3 overflow-x-auto" aria-label="Table" tabIndex={0}>
      <table className="border-collapse text-base">
        <thead>
          <tr>
            {token.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
              <th key={at} scope="col" style={align(at)} className="border border-line-strong px-2 py-1 font-semibold">
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
            <tr key={index}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
                <td key={at} style={align(at)} className="border border-line-strong px-2 py-1">
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inline(tokens: readonly Token[]): ReactNode {
  return inOrder(tokens.map(span))
}

function span(token: Token): ReactNode {
  switch (token.type) {
    case 'text':
      return (token as Tokens.Text).tokens ? inline((token as Tokens.Text).tokens ?? []) : plain(token)
    case 'escape':
      return (token as Tokens.Escape).text
    case 'strong':
      return <strong className="font-semibold">{inline((token as Tokens.Strong).tokens)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens)}</del>
    case 'codespan':
      return <code className="rounded-mark bg-sunken px-1 py-0.5 text-[0.9em]">{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link':
      return link(token as Tokens.Link)
    case 'image': {
      const { text, href } = token as Tokens.Image
      return (
        <span className="text-ink-muted">
          [Image not loaded{text === '' ? '' : `: ${text}`} <Target text={shownAddress(href)} />]
        </span>
      )
    }
    default:
      return token.raw
  }
}

function link(token: Tokens.Link): ReactNode {
  const safe = safeLink(decodeEntities(token.href))
  if (!safe) {
    return (
      <>
        {inline(token.tokens)} {token.text !== token.href && <Target text={shownAddress(token.href)} />}
      </>
    )
  }
  const saysItself = token.text === safe.href || token.text === token.href || token.text === safe.shown
  return (
    <>
      <a
        href={safe.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent underline underline-offset-2 hover:text-accent-hover"
      >
        {inline(token.tokens)}
      </a>
      {!saysItself && (
        <>
          {' '}
          <Target text={safe.shown} />
        </>
      )}
    </>
  )
}

function Target({ text }: { text: string }) {
  return <bdi className="break-all text-[0.85em] text-ink-faint">({text})</bdi>
}

function plain(token: Token): ReactNode {
  return decodeEntities('text' in token ? String(token.text) : token.raw)
}
