import { describe, expect, it } from 'vitest'
import { AppError } from '@/lib/contract/errors'
import { type Access, admit, credentialOf, refuseHost, tokenCookie } from '@/server/http/guard'

const access: Access = { port: 4310, token: 'right', allowedHosts: ['belay.example', 'other.example:8443'] }
const home = { host: '127.0.0.1:4310' }
const cookie = { ...home, cookie: 'a=b; belay_4310=right' }
const bearer = { ...home, authorization: 'Bearer right' }

function asked(method: string, headers: Record<string, string>) {
  const verdict = admit({ method, headers: new Headers(headers) }, access)
  return verdict instanceof AppError ? verdict.code : verdict
}

describe('the token', () => {
  it('W9: takes the token as a Bearer or as the cookie named by the port, and nothing else', () => {
    expect(asked('GET', bearer)).toBe('bearer')
    expect(asked('GET', cookie)).toBe('cookie')
    expect(asked('GET', home)).toBe('unauthenticated')
    expect(asked('GET', { ...home, cookie: 'belay_4311=right' })).toBe('unauthenticated')
    expect(asked('GET', { ...home, cookie: 'belay_4310=wrong' })).toBe('unauthenticated')
    expect(asked('GET', { ...home, cookie: 'belay_4310=' })).toBe('unauthenticated')
    expect(asked('GET', { ...home, authorization: 'Basic right' })).toBe('unauthenticated')
    expect(asked('GET', { ...home, authorization: 'Bearer righ' })).toBe('unauthenticated')
  })

  it('W9: lets a wrong Authorization header decide even when a right cookie came along', () => {
    expect(asked('GET', { ...cookie, authorization: 'Bearer wrong' })).toBe('unauthenticated')
  })

  it('W9: never accepts an empty token, also when none is set', () => {
    const open = { ...access, token: '' }
    expect(credentialOf({ method: 'GET', headers: new Headers({ cookie: 'belay_4310=' }) }, open)).toBeUndefined()
  })

  it('W9: sets a cookie that scripts and other sites cannot use', () => {
    expect(tokenCookie(access)).toMatch(/^belay_4310=right; Path=\/; HttpOnly; SameSite=Strict/)
  })

  it('W9: lets nobody in by the header with which proxies of this framework were once bypassed', () => {
    expect(asked('GET', { ...home, 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' })).toBe(
      'unauthenticated',
    )
  })
})

describe('the Host', () => {
  const accepted = [
    '127.0.0.1:4310',
    'localhost:4310',
    'LOCALHOST:4310',
    '[::1]:4310',
    'belay.example',
    'belay.example:4310',
    'other.example:8443',
  ]
  const refused = [
    'evil.example',
    'evil.example:4310',
    '127.0.0.1',
    '127.0.0.1:4311',
    'localhost.evil.example:4310',
    'other.example',
    'belay.example:9',
    'user@127.0.0.1:4310',
    '',
  ]

  it.each(accepted)('W10: answers to %s', (host) => {
    expect(refuseHost({ method: 'GET', headers: new Headers({ host }) }, access)).toBeUndefined()
  })

  it.each(refused)('W10: refuses the host "%s", whatever the token', (host) => {
    expect(asked('GET', { ...bearer, host })).toBe('misdirected-host')
  })

  it('W10: refuses a request without any host', () => {
    expect(asked('GET', { authorization: 'Bearer right' })).toBe('misdirected-host')
  })
})

describe('the origin of a changing request', () => {
  const own = 'http://127.0.0.1:4310'

  it('W10: asks a browser with the cookie to prove that the request came from our own page', () => {
    expect(asked('POST', cookie)).toBe('forbidden-origin')
    expect(asked('POST', { ...cookie, origin: own })).toBe('cookie')
    expect(asked('POST', { ...cookie, 'sec-fetch-site': 'same-origin' })).toBe('cookie')
    expect(asked('DELETE', cookie)).toBe('forbidden-origin')
    expect(asked('PATCH', cookie)).toBe('forbidden-origin')
    expect(asked('GET', cookie)).toBe('cookie')
  })

  it.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:3000',
    'http://localhost:4310',
    'file://127.0.0.1:4310',
    '',
  ])('S-N1: refuses the foreign origin "%s" with the cookie and with a Bearer', (origin) => {
    expect(asked('POST', { ...cookie, origin })).toBe('forbidden-origin')
    expect(asked('POST', { ...bearer, origin })).toBe('forbidden-origin')
  })

  it.each(['cross-site', 'same-site', 'none'])(
    'S-N1: refuses Sec-Fetch-Site: %s although the origin looks right',
    (site) => {
      expect(asked('POST', { ...cookie, origin: own, 'sec-fetch-site': site })).toBe('forbidden-origin')
    },
  )

  it('W10: lets a program with a Bearer say nothing about its origin', () => {
    expect(asked('POST', bearer)).toBe('bearer')
    expect(asked('POST', { ...bearer, 'sec-fetch-site': 'cross-site' })).toBe('forbidden-origin')
  })

  it('W10: recognises our own page behind a proxy that ends TLS', () => {
    expect(asked('POST', { ...cookie, host: 'belay.example', origin: 'https://belay.example' })).toBe('cookie')
  })
})

describe('the body', () => {
  const json = { ...bearer, 'content-type': 'application/json' }

  it('W10: asks for JSON where there is a body', () => {
    expect(asked('POST', { ...json, 'content-length': '10' })).toBe('bearer')
    expect(asked('POST', { ...json, 'content-type': 'application/json; charset=UTF-8', 'content-length': '10' })).toBe(
      'bearer',
    )
    expect(asked('POST', { ...bearer, 'content-length': '10' })).toBe('unsupported-media-type')
    expect(asked('POST', { ...bearer, 'transfer-encoding': 'chunked' })).toBe('unsupported-media-type')
    expect(asked('POST', { ...bearer, 'content-length': '0' })).toBe('bearer')
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/jsonp'])(
    'S-N1: refuses a body of type %s',
    (type) => {
      expect(asked('POST', { ...bearer, 'content-type': type, 'content-length': '10' })).toBe('unsupported-media-type')
    },
  )

  it('W1: refuses a body over 1 MiB by its announced length', () => {
    expect(asked('POST', { ...json, 'content-length': '1048576' })).toBe('bearer')
    expect(asked('POST', { ...json, 'content-length': '1048577' })).toBe('too-large')
  })
})
