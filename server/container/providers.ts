/** The providers as Settings show and change them: kept in the data folder, in use from the next request on (M1). */
import { AppError } from '@/lib/contract/errors'
import type {
  ChangeProviderBody,
  ProviderId,
  ProviderStatus,
  ProvidersAnswer,
  TestProviderAnswer,
} from '@/lib/contract/providers'
import {
  type ModelSettings,
  type ProviderSetting,
  readProviderSettings,
  writeProviderSettings,
} from '../models/provider-settings'
import type { ModelRegistry } from '../models/registry'

/** How long a provider may take to answer the one-button check, in milliseconds. */
const testLimitMs = 15_000

export interface ProvidersOptions {
  readonly home: string
  readonly models: ModelRegistry
  readonly testLimitMs?: number
}

export class Providers {
  readonly #options: ProvidersOptions

  constructor(options: ProvidersOptions) {
    this.#options = options
  }

  list(): ProvidersAnswer {
    const { models } = this.#options
    return { providers: models.providers(), defaultModel: models.defaultModel() }
  }

  /**
   * Keeps or removes a key and a base URL, and asks a provider whose models nobody knows for them. A chosen default that
   * can no longer be called is forgotten. `signal` ends the asking; what was kept stays.
   */
  async change(id: ProviderId, change: ChangeProviderBody, signal: AbortSignal): Promise<ProviderStatus> {
    const { models } = this.#options
    const settings = this.#read()
    const { [id]: before, ...others } = settings.providers
    const after = changed(before, change)
    const isEmpty = Object.keys(after).length === 0
    this.#keep({ ...settings, providers: isEmpty ? others : { ...others, [id]: after } })
    if (settings.defaultModel && !this.#canCall(settings.defaultModel)) this.chooseDefault(null)
    await models.discover(id, signal)
    return this.#statusOf(id)
  }

  /** The one-button check. `draft` stands in for what is kept, field by field. Never rejects for what the provider or the caller does. */
  async test(id: ProviderId, draft: ChangeProviderBody, signal: AbortSignal): Promise<TestProviderAnswer> {
    const { models, testLimitMs: limitMs = testLimitMs } = this.#options
    const tried = Object.keys(draft).length === 0 ? undefined : changed(this.#read().providers[id], draft)
    const limit = AbortSignal.timeout(limitMs)
    try {
      return await models.test(id, AbortSignal.any([signal, limit]), tried)
    } catch (error) {
      if (signal.aborted) return { ok: false, message: 'The test was ended.' }
      if (!limit.aborted) throw error
      const { label } = this.#statusOf(id)
      return { ok: false, message: `${label} did not answer within ${Math.ceil(limitMs / 1000)} s.` }
    }
  }

  /** `null` goes back to the usual order (M2). @throws AppError `model-unavailable` that says what is missing. */
  chooseDefault(model: string | null): void {
    const { defaultModel: _, ...rest } = this.#read()
    if (model !== null) this.#options.models.check(model)
    this.#keep(model === null ? rest : { ...rest, defaultModel: model })
  }

  #statusOf(id: ProviderId): ProviderStatus {
    const status = this.#options.models.providers().find((provider) => provider.id === id)
    if (!status) throw new AppError('not-found', 'There is no such provider.')
    return status
  }

  #canCall(model: string): boolean {
    try {
      this.#options.models.check(model)
      return true
    } catch (error) {
      if (error instanceof AppError) return false
      throw error
    }
  }

  #read(): ModelSettings {
    return readProviderSettings(this.#options.home)
  }

  /** Written first: what could not be kept is not used either. */
  #keep(settings: ModelSettings): void {
    writeProviderSettings(this.#options.home, settings)
    this.#options.models.configure(settings)
  }
}

function changed(before: ProviderSetting = {}, { apiKey, baseUrl }: ChangeProviderBody): ProviderSetting {
  const { apiKey: oldKey, baseUrl: oldUrl, ...rest } = before
  const key = apiKey === undefined ? oldKey : apiKey
  const url = baseUrl === undefined ? oldUrl : baseUrl
  return { ...rest, ...(key && { apiKey: key }), ...(url && { baseUrl: url }) }
}
