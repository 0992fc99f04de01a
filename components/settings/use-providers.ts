'use client'

/** What the server knows of the providers, and what Settings ask it to change. A key goes out and is never kept here (M1). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, reasonOf } from '@/lib/client/api'
import type {
  ChangeProviderBody,
  ProviderId,
  ProviderStatus,
  ProvidersAnswer,
  TestProviderAnswer,
} from '@/lib/contract/providers'

const queryKey = ['providers']

/** All reject with the server's refusal. */
export interface ProviderActions {
  /** Resolves with what the provider has become. */
  readonly change: (id: ProviderId, change: ChangeProviderBody) => Promise<ProviderStatus>
  readonly test: (id: ProviderId, draft: ChangeProviderBody, signal: AbortSignal) => Promise<TestProviderAnswer>
  readonly chooseDefault: (model: string | null) => Promise<void>
}

export function useProviders(initialData: ProvidersAnswer): { providers: ProvidersAnswer; problem: string | null } {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.providers(signal), initialData })
  return { providers: query.data, problem: query.error ? reasonOf(query.error) : null }
}

export function useProviderActions(): ProviderActions {
  const client = useQueryClient()
  return useMemo(() => {
    const askAgain = () =>
      Promise.all([client.invalidateQueries({ queryKey }), client.invalidateQueries({ queryKey: ['models'] })])
    return {
      change: async (id, change) => {
        const { provider } = await api.changeProvider(id, change)
        await askAgain()
        return provider
      },
      test: async (id, draft, signal) => {
        const answer = await api.testProvider(id, draft, signal)
        if (Object.keys(draft).length === 0) await client.invalidateQueries({ queryKey: ['models'] })
        return answer
      },
      chooseDefault: async (model) => {
        await api.chooseDefaultModel(model)
        await askAgain()
      },
    }
  }, [client])
}
