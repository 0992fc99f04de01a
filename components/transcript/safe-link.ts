/** Which address of untrusted text may become a link, and how its target is shown (W11). */

export interface SafeLink {
  readonly href: string
  /** What a person sees of the target: the real host, whatever the text pretends. */
  readonly shown: string
}

/** Only `http`, `https` and `mailto` lead anywhere; everything else (relative, `javascript:`, `data:` …) is text. */
export function safeLink(href: string): SafeLink | null {
  if (!/^(https?:|mailto:)/i.test(href.trim())) return null
  let url: URL
  try {
    url = new URL(href.trim())
  } catch {
    return null
  }
  if (url.protocol === 'mailto:') return { href: url.href, shown: url.href }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  url.username = ''
  url.password = ''
  const rest = `${url.pathname === '/' ? '' : url.pathname}${url.search}${url.hash}`
  return { href: url.href, shown: cut(`${url.host}${rest}`) }
}

/** The address of something that is not a link, as plain text. */
export function shownAddress(href: string): string {
  return cut(href)
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 60)}…${text.slice(-16)}` : text
}
