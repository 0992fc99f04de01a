import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { apiRoutes, type Method } from '@/lib/contract/routes'
import { openApiDocument } from '@/server/http/openapi'
import { contentSecurityPolicy } from '@/server/http/page-headers'
import { screen } from '@/server/http/screen'

const access = { port: 4310, token: 'right+/=', allowedHosts: [] }
const cookie = { cookie: `belay_4310=${encodeURIComponent(access.token)}` }
const bearer = { authorization: `Bearer ${access.token}` }

function asked(method: string, target: string, headers: Record<string, string> = {}) {
  return screen(
    {
      method,
      url: `http://127.0.0.1:4310${target}`,
      headers: new Headers({ host: '127.0.0.1:4310', ...headers }),
    },
    access,
  )
}
const codeOf = async (response: Response | undefined) =>
  ((await response?.json()) as { error: { code: string } } | undefined)?.error.code

describe('pages', () => {
  it('W9: turns the token link into a cookie and an address without the token', () => {
    const response = asked('GET', `/?token=${encodeURIComponent(access.token)}`)
    expect(response?.status).toBe(303)
    expect(response?.headers.get('location')).toBe('http://127.0.0.1:4310/')
    expect(response?.headers.get('set-cookie')).toContain(
      'belay_4310=right%2B%2F%3D; Path=/; HttpOnly; SameSite=Strict',
    )
  })

  it('W9: keeps the page of the link, never another server', () => {
    const token = encodeURIComponent(access.token)
    expect(asked('GET', `/s/ses_1?token=${token}`)?.headers.get('location')).toBe('http://127.0.0.1:4310/s/ses_1')
    expect(asked('GET', `//evil.example/?token=${token}`)?.headers.get('location')).toBe('http://127.0.0.1:4310/')
  })

  it('W9: tells somebody without a token how to get in, and sets no cookie', async () => {
    for (const target of ['/', '/s/ses_1', '/history', '/?token=wrong', '/favicon.ico', '/_next/image?url=x']) {
      const response = asked('GET', target)
      expect(response?.status).toBe(401)
      expect(response?.headers.get('set-cookie')).toBeNull()
      expect(await response?.text()).toContain('To get in, open the address that Belay printed')
    }
  })

  it('W9: lets the cookie through, and a program too', () => {
    expect(asked('GET', '/', cookie)).toBeUndefined()
    expect(asked('GET', '/', bearer)).toBeUndefined()
  })

  it('W10: refuses a foreign host before anything else', async () => {
    expect(await codeOf(asked('GET', '/?token=right', { host: 'evil.example' }))).toBe('misdirected-host')
  })

  it('W10: has no page that takes changes', async () => {
    expect(await codeOf(asked('POST', '/', { ...cookie, origin: 'http://127.0.0.1:4310' }))).toBe('method-not-allowed')
  })
})

describe('the API', () => {
  it('W1: answers an unknown address and a wrong method as JSON', async () => {
    expect(await codeOf(asked('GET', '/api/nothing', bearer))).toBe('not-found')
    expect(await codeOf(asked('GET', '/api', bearer))).toBe('not-found')
    expect(await codeOf(asked('GET', '/api/sessions/a/b/c/d', bearer))).toBe('not-found')
    const wrong = asked('PUT', '/api/sessions', bearer)
    expect(wrong?.headers.get('allow')).toBe('POST, GET')
    expect(await codeOf(wrong)).toBe('method-not-allowed')
  })

  it('W9: tells nothing about addresses to somebody without a token', async () => {
    expect(await codeOf(asked('GET', '/api/nothing'))).toBe('unauthenticated')
    expect(await codeOf(asked('PUT', '/api/sessions'))).toBe('unauthenticated')
    expect(asked('GET', '/api/health')).toBeUndefined()
  })

  it('W10: checks the host of the health route too', async () => {
    expect(await codeOf(asked('GET', '/api/health', { host: 'evil.example:4310' }))).toBe('misdirected-host')
  })

  it.each(apiRoutes.map((route) => [route.method, route.path] as const))(
    'W2: lets %s %s through',
    (method, address) => {
      expect(asked(method, address.replaceAll(/\{\w+\}/g, 'x'), bearer)).toBeUndefined()
    },
  )
})

describe('the route table', () => {
  it('W2: names exactly the route handlers that exist', () => {
    expect(handlersOnDisk().sort()).toEqual(apiRoutes.map((route) => `${route.method} ${route.path}`).sort())
  })

  it('W2: becomes an OpenAPI document with every route, its body and its errors', () => {
    const document = openApiDocument('1.2.3') as {
      paths: Record<string, Record<string, { requestBody?: object; responses: object; parameters: object[] }>>
    }
    for (const route of apiRoutes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()]
      expect(operation?.responses).toHaveProperty(String(route.status))
      expect(operation?.requestBody !== undefined).toBe(route.body !== undefined)
    }
    expect(document.paths['/api/sessions']?.get?.parameters).toContainEqual(expect.objectContaining({ name: 'limit' }))
    expect(JSON.stringify(document)).toContain('"misdirected-host"')
  })
})

describe('the headers', () => {
  it('W11: run no script without the nonce and load no remote image', () => {
    const policy = contentSecurityPolicy('abc', 'production')
    expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic'")
    expect(policy).toContain("img-src 'self' data: blob:")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/)
  })
})

function handlersOnDisk(): string[] {
  const api = path.join(process.cwd(), 'app/api')
  return readdirSync(api, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts')
    .flatMap((file) => {
      const address = `/api/${path.dirname(file).replaceAll(/\[(\w+)\]/g, '{$1}')}`
      const text = readFileSync(path.join(api, file), 'utf8')
      const methods = [...text.matchAll(/export const (GET|POST|PATCH|DELETE|PUT)\b/g)].map(
        (match) => match[1] as Method,
      )
      return methods.map((method) => `${method} ${address}`)
    })
}
