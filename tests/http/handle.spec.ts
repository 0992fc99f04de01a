import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AppError, type ErrorBody, errorStatus } from '@/lib/contract/errors'
import { sessionIdSchema } from '@/lib/contract/ids'
import { type Answer, type Door, handle, type RouteInput } from '@/server/http/handle'

const body = z.strictObject({ text: z.string().optional(), deep: z.unknown().optional() })
const query = z.strictObject({ limit: z.string().optional() })
const params = z.object({ id: sessionIdSchema })

function given(
  call: (input: RouteInput<{ id: string }, object, object>) => Answer = ({ body }) => ({ status: 200, body }),
) {
  const reported: unknown[] = []
  let accepting = true
  const door: Door = {
    access: () => ({ port: 4310, token: 'right', allowedHosts: [] }),
    accepting: () => accepting,
    report: (error) => reported.push(error),
  }
  const route = handle(door, { params, query, body }, call)
  const open = handle(door, { entry: 'open' }, () => ({ status: 200, body: { status: 'ok' } }))
  const post = async (content: BodyInit | undefined, init: { id?: string; query?: string; headers?: object } = {}) => {
    const request = new Request(`http://127.0.0.1:4310/api/x${init.query ?? ''}`, {
      method: 'POST',
      ...(content !== undefined && { body: content, duplex: 'half' }),
      headers: {
        host: '127.0.0.1:4310',
        authorization: 'Bearer right',
        'content-type': 'application/json',
        ...(content === undefined ? {} : { 'transfer-encoding': 'chunked' }),
        ...init.headers,
      },
    })
    const response = await route(request, { params: Promise.resolve({ id: init.id ?? 'ses_1' }) })
    return { status: response.status, json: (await response.json()) as ErrorBody & Record<string, unknown> }
  }
  return { post, open, reported, closeDoor: () => (accepting = false) }
}

describe('a route', () => {
  it('W1: counts an empty body as {}', async () => {
    expect(await given().post(undefined)).toEqual({ status: 200, json: {} })
    expect(await given().post('  ')).toEqual({ status: 200, json: {} })
  })

  it.each([
    ['{"text":', /not valid JSON/],
    ['[]', /expected object/i],
    ['null', /expected object/i],
    ['{"text":1}', /^text: /],
    ['{"surprise":1}', /unknown key: surprise/],
    ['{"__proto__":1}', /unknown key/],
  ])('W1: refuses the body %s with words for it', async (text, message) => {
    const { status, json } = await given().post(text)
    expect([status, json.error.code]).toEqual([400, 'invalid-request'])
    expect(json.error.message).toMatch(message)
  })

  it('W1: refuses bytes that are not UTF-8', async () => {
    expect((await given().post(new Uint8Array([0x7b, 0xff, 0x7d]))).json.error.code).toBe('invalid-request')
  })

  it('W1: reads JSON of any depth', async () => {
    const depth = 100_000
    const { status } = await given(() => ({ status: 200, body: {} })).post(
      `{"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    )
    expect(status).toBe(200)
  })

  it('W1: stops reading a streamed body at 1 MiB and never holds the rest', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 65536
        controller.enqueue(new Uint8Array(65536).fill(32))
      },
    })
    const { status, json } = await given().post(endless)
    expect([status, json.error.code]).toEqual([413, 'too-large'])
    expect(pulled).toBeLessThan(1.5 * 1024 * 1024)
  })

  it('W1: refuses an unknown query key and one given twice', async () => {
    expect((await given().post('{}', { query: '?limti=1' })).json.error.message).toMatch(/unknown key: limti/)
    expect((await given().post('{}', { query: '?limit=1&limit=2' })).json.error.code).toBe('invalid-request')
  })

  it('W1: treats an id that cannot exist as unknown', async () => {
    expect((await given().post('{}', { id: '../../etc' })).json.error.code).toBe('not-found')
  })

  it('W1: puts no internal text on the wire, and tells the operator', async () => {
    const { post, reported } = given(() => {
      throw new Error('SQLITE_IOERR at /home/somebody/.belay/belay.db')
    })
    const { status, json } = await post('{}')
    expect([status, json.error.code]).toEqual([500, 'internal'])
    expect(JSON.stringify(json)).not.toMatch(/SQLITE|somebody/)
    expect(reported).toHaveLength(1)
  })

  it.each(Object.entries(errorStatus))('W1: answers %s with %d', async (code, status) => {
    const { post, reported } = given(() => {
      throw new AppError(code as keyof typeof errorStatus, 'why', { which: 1 })
    })
    expect(await post('{}')).toEqual({ status, json: { error: { code, message: 'why', details: { which: 1 } } } })
    expect(reported).toEqual([])
  })

  it('W9: checks the token by itself, whatever stood before it', async () => {
    const headers = { authorization: 'Bearer wrong' }
    expect((await given().post('{}', { headers })).json.error.code).toBe('unauthenticated')
  })

  it('R3: refuses everything but health while the server goes down', async () => {
    const { post, open, closeDoor } = given()
    closeDoor()
    const { status, json } = await post('{}')
    expect([status, json.error.code]).toEqual([503, 'shutting-down'])
    const health = await open(new Request('http://x/api/health', { headers: { host: '127.0.0.1:4310' } }), {
      params: Promise.resolve({}),
    })
    expect(health.status).toBe(200)
  })

  it('W10: checks the Host on the open route as well', async () => {
    const response = await given().open(new Request('http://x/api/health', { headers: { host: 'evil.example' } }), {
      params: Promise.resolve({}),
    })
    expect(response.status).toBe(421)
  })
})

describe('an expected refusal', () => {
  it('S-L4: is known as one in every bundle, although each has its own copy of the class', async () => {
    vi.resetModules()
    const other = (await import('@/lib/contract/errors')) as { AppError: typeof AppError }
    expect(other.AppError).not.toBe(AppError)
    expect(new other.AppError('not-found', 'gone')).toBeInstanceOf(AppError)
    expect(new Error('gone')).not.toBeInstanceOf(AppError)
    const { post } = given(() => {
      throw new other.AppError('not-found', 'gone')
    })
    expect((await post('{}')).status).toBe(404)
  })
})
