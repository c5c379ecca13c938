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
