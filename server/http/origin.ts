/** Host names and origins, compared without trusting their spelling (W10). */

interface HostAndPort {
  /** Lower case, without a trailing dot, IPv6 in brackets. */
  readonly host: string
  /** As written; undefined when the header names none. */
  readonly port: number | undefined
}

/** True for a loopback name with our port, and for what `allowedHosts` lists: with a port exactly, without one with ours or none. */
export function namesThisServer(
  header: string | null,
  { port, allowedHosts }: { readonly port: number; readonly allowedHosts: readonly string[] },
): boolean {
  const named = parseHost(header)
  if (!named) return false
  if (isLoopback(named.host) && (named.port ?? 80) === port) return true
  return allowedHosts.some((entry) => {
    const allowed = parseHost(entry)
    if (allowed?.host !== named.host) return false
    return allowed.port === undefined ? named.port === undefined || named.port === port : allowed.port === named.port
  })
}

/** True when `Origin` names the same host and port as `Host`. `null` and anything but http(s) is foreign. */
export function isSameOrigin(origin: string, host: string | null): boolean {
  const match = /^(https?):\/\/([^/?#@\\]+)$/i.exec(origin)
  const from = parseHost(match?.[2] ?? null)
  const to = parseHost(host)
  if (!match || !from || !to || from.host !== to.host) return false
  const standard = match[1]?.toLowerCase() === 'https' ? 443 : 80
  return (from.port ?? standard) === (to.port ?? standard)
}

function parseHost(text: string | null): HostAndPort | undefined {
  const match = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text?.trim() ?? '')
  const host = match?.[1]?.toLowerCase().replace(/\.$/, '')
  if (!match || !host) return undefined
  return { host, port: match[2] === undefined ? undefined : Number(match[2]) }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}
