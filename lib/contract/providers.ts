/** Providers as Settings shows and changes them (M1). A key goes in and never comes out: no answer has a field for one. */
import { z } from 'zod'

/** As it stands before the slash of a model's name. */
export const providerIdSchema = z.enum(['anthropic', 'openai', 'google', 'deepseek', 'openai-compatible', 'ollama'])
export type ProviderId = z.infer<typeof providerIdSchema>

export const providerStatusSchema = z.object({
  id: providerIdSchema,
  label: z.string(),
  /** What makes the provider ready: an entry in Settings, the environment, a server found on this machine (M2); `none` when it is not. */
  configured: z.enum(['settings', 'environment', 'local', 'none']),
  /** What has to be set before it can be called, naming the variable and Settings; null when nothing has. */
  missing: z.string().nullable(),
  key: z.object({
    needed: z.boolean(),
    /** Where the key in use comes from; Settings beat the environment. */
    from: z.enum(['settings', 'environment', 'none']),
    variable: z.string().nullable(),
  }),
  baseUrl: z.object({
    /** The address in use, without user, query and fragment; null when there is none or it is not an address. */
    url: z.string().nullable(),
    from: z.enum(['settings', 'environment', 'local', 'usual', 'none']),
    variable: z.string(),
  }),
})
export type ProviderStatus = z.infer<typeof providerStatusSchema>

/** `environment` is `BELAY_MODEL`, which beats Settings; `usual` is the order of M2. */
export const defaultModelSchema = z.object({ model: z.string(), from: z.enum(['environment', 'settings', 'usual']) })
export type DefaultModel = z.infer<typeof defaultModelSchema>

export const providersAnswer = z.object({ providers: z.array(providerStatusSchema), defaultModel: defaultModelSchema })
export type ProvidersAnswer = z.infer<typeof providersAnswer>

export const providerParams = z.object({ providerId: providerIdSchema })

const apiKey = z
  .string()
  .trim()
  .min(1, 'the key is empty')
  .max(1000)
  .regex(/^[\x21-\x7e]*$/, 'a key has no spaces and only plain letters, digits and signs')

const baseUrl = z
  .url({ protocol: /^https?$/, abort: true, error: 'a base URL begins with http:// or https://' })
  .max(1000)
  .refine((text) => isBare(new URL(text)), 'a base URL has no user, query or fragment')

/** `null` removes what Settings hold; what is left out stays as it is. */
export const changeProviderBody = z.strictObject({
  apiKey: apiKey.nullable().optional(),
  baseUrl: baseUrl.nullable().optional(),
})
export type ChangeProviderBody = z.infer<typeof changeProviderBody>
export const providerAnswer = z.object({ provider: providerStatusSchema })

/** Whether the provider answered with its models; otherwise what is wrong, in our words. */
export const testProviderAnswer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), models: z.array(z.string()) }),
  z.object({ ok: z.literal(false), message: z.string() }),
])
export type TestProviderAnswer = z.infer<typeof testProviderAnswer>

/** `null` goes back to the usual order (M2). */
export const changeDefaultModelBody = z.strictObject({ default: z.string().trim().min(1).max(200).nullable() })

function isBare(url: URL): boolean {
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}
