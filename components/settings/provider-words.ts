/** The words of Settings for providers: how one stands, what may be entered, what a test found. */
import { assertNever } from '@/lib/contract/assert-never'
import type { ProviderStatus, TestProviderAnswer } from '@/lib/contract/providers'
import type { StateWord } from '@/lib/contract/session'

export interface Standing {
  readonly state: StateWord
  readonly text: string
}

export function standingOf({ configured, key, baseUrl }: ProviderStatus): Standing {
  switch (configured) {
    case 'settings':
      return { state: 'done', text: 'Ready from Settings' }
    case 'environment':
      return { state: 'done', text: 'Ready from environment' }
    case 'local':
      return { state: 'done', text: 'Found on this machine' }
    case 'none': {
      const isBegun = key.from !== 'none' || baseUrl.from === 'settings' || baseUrl.from === 'environment'
      return isBegun ? { state: 'needs-you', text: 'Not complete' } : { state: 'new', text: 'Not set' }
    }
    default:
      return assertNever(configured)
  }
}

/** Whether Settings hold something of the provider that can be removed. */
export function isStored({ key, baseUrl }: ProviderStatus): boolean {
  return key.from === 'settings' || baseUrl.from === 'settings'
}

export function keyHint({ from, needed, variable }: ProviderStatus['key']): string {
  if (from === 'settings') return 'A key is stored. It is never shown; type another to replace it.'
  if (from === 'environment') return `Read from ${variable}. A key entered here beats it.`
  const otherwise = variable ? ` Or set ${variable} and start Belay again.` : ''
  return needed ? `Needed.${otherwise}` : `Only if the server asks for one.${otherwise}`
}

export function baseUrlHint({ url, from, variable }: ProviderStatus['baseUrl']): string {
  switch (from) {
    case 'settings':
      return 'With or without /v1. Leave it empty to forget this address.'
    case 'environment':
      return url === null
        ? `${variable} holds no address that begins with http:// or https://.`
        : `${url}, read from ${variable}. An address entered here beats it.`
    case 'local':
      return `Found at ${url}.`
    case 'usual':
      return `Left empty: ${url}. Or set ${variable}.`
    case 'none':
      return `Needed, with or without /v1. Or set ${variable}.`
    default:
      return assertNever(from)
  }
}

const shownModels = 3

/** What a test found, said plainly. `tried`: what was typed, or what is kept. */
export function testText(answer: TestProviderAnswer, tried: 'typed' | 'kept'): string {
  if (!answer.ok) return answer.message
  const { models } = answer
  const more = models.length - shownModels
  const names = models.slice(0, shownModels).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const count = models.length === 1 ? '1 model' : `${models.length} models`
  const found = models.length === 0 ? 'It answers, and lists no models.' : `It answers, and lists ${count}: ${names}.`
  return tried === 'typed' ? `${found} Not saved yet.` : found
}

/** A refusal's words as a sentence: `a key has no spaces` becomes `A key has no spaces.` */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
