// The proxy for outgoing connections, and the hosts that are reached without it.
import { setGlobalProxyFromEnv } from 'node:http'

export interface Proxy {
  /** Of HTTPS_PROXY, such as http://user:password@proxy.lan:3128. */
  readonly url: string
  /** Of NO_PROXY: names, `.suffixes` and `*`, each with or without a port, with commas between. */
  readonly direct: string
}

/**
 * Lets `fetch` and the global agent of https use the proxy, for the whole process. Plain http stays direct: it is for addresses
 * of this machine and its network. Returns the way back.
 */
export function goThroughProxy(proxy: Proxy | undefined): () => void {
  return proxy === undefined ? () => {} : setGlobalProxyFromEnv({ HTTPS_PROXY: proxy.url, NO_PROXY: proxy.direct })
}

/** Address of the proxy for a connection to this host; undefined if the host is reached without it. */
export function proxyUrlFor(proxy: Proxy | undefined, host: string, port: number): string | undefined {
  if (proxy === undefined) return undefined
  const isDirect = proxy.direct
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matches(entry, host.toLowerCase(), port))
  return isDirect ? undefined : proxy.url
}

/** As Node's own `fetch` compares them. */
function matches(entry: string, host: string, port: number): boolean {
  if (entry === '*') return true
  const [, name = '', entryPort] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? []
  if (entryPort !== undefined && Number(entryPort) !== port) return false
  return /^[.*]/.test(name) ? host.endsWith(name.replace(/^\*/, '')) : host === name
}
