/** Every model that Belay can call, by its name `provider/model` (M1, M2): the runtime's `ModelPort`. */
import type { ModelInfo } from '@/lib/contract/commands'
import { AppError } from '@/lib/contract/errors'
import type { DefaultModel, ProviderId, ProviderStatus, TestProviderAnswer } from '@/lib/contract/providers'
import type { Clock, ModelPart, ModelPort, ModelRequest } from '@/server/runtime/ports'
import { type ProviderModel, streamFromProvider } from './adapter'
import { hostOf } from './base-url'
import { type Failure, failure } from './failure'
import { type FoundServer, findLocalServers, type LocalServer, usualServers } from './local-servers'
import { canTalk, listModels } from './model-list'
import { type AccessState, accessTo, isConfigured, type ModelEnvironment } from './provider-access'
import { type ModelSettings, noProviderSettings, type ProviderSetting } from './provider-settings'
import { statusOf } from './provider-status'
import { type Provider, providerOf, providers } from './providers'
import { rehearsalModels, rehearse } from './rehearsal/model'

export interface ModelRegistryOptions {
  readonly env: ModelEnvironment
  readonly settings?: ModelSettings
  readonly clock: Clock
  /** A provider that sends no byte for so long has failed (`provider-timeout`). Default: 5 minutes. */
  readonly idleMs?: number
  /** Where to look for a local server (M2). Default: the usual loopback ports. */
  readonly localServers?: readonly LocalServer[]
  readonly probeTimeoutMs?: number
}

type Resolved =
  | { readonly kind: 'model'; readonly model: ProviderModel }
  | { readonly kind: 'missing'; readonly reason: string }

const lastResort = 'rehearsal/script'

export class ModelRegistry implements ModelPort {
  readonly #options: ModelRegistryOptions
  #settings: ModelSettings
  #local: readonly FoundServer[] = []
  readonly #discovered = new Map<ProviderId, readonly string[]>()

  constructor(options: ModelRegistryOptions) {
    this.#options = options
    this.#settings = options.settings ?? noProviderSettings
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const { clock, idleMs = 300_000 } = this.#options
    if (isRehearsal(request.model)) return rehearse(request, clock, signal)
    const resolved = this.#resolve(request.model)
    if (resolved.kind === 'missing') return once(failure('model-unavailable', resolved.reason))
    return streamFromProvider(resolved.model, request, { idleMs, now: () => clock.now() }, signal)
  }

  /** @throws AppError `model-unavailable` that names the variable or setting which is missing. */
  check(model: string): void {
    if (isRehearsal(model)) return
    const resolved = this.#resolve(model)
    if (resolved.kind === 'missing') throw new AppError('model-unavailable', resolved.reason)
  }

  /** `BELAY_MODEL`, the settings' default, the first configured provider, a local server, else the script (M2). */
  default(): string {
    return this.defaultModel().model
  }

  /** The default, and what decided it. */
  defaultModel(): DefaultModel {
    const given = this.#options.env.BELAY_MODEL?.trim()
    if (given) return { model: given, from: 'environment' }
    const chosen = this.#settings.defaultModel
    return chosen ? { model: chosen, from: 'settings' } : { model: this.#usualModel(), from: 'usual' }
  }

  /** The models to choose from: a selection, not a limit. The scripts come last. */
  list(): ModelInfo[] {
    const offered = providers
      .filter((provider) => this.#isConfigured(provider) || this.#localOf(provider))
      .flatMap((provider) => this.#modelsOf(provider).map((model) => infoOf(provider.id, provider.label, model)))
    const named = this.default()
    const known = [...offered, ...rehearsalModels]
    return known.some(({ id }) => id === named) ? known : [infoOf(...splitForShow(named)), ...known]
  }

  /** What Settings may show of each provider. Never a key. */
  providers(): ProviderStatus[] {
    return providers.map((provider) => {
      const local = this.#isConfigured(provider) ? undefined : this.#localOf(provider)?.baseUrl
      return statusOf(provider, this.#options.env, this.#settings, this.#accessTo(provider), local)
    })
  }

  /** Takes new settings; they act from the next request on. */
  configure(settings: ModelSettings): void {
    const before = this.#settings
    this.#settings = settings
    for (const { id } of providers) {
      if (!isSame(before.providers[id], settings.providers[id])) this.#discovered.delete(id)
    }
  }

  /** The one-button check: asks the provider for its models. `draft` is tried instead of what is saved. Rejects only with the signal's reason. */
  async test(id: ProviderId, signal: AbortSignal, draft?: ProviderSetting): Promise<TestProviderAnswer> {
    const provider = providerOf(id)
    if (!provider) return { ok: false, message: `There is no provider "${id}".` }
    const saved = this.#settings.providers[id]
    const settings = draft
      ? { ...this.#settings, providers: { ...this.#settings.providers, [id]: draft } }
      : this.#settings
    const state = draft ? accessTo(provider, this.#options.env, settings) : this.#accessTo(provider)
    if (state.kind === 'missing') return { ok: false, message: `${provider.label} needs ${state.reason}.` }
    const listing = await this.#list(provider, state, signal)
    if (listing.kind === 'failure') return { ok: false, message: listing.message }
    const isCurrent = !draft && isSame(saved, this.#settings.providers[id])
    if (isCurrent) this.#discovered.set(id, listing.models.filter(canTalk))
    return { ok: true, models: [...listing.models] }
  }

  /** Asks a configured provider for the models that nobody can know beforehand, for two seconds at most. Never fails: what is wrong shows when it is used. */
  async discover(id: ProviderId, signal: AbortSignal): Promise<void> {
    const provider = providerOf(id)
    if (!provider || provider.models.length > 0 || !this.#isConfigured(provider)) return
    const limit = AbortSignal.any([signal, AbortSignal.timeout(Math.max(this.#options.probeTimeoutMs ?? 0, 2000))])
    await this.test(id, limit).catch(() => undefined) // Too slow, or no longer wanted.
  }

  /** Looks for local servers, and asks the configured ones whose models nobody can know beforehand. Never fails; rejects only with the signal's reason. */
  async probeLocal(signal: AbortSignal): Promise<void> {
    const { localServers = usualServers, probeTimeoutMs = 2_000 } = this.#options
    const own = providers.filter((provider) => provider.models.length === 0)
    const [found] = await Promise.all([
      findLocalServers(localServers, probeTimeoutMs, signal),
      ...own.map((provider) => this.discover(provider.id, signal)),
    ])
    signal.throwIfAborted()
    this.#local = found
  }

  /** Probes now and every `everyMs`, until the returned undo has been called and awaited. */
  keepProbing(everyMs: number): () => Promise<void> {
    const end = new AbortController()
    const probing = this.#probeUntil(everyMs, end.signal)
    return () => {
      end.abort()
      return probing
    }
  }

  async #probeUntil(everyMs: number, signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        await this.probeLocal(signal)
        await this.#options.clock.sleep(everyMs, signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  async #list(
    provider: Provider,
    state: Extract<AccessState, { kind: 'ready' }>,
    signal: AbortSignal,
  ): Promise<{ kind: 'models'; models: readonly string[] } | { kind: 'failure'; message: string }> {
    const facts = factsOf(provider, '', state.host)
    const listing = await listModels(provider, state.access, facts, () => this.#options.clock.now(), signal)
    return 'kind' in listing ? listing : { kind: 'failure', message: listing.message }
  }

  #resolve(name: string): Resolved {
    const slash = name.indexOf('/')
    const model = name.slice(slash + 1)
    if (slash < 1 || model === '') {
      return {
        kind: 'missing',
        reason: `"${name}" is not a model's name. Write provider/model, for example openai/gpt-5.5.`,
      }
    }
    const id = name.slice(0, slash)
    if (id === 'rehearsal') {
      return { kind: 'missing', reason: `There is no script "${model}": choose rehearsal/script or rehearsal/fast.` }
    }
    const provider = providerOf(id)
    if (!provider) {
      const known = providers.map((one) => one.id).join(', ')
      return { kind: 'missing', reason: `There is no provider "${id}". Known are ${known} and rehearsal.` }
    }
    const state = this.#accessTo(provider)
    if (state.kind === 'missing') return { kind: 'missing', reason: `${name} needs ${state.reason}.` }
    const { access, host } = state
    const maxOutputTokens = provider.maxOutputTokens(model)
    const providerOptions = provider.providerOptions?.(model)
    return {
      kind: 'model',
      model: {
        facts: factsOf(provider, model, host),
        reasoning: provider.reasoning,
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(providerOptions && { providerOptions }),
        open: (fetch) => provider.open(access, model, fetch),
      },
    }
  }

  /** What is configured, else what was found on this machine. */
  #accessTo(provider: Provider): AccessState {
    const local = this.#isConfigured(provider) ? undefined : this.#localOf(provider)
    if (local) return { kind: 'ready', access: { baseUrl: local.baseUrl }, host: hostOf(local.baseUrl) }
    return accessTo(provider, this.#options.env, this.#settings)
  }

  #isConfigured(provider: Provider): boolean {
    return isConfigured(provider, this.#options.env, this.#settings)
  }

  #usualModel(): string {
    for (const provider of providers) {
      const model = this.#isConfigured(provider) ? this.#modelsOf(provider)[0] : undefined
      if (model) return `${provider.id}/${model}`
    }
    const local = this.#local[0]
    return local ? `${local.provider}/${local.models[0]}` : lastResort
  }

  #localOf(provider: Provider): FoundServer | undefined {
    return this.#local.find((server) => server.provider === provider.id)
  }

  #modelsOf(provider: Provider): string[] {
    const own = this.#settings.providers[provider.id]?.models ?? []
    const found = this.#isConfigured(provider) ? this.#discovered.get(provider.id) : this.#localOf(provider)?.models
    return [...new Set([...own, ...provider.models, ...(found ?? [])])]
  }
}

function factsOf(provider: Provider, model: string, host: string): ProviderModel['facts'] {
  const { label, keyVariable, baseUrlVariable } = provider
  return { label, model, host, baseUrlVariable, ...(keyVariable && { keyVariable }) }
}

function isSame(one: ProviderSetting | undefined, other: ProviderSetting | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function infoOf(provider: string, label: string, model: string): ModelInfo {
  return { id: `${provider}/${model}`, label: `${model} (${label})`, provider, scripted: false }
}

function splitForShow(name: string): [string, string, string] {
  const [provider = name, ...model] = name.split('/')
  return [provider, providerOf(provider)?.label ?? provider, model.join('/')]
}

function isRehearsal(model: string): boolean {
  return rehearsalModels.some(({ id }) => id === model)
}

async function* once(part: Failure): AsyncGenerator<ModelPart, void, void> {
  yield part
}
