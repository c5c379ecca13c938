// Guards calls to user-supplied URLs: https and wss to public addresses only, checked at every connection, without redirects.
import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { proxyUrlFor, type Proxy } from './proxy.ts'

/** Maximum concurrent connections per host. */
const connectionsMax = 4
/** Twice the largest page that is asked for. */
const answerBytesMax = 2 * 1024 * 1024

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
  readonly agentFor: (url: URL) => HttpsAgent | undefined
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
  function agentFor(url: URL): HttpsAgent | undefined {
    // The hosts that the operator allows are in the operator's network.
    return isAllowed(url) || proxyUrlFor(proxy, url.hostname, Number(url.port || 443)) === undefined ? undefined : proxied
  }

  return { check, lookupFor, agentFor, fetch: boundedFetch({ check, lookupFor, agentFor }) }
}

/** A `fetch` for text bodies. Redirects and oversized responses reject. The caller's signal is the timeout. */
function boundedFetch({ check, lookupFor, agentFor }: Omit<OutboundGuard, 'fetch'>): typeof fetch {
  const bounds = { keepAlive: false, maxSockets: connectionsMax }
  const agents = { http: new HttpAgent(bounds), https: new HttpsAgent(bounds) }

  function send(url: URL, init: RequestInit): Promise<IncomingMessage> {
    const isSecure = url.protocol === 'https:'
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = typeof init.body === 'string' ? init.body : undefined
    return new Promise((resolve, reject) => {
      const options = {
        method: init.method ?? 'GET',
        headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
        lookup: lookupFor(url),
        agent: agentFor(url) ?? (isSecure ? agents.https : agents.http),
        ...(init.signal !== null && init.signal !== undefined && { signal: init.signal }),
      }
      const call = (isSecure ? httpsRequest : httpRequest)(url, options, resolve)
      call.on('error', reject)
      call.end(body)
    })
  }

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    check(url)
    const answer = await send(url, init)
    const status = answer.statusCode ?? 0
    if (status >= 300 && status < 400) {
      answer.destroy()
      throw new TypeError('A redirect is not followed')
    }
    const headers = new Headers()
    for (const name of ['content-type', 'date', 'retry-after'] as const) {
      const value = answer.headers[name]
      if (value !== undefined) headers.set(name, value)
    }
    return new Response(await readBody(answer, answerBytesMax), { status, headers })
  }
}

/** @throws TypeError beyond `bytesMax`; the connection is then closed */
async function readBody(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    const bytes = part as Buffer
    size += bytes.length
    if (size > bytesMax) {
      answer.destroy()
      throw new TypeError('The answer is too large')
    }
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** The proxy would resolve a name by itself, perhaps to an address of the operator's network. */
class CheckedProxyAgent extends HttpsAgent {
  readonly #lookup: LookupFunction

  /** @param lookup fails for names whose addresses must not be called */
  constructor(proxyUrl: string, options: { readonly maxSockets: number; readonly lookup: LookupFunction }) {
    super({ keepAlive: false, maxSockets: options.maxSockets, proxyEnv: { HTTPS_PROXY: proxyUrl } })
    this.#lookup = options.lookup
  }

  override createConnection(options: RequestOptions, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    // The proxy itself is the operator's.
    const { lookup: _lookup, ...rest } = options
    const name = options.host ?? ''
    this.#lookup(name, {}, (error, address) => {
      if (error === null && typeof address === 'string') super.createConnection({ ...rest, host: address }, callback)
      // As Node's agents do: no stream beside an error.
      else (callback as ((error: Error) => void) | undefined)?.(error ?? new Error('no address'))
    })
  }
}

/** Non-public IPv4: private, shared, loopback, link-local, documentation, multicast, reserved. */
const blocked4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  // Azure's platform address, which serves its metadata.
  ['168.63.129.16', 32],
]

/** Within 2000::/3, non-public ranges and embedded addresses: tunnels, translation, documentation. */
const blocked6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const blocked = new BlockList()
for (const [net, bits] of blocked4) blocked.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of blocked6) blocked.addSubnet(net, bits, 'ipv6')

const public6 = new BlockList()
public6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address belongs to the public internet. An IPv6 form of an IPv4 address does not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !blocked.check(address, 'ipv4')
  return family === 6 && public6.check(address, 'ipv6') && !blocked.check(address, 'ipv6')
}
