'use client'

/** Models in Settings: the default, and every provider with its key and address. */
import { DefaultModelField } from '@/components/settings/default-model'
import { ProviderRow } from '@/components/settings/provider-row'
import { useProviderActions, useProviders } from '@/components/settings/use-providers'
import { Notice } from '@/components/ui/notice'
import { useModels } from '@/components/workbench/queries'
import type { ProvidersAnswer } from '@/lib/contract/providers'

export function ModelSettings({ initial }: { initial: ProvidersAnswer }) {
  const { providers, problem } = useProviders(initial)
  const { models } = useModels()
  const actions = useProviderActions()
  return (
    <>
      {problem && <Notice tone="failure">What you see may be old. {problem}</Notice>}
      <DefaultModelField
        models={models.models}
        defaultModel={providers.defaultModel}
        onChoose={actions.chooseDefault}
      />
      <ul className="grid divide-y rounded-card border">
        {providers.providers.map((provider) => (
          <ProviderRow key={provider.id} provider={provider} actions={actions} />
        ))}
      </ul>
    </>
  )
}
