// The only reader of the environment: parsed once, with defaults that need no file; a bad value stops the start.
import { z } from 'zod'
import { adminPasswordMin, isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { defaultSite, type Site } from '#shared/base/site.ts'
import { marketConfigOf, marketVariables, type MarketConfig } from './market-config.ts'

export interface Config {
  readonly isProduction: boolean
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly redisUrl: string | undefined
  readonly adminEmail: string | undefined
  readonly adminPassword: string | undefined
  /** Origin under which people reach the site, such as https://tezi.example; undefined means whatever host was asked. */
  readonly publicOrigin: string | undefined
  readonly smtpUrl: string | undefined
  readonly hasRateLimits: boolean
  readonly passwordHashCost: 'standard' | 'cheap'
  /** Addresses or ranges of reverse proxies whose X-Forwarded-For is believed; empty means nobody's. */
  readonly trustedProxies: readonly string[]
  readonly site: Site
  readonly market: MarketConfig
}

/** Thrown with one line per bad value; values of secrets are never repeated. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const environmentSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test'], 'must be development, production or test').optional(),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a host name or an address')
    .default('127.0.0.1'),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port number')
    .default(3000),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  REDIS_URL: urlOf(['redis:', 'rediss:']).optional(),
  ADMIN_EMAIL: z.string().transform(normaliseEmail).refine(isEmail, 'must be an email address').optional(),
  ADMIN_PASSWORD: z.string().min(adminPasswordMin, `must have at least ${adminPasswordMin} characters`).max(256).optional(),
  PUBLIC_URL: urlOf(['http:', 'https:'])
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'must not have a path')
    .optional(),
  BRAND_NAME: z.string().trim().min(1).max(40).default(defaultSite.brandName),
  SUPPORT_URL: urlOf(['https:', 'mailto:']).default(defaultSite.supportUrl),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  TRADINGVIEW_MOUNT: z.enum(['iframe', 'script'], 'must be iframe or script').default(defaultSite.tradingViewMount),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  PASSWORD_HASHES: z.enum(['standard', 'cheap'], 'must be standard or cheap').default('standard'),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[\d./:a-fA-F]+(,[\d./:a-fA-F]+)*$/, 'must be addresses or ranges with commas between')
    .transform((list) => list.split(','))
    .default([]),
  ...marketVariables,
})

/**
 * Reads the configuration from a set of environment variables; an empty value counts as absent.
 * @throws ConfigError naming each bad variable and what it must be.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environmentSchema.safeParse(given)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const values = parsed.data
  const isProduction = values.NODE_ENV === 'production'
  if (isProduction && values.RATE_LIMITS === 'off') throw new ConfigError('RATE_LIMITS: off is refused in production')
  if (isProduction && values.PASSWORD_HASHES === 'cheap') throw new ConfigError('PASSWORD_HASHES: cheap is refused in production')
  return {
    isProduction,
    host: values.HOST,
    port: values.PORT,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    publicOrigin: values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL).origin,
    smtpUrl: values.SMTP_URL,
    hasRateLimits: values.RATE_LIMITS === 'on',
    passwordHashCost: values.PASSWORD_HASHES,
    trustedProxies: values.TRUSTED_PROXIES,
    site: {
      brandName: values.BRAND_NAME,
      supportUrl: values.SUPPORT_URL,
      tradingViewMount: values.TRADINGVIEW_MOUNT,
      hasMail: values.SMTP_URL !== undefined || values.NODE_ENV === 'development',
    },
    market: marketConfigOf(values, isProduction),
  }
}

/** The process's own environment, for main.ts. */
export function readProcessConfig(): Config {
  return readConfig(process.env)
}

function urlOf(protocols: readonly string[]): z.ZodType<string, string> {
  const text = `must be a URL that starts with ${protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`)).join(' or ')}`
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), text)
}
