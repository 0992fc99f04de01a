'use client'

/** Providers in every standing, for the fixture page. Open ones can be tried: Test answers, Save refuses. */
import { DefaultModelField } from '@/components/settings/default-model'
import { ProviderRow } from '@/components/settings/provider-row'
import { sampleProviders } from '@/components/settings/sample-providers'
import { Specimen, SpecimenGroup } from '@/components/ui/specimen'
import { AppError } from '@/lib/contract/errors'
import type { DefaultModel } from '@/lib/contract/providers'

const actions = {
  change: async () => {
    throw new AppError('invalid-request', 'apiKey: a key has no spaces', {
      problems: [{ path: 'apiKey', message: 'a key has no spaces' }],
    })
  },
  test: async () => ({ ok: true as const, models: ['gpt-5.5', 'gpt-5.4-mini', 'gpt-5.3-codex', 'whisper'] }),
}
const models = [{ id: 'openai/gpt-5.5', label: 'gpt-5.5 (OpenAI)', provider: 'openai', scripted: false }]
const origins: readonly DefaultModel['from'][] = ['usual', 'settings', 'environment']

export function SettingsFixtures() {
  return (
    <SpecimenGroup title="Settings">
      {Object.entries(sampleProviders).map(([name, provider]) => (
        <Specimen key={name} name={`provider, ${name}`} wide>
          <ul className="grid max-w-4xl divide-y rounded-card border">
            <ProviderRow provider={provider} actions={actions} />
            <ProviderRow provider={provider} actions={actions} initially="open" />
          </ul>
        </Specimen>
      ))}
      {origins.map((from) => (
        <Specimen key={from} name={`default model, ${from}`}>
          <DefaultModelField
            models={models}
            defaultModel={{ model: 'openai/gpt-5.5', from }}
            onChoose={async () => {}}
          />
        </Specimen>
      ))}
    </SpecimenGroup>
  )
}
