/** What the proxy answers by itself: refusals, the entry page, the token link, and paths that do not exist (W1, W9, W10). */
import { AppError } from '@/lib/contract/errors'
import { routesAt } from '@/lib/contract/routes'
import { entryPage } from './entry-page'
import { type Access, admit, credentialOf, type Inbound, isChanging, isToken, refuseHost, tokenCookie } from './guard'
import { respondError } from './respond'

interface Incoming extends Inbound {
  readonly url: string
}

/** The answer, or undefined to let the request through. */
export function screen(request: Incoming, access: Access): Response | undefined {
  const url = new URL(request.url)
  return url.pathname === '/api' || url.pathname.startsWith('/api/')
    ? screenApi(request, url.pathname, access)
    : screenPage(request, url, access)
}

/** The token comes before the path: who has none learns nothing about what is there. */
function screenApi(request: Incoming, pathname: string, access: Access): Response | undefined {
  const routes = routesAt(pathname)
  if (routes.some((route) => route.entry === 'open')) {
    const misdirected = refuseHost(request, access)
    if (misdirected) return respondError(misdirected)
  } else {
    const refused = admit(request, access)
    if (refused instanceof AppError) return respondError(refused)
  }
  if (routes.length === 0 || !isDecodable(pathname))
    return respondError(new AppError('not-found', 'There is no such address in this API.'))
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (routes.some((route) => route.method === method)) return undefined
  const allowed = [...new Set(routes.map((route) => route.method))].join(', ')
  return respondError(new AppError('method-not-allowed', `This address takes ${allowed}.`), { Allow: allowed })
}

function screenPage(request: Incoming, url: URL, access: Access): Response | undefined {
  const misdirected = refuseHost(request, access)
  if (misdirected) return respondError(misdirected)
  if (isChanging(request.method)) {
    const allowed = 'GET, HEAD'
    return respondError(new AppError('method-not-allowed', 'A page can only be read.'), { Allow: allowed })
  }
  const token = url.searchParams.get('token')
  const known = credentialOf(request, access) !== undefined
  if (token !== null && (known || isToken(token, access))) return letIn(url, access)
  if (known)
    return isDecodable(url.pathname) ? undefined : respondError(new AppError('not-found', 'There is no such page.'))
  return new Response(entryPage(token === null ? 'no-token' : 'wrong-token'), {
    status: 401,
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}

/** A path with a broken escape is nobody's address; the router behind us would fail on it. */
function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname)
    return true
  } catch {
    return false // URIError is the answer, not a fault
  }
}

/** Sets the cookie and goes on to the same page without the token in its address. Never to another server. */
function letIn(url: URL, access: Access): Response {
  const target = new URL(url)
  target.search = ''
  target.pathname = /^\/(?![/\\])/.test(url.pathname) ? url.pathname : '/'
  return new Response(null, {
    status: 303,
    headers: { Location: target.href, 'Set-Cookie': tokenCookie(access), 'Cache-Control': 'no-store' },
  })
}
