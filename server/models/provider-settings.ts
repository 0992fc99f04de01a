/** What a person entered in Settings about providers: `BELAY_HOME/providers.json`, mode 0600, never sent to a browser (M1). */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { providerIdSchema } from '@/lib/contract/providers'

const providerSettingSchema = z.strictObject({
  apiKey: z.string().trim().min(1).max(1000).optional(),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(1000)
    .optional(),
  /** Models to offer in the picker besides the known ones. */
  models: z.array(z.string().trim().min(1).max(180)).max(200).optional(),
})
export type ProviderSetting = z.infer<typeof providerSettingSchema>

const providerSettingsSchema = z.strictObject({
  /** `provider/model`; `BELAY_MODEL` beats it. */
  defaultModel: z.string().trim().min(1).max(200).optional(),
  providers: z.partialRecord(providerIdSchema, providerSettingSchema).default({}),
})
export type ModelSettings = z.infer<typeof providerSettingsSchema>

export const noProviderSettings: ModelSettings = { providers: {} }

const fileName = 'providers.json'

/** @throws Error with a clear text when the file is there and cannot be understood; it is left as it is. */
export function readProviderSettings(home: string): ModelSettings {
  const file = join(home, fileName)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return noProviderSettings
    throw new Error(`The provider settings in ${file} cannot be read. Check who owns the file.`)
  }
  const parsed = providerSettingsSchema.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new Error(`The provider settings in ${file} are not valid. Correct the file or move it away.`)
}

/** Replaces the file in one step, readable by its owner only. */
export function writeProviderSettings(home: string, settings: ModelSettings): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const file = join(home, fileName)
  const fresh = `${file}.${process.pid}.new`
  try {
    writeFileSync(fresh, `${JSON.stringify(providerSettingsSchema.parse(settings), null, 2)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // not valid, and the schema says so
  }
}
