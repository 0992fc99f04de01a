/** What Settings may show of a provider: what is set, from where, and what is missing. Never a key (M1). */
import type { ProviderStatus } from '@/lib/contract/providers'
import { type AccessState, isConfigured, type ModelEnvironment, said } from './provider-access'
import type { ModelSettings } from './provider-settings'
import type { Provider } from './providers'

/** `state` is how the provider would be called now; `local` the address of a server found on this machine that stands in for it. */
export function statusOf(
  provider: Provider,
  env: ModelEnvironment,
  settings: ModelSettings,
  state: AccessState,
  local: string | undefined,
): ProviderStatus {
  const key = keyOf(provider, env, settings)
  const baseUrl = baseUrlOf(provider, env, settings, local)
  return {
    id: provider.id,
    label: provider.label,
    configured: isConfigured(provider, env, settings) ? placeOf(key, baseUrl) : local ? 'local' : 'none',
    missing: state.kind === 'missing' ? state.reason : null,
    key,
    baseUrl,
  }
}

/** Where the entry stands that made the provider ready: its key where one is needed, else its address. */
function placeOf(key: ProviderStatus['key'], baseUrl: ProviderStatus['baseUrl']): 'settings' | 'environment' {
  const from = key.needed ? key.from : baseUrl.from
  return from === 'environment' ? 'environment' : 'settings'
}

function keyOf(provider: Provider, env: ModelEnvironment, settings: ModelSettings): ProviderStatus['key'] {
  const variable = provider.keyVariable ?? null
  const given = variable !== null && said(env[variable]) !== undefined
  const from = settings.providers[provider.id]?.apiKey ? 'settings' : given ? 'environment' : 'none'
  return { needed: provider.key === 'needed', from, variable }
}

function baseUrlOf(
  provider: Provider,
  env: ModelEnvironment,
  settings: ModelSettings,
  local: string | undefined,
): ProviderStatus['baseUrl'] {
  const variable = provider.baseUrlVariable
  const entered = settings.providers[provider.id]?.baseUrl
  const given = said(env[variable])
  if (entered) return { url: bare(entered), from: 'settings', variable }
  if (given) return { url: bare(given), from: 'environment', variable }
  if (local) return { url: bare(local), from: 'local', variable }
  if (provider.defaultBaseUrl) return { url: bare(provider.defaultBaseUrl), from: 'usual', variable }
  return { url: null, from: 'none', variable }
}

/** An address without what may be secret in it; null when it is none. */
function bare(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, origin, pathname } = new URL(text)
  return /^https?:$/.test(protocol) ? `${origin}${pathname === '/' ? '' : pathname}` : null
}
