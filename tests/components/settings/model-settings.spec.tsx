// @vitest-environment jsdom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ModelSettings } from '@/components/settings/model-settings'
import { sampleProviders } from '@/components/settings/sample-providers'
import { FrameDataProvider } from '@/components/workbench/frame-data'
import type { DefaultModel, ProviderStatus } from '@/lib/contract/providers'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const { notSet, fromSettings, fromEnvironment, notComplete, foundHere } = sampleProviders
const gpt = { id: 'openai/gpt-5.5', label: 'gpt-5.5 (OpenAI)', provider: 'openai', scripted: false }
const script = { id: 'rehearsal/script', label: 'Script', provider: 'rehearsal', scripted: true }

interface Call {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

/** The page's part for models, before a server that answers from a table; GETs are answered from what is set now. */
function given(
  first: readonly ProviderStatus[],
  answers: Record<string, (call: Call) => object | Promise<object>> = {},
  from: DefaultModel['from'] = 'usual',
) {
  const calls: Call[] = []
  const now = { providers: [...first], defaultModel: { model: 'rehearsal/script', from } as DefaultModel }
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const method = init.method ?? 'GET'
    const body = init.body === undefined ? undefined : (JSON.parse(String(init.body)) as unknown)
    const call = { method, path, body, signal: init.signal ?? undefined }
    if (method !== 'GET') calls.push(call)
    if (path === '/api/providers') return Response.json(now)
    if (path === '/api/models' && method === 'GET')
      return Response.json({ models: [gpt, script], default: now.defaultModel.model })
    const answer = answers[`${method} ${path}`]
    if (!answer) throw new Error(`Nobody asked for ${method} ${path}`)
    const said = await answer(call)
    return Response.json(said, { status: 'error' in said ? 400 : 200 })
  })
  const models = { models: [gpt, script], default: now.defaultModel.model }
  const frame = { sessions: { sessions: [], nextCursor: null }, models, defaultWorkspace: '/w' }
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 30_000 } } })}>
      <FrameDataProvider value={frame}>
        <ModelSettings initial={{ providers: [...first], defaultModel: now.defaultModel }} />
      </FrameDataProvider>
    </QueryClientProvider>,
  )
  const user = userEvent.setup()
  const open = async (name: RegExp) => {
    await user.click(screen.getByRole('button', { name }))
    return within(screen.getByRole('region', { name }))
  }
  return { user, calls, now, open }
}

const refusal = (path: string, message: string) => ({
  error: { code: 'invalid-request', message: `${path}: ${message}`, details: { problems: [{ path, message }] } },
})

describe('the providers in Settings', () => {
  it('M1: says for each in a word and a shape whether it is ready, and from where', () => {
    given([notSet, notComplete, foundHere])
    const standing = (name: RegExp) => {
      const mark = screen.getByRole('button', { name }).querySelector('[data-state-word]')
      return [mark?.getAttribute('data-state-word'), mark?.textContent]
    }
    expect(standing(/^OpenAI(?!-)/)).toEqual(['new', 'Not set'])
    expect(standing(/^OpenAI-compatible/)).toEqual(['needs-you', 'Not complete'])
    expect(standing(/^Ollama/)).toEqual(['done', 'Found on this machine'])
    cleanup()
    given([fromSettings])
    expect(standing(/^OpenAI/)).toEqual(['done', 'Ready from Settings'])
    cleanup()
    given([fromEnvironment])
    expect(standing(/^OpenAI/)).toEqual(['done', 'Ready from environment'])
  })

  it('M1: says that a key is stored, in a field that hides what is typed and holds nothing', async () => {
    const { open } = given([fromSettings])
    const form = await open(/OpenAI/)
    const field = form.getByLabelText('Key') as HTMLInputElement
    expect([field.type, field.autocomplete, field.value]).toEqual(['password', 'off', ''])
    expect(form.getByText(/A key is stored/).id).toBe(field.getAttribute('aria-describedby'))
    expect((form.getByLabelText('Base URL') as HTMLInputElement).value).toBe('https://gateway.example/v1')
  })

  it('M1: sends what was typed and nothing else, forgets the key, and shows what the provider became', async () => {
    const { user, calls, now, open } = given([notSet], {
      'PATCH /api/providers/openai': () => {
        now.providers = [fromSettings]
        return { provider: fromSettings }
      },
    })
    const form = await open(/OpenAI/)
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect(calls).toEqual([])

    await user.type(form.getByLabelText('Key'), ' sk-typed {Enter}')
    expect(await form.findByText('Saved.')).toBeTruthy()
    expect(calls.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/api/providers/openai', { apiKey: 'sk-typed' }],
    ])
    expect((form.getByLabelText('Key') as HTMLInputElement).value).toBe('')
    expect(screen.getByText('Ready from Settings')).toBeTruthy()
    expect(document.body.innerHTML).not.toContain('sk-typed')
  })

  it('M1: an emptied address goes back to the usual one', async () => {
    const { user, calls, open } = given([fromSettings], {
      'PATCH /api/providers/openai': () => ({ provider: notSet }),
    })
    const form = await open(/OpenAI/)
    await user.clear(form.getByLabelText('Base URL'))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await form.findByText('Saved.')
    expect(calls[0]?.body).toEqual({ baseUrl: null })
  })

  it('U10: says what is wrong with a field at that field, keeping what was typed', async () => {
    const { user, open } = given([notSet], {
      'PATCH /api/providers/openai': () => refusal('baseUrl', 'a base URL begins with http:// or https://'),
    })
    const form = await open(/OpenAI/)
    await user.type(form.getByLabelText('Base URL'), 'gateway.example')
    await user.click(form.getByRole('button', { name: 'Save' }))
    expect((await form.findByRole('alert')).textContent).toBe('A base URL begins with http:// or https://.')
    const field = form.getByLabelText('Base URL') as HTMLInputElement
    expect([field.getAttribute('aria-invalid'), field.value]).toEqual(['true', 'gateway.example'])
    await user.type(field, '/v1')
    expect(form.queryByRole('alert')).toBeNull()
  })

  it.each([
    [{ ok: true, models: ['a', 'b', 'c', 'd', 'e'] }, 'It answers, and lists 5 models: a, b, c and 2 more.', 'done'],
    [{ ok: true, models: ['a'] }, 'It answers, and lists 1 model: a.', 'done'],
    [{ ok: true, models: [] }, 'It answers, and lists no models.', 'done'],
    [{ ok: false, message: 'OpenAI did not accept the key.' }, 'OpenAI did not accept the key.', 'failed'],
  ])('M1: one button tests what is kept: %j', async (answer, text, shape) => {
    const { user, calls, open } = given([fromSettings], { 'POST /api/providers/openai/test': () => answer })
    const form = await open(/OpenAI/)
    await user.click(form.getByRole('button', { name: 'Test' }))
    const said = await form.findByText(text)
    expect(said.closest('[role="status"]')?.querySelector(`[data-state-shape="${shape}"]`)).toBeTruthy()
    expect(calls[0]?.body).toEqual({})
  })

  it('M1: tests what was typed before it is saved, and says that it is not saved', async () => {
    const { user, calls, open } = given([notSet], {
      'POST /api/providers/openai/test': () => ({ ok: true, models: ['a'] }),
    })
    const form = await open(/OpenAI/)
    await user.type(form.getByLabelText('Key'), 'sk-typed')
    await user.click(form.getByRole('button', { name: 'Test' }))
    expect(await form.findByText(/Not saved yet\.$/)).toBeTruthy()
    expect(calls.map(({ method, body }) => [method, body])).toEqual([['POST', { apiKey: 'sk-typed' }]])
  })

  it('M1: a test can be ended by the button that began it, which keeps the focus', async () => {
    const { user, calls, open } = given([fromSettings], {
      'POST /api/providers/openai/test': ({ signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    })
    const form = await open(/OpenAI/)
    await user.click(form.getByRole('button', { name: 'Test' }))
    const end = await form.findByRole('button', { name: 'End test' })
    expect(form.getByRole('status').textContent).toBe('Testing')
    await user.click(end)
    expect(calls[0]?.signal?.aborted).toBe(true)
    expect(document.activeElement).toBe(form.getByRole('button', { name: 'Test' }))
    expect(form.getByRole('status').textContent).toBe('')
  })

  it('U10: asks before it removes what is stored, and keeps the focus where it was', async () => {
    const { user, calls, now, open } = given([fromSettings], {
      'PATCH /api/providers/openai': () => {
        now.providers = [notSet]
        return { provider: notSet }
      },
    })
    const form = await open(/OpenAI/)
    await user.click(form.getByRole('button', { name: 'Remove' }))
    expect(calls).toEqual([])
    const dialog = within(screen.getByRole('alertdialog', { name: 'Remove what is stored for OpenAI?' }))
    await user.click(dialog.getByRole('button', { name: 'Remove' }))
    await form.findByText('Removed.')
    expect(calls[0]?.body).toEqual({ apiKey: null, baseUrl: null })
    const button = form.getByRole('button', { name: 'Remove' })
    await waitFor(() => expect(document.activeElement).toBe(button))
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('says why when the server refuses or does not answer', async () => {
    const { user, open } = given([notSet])
    const form = await open(/OpenAI/)
    await user.type(form.getByLabelText('Key'), 'sk-typed{Enter}')
    expect(await form.findByText('Not saved. The server does not answer.')).toBeTruthy()
    expect((form.getByLabelText('Key') as HTMLInputElement).value).toBe('sk-typed')
  })
})

describe('the default model', () => {
  it('M2: is chosen from the list and given back to the usual order', async () => {
    const { user, calls, now } = given([fromSettings], {
      'PATCH /api/models': ({ body }) => {
        const { default: model } = body as { default: string | null }
        now.defaultModel = model === null ? { model: script.id, from: 'usual' } : { model, from: 'settings' }
        return { models: [gpt, script], default: now.defaultModel.model }
      },
    })
    const select = screen.getByLabelText('New sessions use') as HTMLSelectElement
    expect(screen.queryByRole('button', { name: 'Use the usual order' })).toBeNull()
    await user.selectOptions(select, gpt.id)
    await user.click(await screen.findByRole('button', { name: 'Use the usual order' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Use the usual order' })).toBeNull())
    expect(calls.map(({ body }) => body)).toEqual([{ default: gpt.id }, { default: null }])
    expect(select.value).toBe(script.id)
    expect(document.activeElement).toBe(select)
  })

  it('M1: cannot be chosen here while BELAY_MODEL says which', () => {
    given([fromSettings], {}, 'environment')
    const select = screen.getByLabelText('New sessions use') as HTMLSelectElement
    expect(select.disabled).toBe(true)
    expect(document.getElementById(select.getAttribute('aria-describedby') ?? '')?.textContent).toContain('BELAY_MODEL')
  })
})
