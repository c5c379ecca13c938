// The rate limit key of a client address.
import type { IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'

/**
 * Reads the rate limit key of a raw request, such as an upgrade: the peer, or if
 * that is a trusted proxy, the last untrusted address of X-Forwarded-For. The framework does the same.
 */
export function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyaddr.compile([...trustedProxies])
  // A closed connection has no address, and the proxy rules throw without one.
  return (request) => ipRateLimitKey(request.socket.remoteAddress === undefined ? undefined : proxyaddr(request, isTrusted))
}

/** IPv4 unchanged (also when mapped into IPv6); IPv6 by its /64, since one home owns a whole /64. A closed connection has none. */
export function ipRateLimitKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!ip.includes(':')) return ip
  return `${expandIpv6(ip).slice(0, 4).join(':')}::/64`
}

/** The network of a rate limit key: an IPv4 /24, or the /48 that providers give to one customer. */
export function networkOf(key: string): string {
  const ipv4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(key)
  if (ipv4 !== null) return `${ipv4[1] ?? ''}.0/24`
  return key.includes(':') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key
}

function expandIpv6(ip: string): string[] {
  const [head = '', tail] = (ip.split('%')[0] ?? '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array.from({ length: Math.max(0, missing) }, () => '0'), ...right].map((part) =>
    part.toLowerCase().replace(/^0+(?=.)/, ''),
  )
}
