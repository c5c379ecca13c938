// Kinds of values of environment variables, for the schema in config.ts.
import { z } from 'zod'

export const key32 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 random bytes in base64 (openssl rand -base64 32)')

export const hostName = z.string().regex(/^[\w.:-]+$/, 'must be a host name or an address')

export const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a port number')

export function wholeNumber(min: number, max: number, byDefault: number) {
  const text = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((value) => value >= min && value <= max, text)
    .default(byDefault)
}

export function urlOf(protocols: readonly string[]): z.ZodType<string, string> {
  const text = `must be a URL that starts with ${protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`)).join(' or ')}`
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), text)
}

const sentinelProtocol = 'redis+sentinel:'
const sentinelAddress = /^([\w.-]+|\[[\da-fA-F:]+\])(:\d{1,5})?$/

/** An address of Redis, or the name of a primary and the addresses of its Sentinels. */
export const redisUrl = urlOf(['redis:', 'rediss:', sentinelProtocol]).refine((value) => {
  if (!URL.canParse(value) || new URL(value).protocol !== sentinelProtocol) return true
  const { hostname, searchParams } = new URL(value)
  const sentinels = searchParams.getAll('sentinel')
  return hostname !== '' && sentinels.length > 0 && sentinels.every((address) => sentinelAddress.test(address))
}, 'must name the primary and its Sentinels: redis+sentinel://:password@name?sentinel=host:26379&sentinel=host:26379')
