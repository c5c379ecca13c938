// Guards calls to user-supplied URLs: https and wss to public addresses only, checked at every connection, without redirects.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { Agent } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from './address-rules.ts'
import { boundedFetch, connectionsMax } from './bounded-fetch.ts'
import { CheckedProxyAgent } from './checked-proxy-agent.ts'
import { proxyUrlFor, type Proxy } from './proxy.ts'

/** A blocked address; `reason` is a short code for the log. */
export class BlockedAddressError extends Error {
  override readonly name = 'BlockedAddressError'
}

/** Node's resolver passes no addresses beside an error, whatever its types say. */
export type ResolveHost = (host: string, callback: (error: Error | null, addresses?: readonly LookupAddress[]) => void) => void

export interface OutboundOptions {
  /** Hosts that the operator allows whatever their address, with or without a port; TLS is optional for these. */
  readonly allowedHosts: ReadonlySet<string>
  /** DNS; tests pass a fake. */
  readonly resolve?: ResolveHost
  readonly proxy?: Proxy | undefined
}

export interface OutboundGuard {
  /** @throws BlockedAddressError for another protocol, for credentials in the URL, or for a non-public address */
  check(url: URL): void
  /** DNS lookup for connections to this URL; fails if one of the host's addresses is not public. */
  readonly lookupFor: (url: URL) => LookupFunction
  /** The way through the proxy, with the same check; undefined where the connection is made directly. */
  readonly agentFor: (url: URL) => Agent | undefined
  /** `fetch` with these checks, without redirects, and with a maximum response size. */
  readonly fetch: typeof fetch
}

const systemResolve: ResolveHost = (host, callback) => systemLookup(host, { all: true }, callback)
const secure = new Set(['https:', 'wss:'])
const plain = new Set(['http:', 'ws:'])

/** A guard; one for all calls of a process. */
export function outboundGuard({ allowedHosts, resolve = systemResolve, proxy }: OutboundOptions): OutboundGuard {
  const isAllowed = (url: URL): boolean => allowedHosts.has(url.host) || allowedHosts.has(url.hostname)

  function check(url: URL): void {
    if (!secure.has(url.protocol) && !(plain.has(url.protocol) && isAllowed(url))) throw new BlockedAddressError('protocol')
    if (url.username !== '' || url.password !== '') throw new BlockedAddressError('credentials')
    const name = url.hostname.replace(/^\[|\]$/g, '')
    if (name === '' || (isIP(name) !== 0 && !isPublicAddress(name) && !isAllowed(url))) throw new BlockedAddressError('address')
  }

  const lookupAs =
    (isTrusted: boolean): LookupFunction =>
    (host, options, callback) => {
      resolve(host, (error, addresses = []) => {
        if (error !== null) return callback(error, '', 0)
        const family = options.family === 4 || options.family === 6 ? options.family : undefined
        const usable = addresses.filter((one) => family === undefined || one.family === family)
        const [first] = usable
        if (first === undefined) return callback(new BlockedAddressError('no address'), '', 0)
        // One private address is enough to block: the next connection might use it.
        if (!isTrusted && !addresses.every(({ address }) => isPublicAddress(address)))
          return callback(new BlockedAddressError('address'), '', 0)
        if (options.all === true)
          return callback(
            null,
            usable.map((one) => ({ ...one })),
          )
        callback(null, first.address, first.family)
      })
    }

  const lookupFor = (url: URL): LookupFunction => lookupAs(isAllowed(url))
  const proxied = proxy && new CheckedProxyAgent(proxy.url, { maxSockets: connectionsMax, lookup: lookupAs(false) })
  function agentFor(url: URL): Agent | undefined {
    // The hosts that the operator allows are in the operator's network.
    return isAllowed(url) || proxyUrlFor(proxy, url.hostname, Number(url.port || 443)) === undefined ? undefined : proxied
  }

  return { check, lookupFor, agentFor, fetch: boundedFetch({ check, lookupFor, agentFor }) }
}
