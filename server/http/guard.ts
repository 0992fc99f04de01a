/** Who may come in: Host, token, Origin and body headers, as pure functions over headers (W1, W9, W10). */
import { timingSafeEqual } from 'node:crypto'
import { AppError } from '@/lib/contract/errors'
import { isSameOrigin, namesThisServer } from './origin'

/** What the guard compares with. `allowedHosts` are the entries of `BELAY_ALLOWED_HOSTS`. */
export interface Access {
  readonly port: number
  readonly token: string
  readonly allowedHosts: readonly string[]
}

/** What the guard looks at. */
export interface Inbound {
  readonly method: string
  readonly headers: Pick<Headers, 'get'>
}

export type Credential = 'cookie' | 'bearer'

/** The largest body, in bytes (W1). */
export const bodyLimit = 1024 * 1024

/**
 * Lets a request in or says why not: Host first (421), then the token (401), then the origin of a changing request (403),
 * then what its headers say about the body (413, 415). A refusal is a value.
 */
export function admit(inbound: Inbound, access: Access): Credential | AppError {
  const misdirected = refuseHost(inbound, access)
  if (misdirected) return misdirected
  const credential = credentialOf(inbound, access)
  if (!credential)
    return new AppError('unauthenticated', 'A token is needed: open the address that the server printed.')
  return refuseOrigin(inbound, credential) ?? refuseBody(inbound) ?? credential
}

/** W10: the Host must be a loopback name with our port, or listed. */
export function refuseHost({ headers }: Inbound, access: Access): AppError | undefined {
  if (namesThisServer(headers.get('host'), access)) return undefined
  return new AppError(
    'misdirected-host',
    'This server does not answer to that host name. Add it to BELAY_ALLOWED_HOSTS.',
  )
}

/** Which valid token came along (W9). An Authorization header alone decides when there is one. */
export function credentialOf({ headers }: Inbound, access: Access): Credential | undefined {
  const authorization = headers.get('authorization')
  if (authorization !== null) {
    const bearer = /^Bearer +(\S+)\s*$/i.exec(authorization)?.[1]
    return bearer !== undefined && isToken(bearer, access) ? 'bearer' : undefined
  }
  const cookie = cookieValue(headers.get('cookie'), cookieName(access.port))
  return cookie !== undefined && isToken(cookie, access) ? 'cookie' : undefined
}

/** W10: a changing request must come from our own page. A program with a Bearer token may say nothing, but not something else. */
export function refuseOrigin({ method, headers }: Inbound, credential: Credential): AppError | undefined {
  if (!isChanging(method)) return undefined
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  const foreignOrigin = origin !== null && !isSameOrigin(origin, headers.get('host'))
  const foreignSite = site !== null && site !== 'same-origin' && !(credential === 'bearer' && site === 'none')
  const silent = credential === 'cookie' && origin === null && site === null
  if (!foreignOrigin && !foreignSite && !silent) return undefined
  return new AppError('forbidden-origin', 'Changes are accepted from this server’s own pages only.')
}

/** W1, W10: where there is a body it is JSON and not over the limit. The length of a streamed body is checked while it is read. */
export function refuseBody({ method, headers }: Inbound): AppError | undefined {
  if (!isChanging(method)) return undefined
  const length = headers.get('content-length')
  const hasBody = headers.get('transfer-encoding') !== null || (length !== null && length.trim() !== '0')
  if (!hasBody) return undefined
  if (length !== null && Number(length) > bodyLimit) return tooLarge()
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding !== 'identity')
    return new AppError('unsupported-media-type', 'A compressed body is not accepted.')
  return isJson(headers.get('content-type'))
    ? undefined
    : new AppError('unsupported-media-type', 'The body must have the content type application/json.')
}

export function tooLarge(): AppError {
  return new AppError('too-large', 'The body is larger than 1 MiB.')
}

/** Compares in constant time, whatever the lengths. */
export function isToken(candidate: string, access: Access): boolean {
  const given = Buffer.from(candidate)
  const wanted = Buffer.from(access.token)
  const comparable = given.length === wanted.length
  return timingSafeEqual(comparable ? given : wanted, wanted) && comparable && wanted.length > 0
}

/** Cookies do not separate ports, so their name does. */
export function cookieName(port: number): string {
  return `belay_${port}`
}

/** The `Set-Cookie` value that lets a browser in (W9). */
export function tokenCookie(access: Access): string {
  const value = encodeURIComponent(access.token)
  return `${cookieName(access.port)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`
}

export function isChanging(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}

function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return decoded(part.slice(at + 1).trim())
  }
  return undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined // Not ours: our own value always decodes.
  }
}

function isJson(contentType: string | null): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(contentType?.trim() ?? '')
}
