/** Decides whether a provider can be called, from the environment and the settings. Settings beat the environment, field by field. */
import { hostOf } from './base-url'
import type { ModelSettings } from './provider-settings'
import type { Access, Provider } from './providers'

export interface ModelEnvironment {
  readonly [variable: string]: string | undefined
}

export type AccessState =
  | { readonly kind: 'ready'; readonly access: Access; readonly host: string }
  /** `explicit`: somebody began to configure it, so silence would hide a mistake. */
  | { readonly kind: 'missing'; readonly reason: string }

export function accessTo(provider: Provider, env: ModelEnvironment, settings: ModelSettings): AccessState {
  const setting = settings.providers[provider.id]
  const apiKey = setting?.apiKey ?? (provider.keyVariable ? said(env[provider.keyVariable]) : undefined)
  const given = setting?.baseUrl ?? said(env[provider.baseUrlVariable])
  if (provider.key === 'needed' && !apiKey) return missing(`${provider.keyVariable} (or a key in Settings)`)
  const text = given ?? provider.defaultBaseUrl
  if (!text) return missing(`${provider.baseUrlVariable} (or a base URL in Settings)`)
  try {
    const baseUrl = provider.normalizeBaseUrl(text)
    return { kind: 'ready', access: { baseUrl, ...(apiKey && { apiKey }) }, host: hostOf(baseUrl) }
  } catch {
    return missing(`a base URL that begins with http:// or https:// in ${provider.baseUrlVariable} (or in Settings)`)
  }
}

/** True when a person or the environment names the provider: a local server's default address alone does not count. */
export function isConfigured(provider: Provider, env: ModelEnvironment, settings: ModelSettings): boolean {
  const named = said(env[provider.baseUrlVariable]) !== undefined || settings.providers[provider.id] !== undefined
  const ready = accessTo(provider, env, settings).kind === 'ready'
  return ready && (provider.key === 'needed' || named)
}

function missing(reason: string): AccessState {
  return { kind: 'missing', reason }
}

/** What a variable says; an empty one says nothing. */
export function said(text: string | undefined): string | undefined {
  const trimmed = text?.trim()
  return trimmed ? trimmed : undefined
}
