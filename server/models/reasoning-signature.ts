/** A provider's proof for its reasoning, packed into the one string that a block keeps, and marked with who gave it. */
import type { SharedV3ProviderMetadata, SharedV3ProviderOptions } from '@ai-sdk/provider'

/**
 * What a provider may be sent of earlier reasoning: `anthropic` and `google` check signatures and get back only what they
 * signed; `plain` wants the text; `drop` gets none.
 */
export type ReasoningPolicy = 'anthropic' | 'google' | 'plain' | 'drop'

const marks = {
  anthropic: { signature: 'anthropic:', redactedData: 'anthropic-redacted:' },
  google: { thoughtSignature: 'google:' },
} as const

/** The signature that a stream part carries, marked; undefined when it carries none. */
export function packSignature(metadata: SharedV3ProviderMetadata | undefined): string | undefined {
  if (!metadata) return undefined
  for (const [provider, fields] of Object.entries(marks)) {
    for (const [field, mark] of Object.entries(fields)) {
      const value = metadata[provider]?.[field]
      if (typeof value === 'string' && value !== '') return mark + value
    }
  }
  return undefined
}

/** The options that prove a block to the provider that signed it. Another provider's signature proves nothing. */
export function readSignature(
  provider: keyof typeof marks,
  signature: string | undefined,
): SharedV3ProviderOptions | undefined {
  for (const [field, mark] of Object.entries(marks[provider])) {
    if (signature?.startsWith(mark)) return { [provider]: { [field]: signature.slice(mark.length) } }
  }
  return undefined
}
