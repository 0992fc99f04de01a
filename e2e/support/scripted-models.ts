/** Model doubles of one server: each scripted model has a name of its own, so that tests share a server and never a script. */
import { type ModelServer, type RecordedRequest, startModelServer } from '@/tests/support/model-server/model-server'
import type { ServerStep } from '@/tests/support/model-server/steps'

export type { RecordedRequest, ServerStep }

/** The steps for a model's nth request (from 1). */
export type Script = (request: RecordedRequest, n: number) => readonly ServerStep[]

export interface ScriptedModel {
  /** `provider/model`, for `POST /api/sessions`. */
  readonly id: string
  /** Every request to this model so far. */
  requests(): readonly RecordedRequest[]
}

export type ProviderName = 'openai' | 'openai-compatible' | 'anthropic' | 'google' | 'deepseek' | 'ollama'

export class ScriptedModels {
  readonly #scripts = new Map<string, Script>()
  #count = 0

  private constructor(private readonly server: ModelServer) {}

  /** Starts the double. It is strict: what a real provider would refuse gets a 400 and fails its turn. */
  static async start(): Promise<ScriptedModels> {
    const models: { current?: ScriptedModels } = {}
    const server = await startModelServer({
      strict: true,
      models: ['listed-model'],
      script: (request) => models.current?.stepsFor(request) ?? [],
    })
    models.current = new ScriptedModels(server)
    return models.current
  }

  /** The environment of a server whose every provider is this double. */
  get env(): Record<string, string> {
    const { url } = this.server
    return {
      OPENAI_API_KEY: 'key-of-openai',
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_COMPATIBLE_BASE_URL: url,
      OPENAI_COMPATIBLE_API_KEY: 'key-of-compatible',
      ANTHROPIC_API_KEY: 'key-of-anthropic',
      ANTHROPIC_BASE_URL: url,
      GOOGLE_GENERATIVE_AI_API_KEY: 'key-of-google',
      GOOGLE_GENERATIVE_AI_BASE_URL: url,
      DEEPSEEK_API_KEY: 'key-of-deepseek',
      DEEPSEEK_BASE_URL: `${url}/v1`,
      OLLAMA_BASE_URL: `${url}/api`,
    }
  }

  get url(): string {
    return this.server.url
  }

  /** A new model with this script: a list of steps for every request, or a function of the request. */
  script(script: readonly ServerStep[] | Script, provider: ProviderName = 'openai-compatible'): ScriptedModel {
    this.#count += 1
    const name = `double-${this.#count}`
    this.#scripts.set(name, typeof script === 'function' ? script : () => script)
    return { id: `${provider}/${name}`, requests: () => this.#requestsTo(name) }
  }

  /** Lets every request go on that waits at this gate. */
  release(gate: string): void {
    this.server.release(gate)
  }

  close(): Promise<void> {
    return this.server.close()
  }

  /** The steps of one request. @internal */
  stepsFor(request: RecordedRequest): readonly ServerStep[] {
    const steps = this.#scripts.get(request.model)?.(request, this.#requestsTo(request.model).length)
    return steps ?? [{ kind: 'answer', status: 404, body: '{"error":{"message":"no such model"}}' }]
  }

  #requestsTo(name: string): readonly RecordedRequest[] {
    return this.server.requests.filter((request) => request.model === name)
  }
}

/** A whole answer of one text. */
export function says(text: string): readonly ServerStep[] {
  return [{ kind: 'text', pieces: text }]
}

/** Text, and then nothing more until the client goes. */
export function saysThenHangs(text: string): readonly ServerStep[] {
  return [{ kind: 'text', pieces: text }, { kind: 'hang' }]
}

/** One call of `run_command`. */
export function runs(command: string, more: Readonly<Record<string, unknown>> = {}): ServerStep {
  return { kind: 'call', name: 'run_command', input: { command, ...more } }
}

/** The nanosecond clock of the double as `performance.now()` of this process. */
export function onThisClock(ns: bigint): number {
  return performance.now() - Number(process.hrtime.bigint() - ns) / 1e6
}
