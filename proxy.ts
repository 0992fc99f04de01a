/** Stands before every page and route but the static files: Host, token, origin, and the headers of W11 (W9–W11). */
import { type NextRequest, NextResponse } from 'next/server'
import { processAccess } from '@/server/container/process-config'
import { contentSecurityPolicy, securityHeaders } from '@/server/http/page-headers'
import { screen } from '@/server/http/screen'

export function proxy(request: NextRequest): Response {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64')
  const mode = process.env.NODE_ENV === 'development' ? 'development' : 'production'
  const policy = contentSecurityPolicy(nonce, mode)
  const response = screen(request, processAccess()) ?? pass(request, nonce, policy)
  response.headers.set('Content-Security-Policy', policy)
  for (const [name, value] of Object.entries(securityHeaders)) response.headers.set(name, value)
  return response
}

/** No hole but the build's own files, which say nothing about anybody. */
export const config = { matcher: ['/((?!_next/static/).*)'] }

/** Goes on to the page or route, which finds the nonce in its request headers. Nobody outside can set what Next reads here. */
function pass(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers)
  headers.set('content-security-policy', policy)
  headers.set('x-nonce', nonce)
  return NextResponse.next({ request: { headers } })
}
