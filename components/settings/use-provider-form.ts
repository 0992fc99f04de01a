'use client'

/** What is typed about one provider and not sent yet, and what came of sending it. */
import { useEffect, useRef, useState } from 'react'
import { sentence, testText } from '@/components/settings/provider-words'
import type { ProviderActions } from '@/components/settings/use-providers'
import { reasonOf } from '@/lib/client/api'
import { AppError } from '@/lib/contract/errors'
import type { ChangeProviderBody, ProviderStatus } from '@/lib/contract/providers'

export type FormResult =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'testing' }
  | { readonly kind: 'good'; readonly text: string }
  | { readonly kind: 'bad'; readonly text: string }

type Problems = Readonly<Partial<Record<'apiKey' | 'baseUrl', string>>>

export function useProviderForm(provider: ProviderStatus, actions: Pick<ProviderActions, 'change' | 'test'>) {
  const kept = keptUrl(provider)
  const [apiKey, setApiKey] = useState('')
  const [baseUrl, setBaseUrl] = useState(kept)
  const [result, setResult] = useState<FormResult>({ kind: 'nothing' })
  const [problems, setProblems] = useState<Problems>({})
  const testing = useRef<AbortController | null>(null)
  useEffect(() => () => testing.current?.abort(), [])

  const draft = draftOf(apiKey, baseUrl, kept)
  const isBusy = result.kind === 'saving' || result.kind === 'testing'

  const type = (set: (text: string) => void) => (text: string) => {
    set(text)
    setProblems({})
    if (!isBusy) setResult({ kind: 'nothing' })
  }

  const failed = (error: unknown, lead: string) => {
    const known = problemsOf(error)
    setProblems(known)
    setResult(Object.keys(known).length > 0 ? { kind: 'nothing' } : { kind: 'bad', text: `${lead} ${reasonOf(error)}` })
  }

  const change = async (body: ChangeProviderBody, done: string, lead: string) => {
    setResult({ kind: 'saving' })
    setProblems({})
    try {
      const after = await actions.change(provider.id, body)
      setApiKey('')
      setBaseUrl(keptUrl(after))
      setResult({ kind: 'good', text: done })
    } catch (error) {
      failed(error, lead)
    }
  }

  const test = async () => {
    const own = new AbortController()
    testing.current = own
    setResult({ kind: 'testing' })
    setProblems({})
    try {
      const answer = await actions.test(provider.id, draft, own.signal)
      if (own.signal.aborted) return
      const text = testText(answer, isEmpty(draft) ? 'kept' : 'typed')
      setResult({ kind: answer.ok ? 'good' : 'bad', text })
    } catch (error) {
      if (!own.signal.aborted) failed(error, 'Not tested.')
    }
  }

  return {
    apiKey,
    baseUrl,
    result,
    problems,
    isBusy,
    canSave: !isBusy && !isEmpty(draft),
    typeKey: type(setApiKey),
    typeBaseUrl: type(setBaseUrl),
    save: () => change(draft, 'Saved.', 'Not saved.'),
    remove: () => change({ apiKey: null, baseUrl: null }, 'Removed.', 'Not removed.'),
    test,
    endTest: () => {
      testing.current?.abort()
      setResult({ kind: 'nothing' })
    },
  }
}

function keptUrl({ baseUrl }: ProviderStatus): string {
  return baseUrl.from === 'settings' ? (baseUrl.url ?? '') : ''
}

function draftOf(apiKey: string, baseUrl: string, kept: string): ChangeProviderBody {
  const key = apiKey.trim()
  const url = baseUrl.trim()
  return { ...(key !== '' && { apiKey: key }), ...(url !== kept && { baseUrl: url === '' ? null : url }) }
}

function isEmpty(draft: ChangeProviderBody): boolean {
  return Object.keys(draft).length === 0
}

/** Which field the server refuses, and why; nothing when the refusal is about something else. */
function problemsOf(error: unknown): Problems {
  if (!(error instanceof AppError) || error.code !== 'invalid-request') return {}
  const { problems } = (error.details ?? {}) as { problems?: readonly { path: string; message: string }[] }
  const entries = (problems ?? []).flatMap(({ path, message }) =>
    path === 'apiKey' || path === 'baseUrl' ? [[path, sentence(message)]] : [],
  )
  return Object.fromEntries(entries) as Problems
}
