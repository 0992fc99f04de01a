/** Base URLs as people write them: with or without a version, a slash at the end, or Ollama's `/api`. */

/** The same URL with a version segment: `version` is added unless the path has one (`/v1`, `/v1beta`, `/paas/v4`). @throws TypeError when it is no http(s) URL. */
export function versionedBaseUrl(text: string, version: 'v1' | 'v1beta'): string {
  const url = new URL(text.trim())
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new TypeError('A base URL begins with http or https.')
  const path = url.pathname.replace(/\/+$/, '')
  const hasVersion = path.split('/').some((segment) => /^v\d/.test(segment))
  return `${url.origin}${hasVersion ? path : `${path}/${version}`}`
}

/** Ollama's OpenAI-compatible address, from its own `/api` address too. */
export function ollamaBaseUrl(text: string): string {
  return versionedBaseUrl(text.trim().replace(/\/api\/?$/, ''), 'v1')
}

/** Host and port, which may be shown. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host
}
