/** Which variables configure which provider (M1). Names only: a value never reaches a browser. */
export interface ProviderVariables {
  /** As it stands before the slash of a model's name. */
  readonly provider: string
  readonly name: string
  readonly variables: readonly string[]
}

export const providerVariables: readonly ProviderVariables[] = [
  { provider: 'openai', name: 'OpenAI', variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
  { provider: 'anthropic', name: 'Anthropic', variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] },
  { provider: 'google', name: 'Google', variables: ['GOOGLE_GENERATIVE_AI_API_KEY'] },
  { provider: 'deepseek', name: 'DeepSeek', variables: ['DEEPSEEK_API_KEY', 'DEEPSEEK_BASE_URL'] },
  {
    provider: 'openai-compatible',
    name: 'OpenAI-compatible server',
    variables: ['OPENAI_COMPATIBLE_BASE_URL', 'OPENAI_COMPATIBLE_API_KEY'],
  },
  { provider: 'ollama', name: 'Ollama', variables: ['OLLAMA_BASE_URL'] },
]
