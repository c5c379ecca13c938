// All environment variables: what each may be, and its default.
import { z } from 'zod'
import { adminPasswordMin, isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import { parseJson } from '#shared/base/parse-json.ts'
import { defaultSite, type Claim } from '#shared/base/site.ts'
import { firstCharts } from '#shared/chart/chart-choice.ts'
import { poolLimitsDefault } from '../db/database.ts'
import { sourceNames, type SourceName } from '../features/market-data/feed.ts'
import { parseLicences, type Licences } from '../features/market-data/licences.ts'
import { logLevels } from '../logs.ts'
import type { Variables } from './environment.ts'

const key32 = z
  .string()
  .transform((text) => Buffer.from(text, 'base64'))
  .refine((key) => key.length === 32, 'must be 32 random bytes in base64 (openssl rand -base64 32)')

const hostName = z.string().regex(/^[\w.:-]+$/, 'must be a host name or an address')

const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .refine((port) => port <= 65_535, 'must be a port number')

function wholeNumber(min: number, max: number, byDefault: number) {
  const text = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((value) => value >= min && value <= max, text)
    .default(byDefault)
}

function urlOf(protocols: readonly string[]): z.ZodType<string, string> {
  const text = `must be a URL that starts with ${protocols.map((protocol) => (protocol === 'mailto:' ? protocol : `${protocol}//`)).join(' or ')}`
  return z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), text)
}

const postgresUrl = urlOf(['postgres:', 'postgresql:'])

const sentinelProtocol = 'redis+sentinel:'
const sentinelAddress = /^([\w.-]+|\[[\da-fA-F:]+\])(:\d{1,5})?$/

/** An address of Redis, or the name of a primary and the addresses of its Sentinels. */
const redisUrl = urlOf(['redis:', 'rediss:', sentinelProtocol]).refine((value) => {
  if (!URL.canParse(value) || new URL(value).protocol !== sentinelProtocol) return true
  const { hostname, searchParams } = new URL(value)
  const sentinels = searchParams.getAll('sentinel')
  return hostname !== '' && sentinels.length > 0 && sentinels.every((address) => sentinelAddress.test(address))
}, 'must name the primary and its Sentinels: redis+sentinel://:password@name?sentinel=host:26379&sentinel=host:26379')

/** Longest retention that the privacy notice allows. */
const daysMax = 35
const daysText = `must be a whole number from 1 to ${daysMax}`

const claimsCount = defaultSite.claims.length
const claimsIssue = `must be live, or ${claimsCount} claims such as "5+ charts; 1M+ analysts", separated by semicolons`

/** `live`, or the claims. */
const landingClaims = z
  .string()
  .max(300)
  .transform((text, context): 'live' | readonly Claim[] => {
    if (text === 'live') return text
    const claims = text.split(';').flatMap((part) => {
      const [, figure, what] = /^\s*(\S+)\s+(.*\S)\s*$/.exec(part) ?? []
      return figure === undefined || what === undefined ? [] : [{ figure, what }]
    })
    if (claims.length === claimsCount && text.split(';').length === claimsCount) return claims
    context.addIssue({ code: 'custom', message: claimsIssue })
    return z.NEVER
  })

const urlsSchema = z.partialRecord(
  z.enum(sourceNames),
  z.strictObject({
    restUrl: z.url({ protocol: /^https?$/ }).optional(),
    socketUrl: z.url({ protocol: /^wss?$/ }).optional(),
    loginUrl: z.url({ protocol: /^https?$/ }).optional(),
  }),
)

/** Defaults: what may be shown to every user, and sources with a configured key. Yahoo is never a default. */
const defaultSources = sourceNames.filter((source) => source !== 'yahoo' && source !== 'demo').join(',')

const onOff = z.enum(['on', 'off'], 'must be on or off')

const requiredOrOptional = z.enum(['required', 'optional'], 'must be required or optional')

const email = z.string().transform(normaliseEmail).refine(isEmail, 'must be an email address')

export const environmentSchema = z.object({
  ENV_FILE: z.string().default('.env'),
  NODE_ENV: z.enum(['development', 'production', 'test'], 'must be development, production or test').optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'text'], 'must be auto, json or text').default('auto'),
  LOG_REQUESTS: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0)?)$/, 'must be a share from 0 to 1, such as 0.05')
    .transform(Number)
    .default(1),
  HOST: hostName.default('127.0.0.1'),
  PORT: portNumber.default(3000),
  METRICS_HOST: hostName.default('127.0.0.1'),
  METRICS_PORT: portNumber.optional(),
  DRAIN_SECONDS: z
    .string()
    .regex(/^\d{1,2}(\.\d)?$/, 'must be seconds, 0 to 60')
    .transform(Number)
    .refine((seconds) => seconds <= 60, 'must be seconds, 0 to 60')
    .optional(),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_REPLICA_URL: postgresUrl.optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500, poolLimitsDefault.size),
  DATABASE_CONNECT_TIMEOUT_MS: wholeNumber(100, 60_000, poolLimitsDefault.connectTimeoutMs),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000, poolLimitsDefault.statementTimeoutMs),
  DATABASE_LOCK_TIMEOUT_MS: wholeNumber(100, 600_000, poolLimitsDefault.lockTimeoutMs),
  BACKUP_DIR: z.string().optional(),
  // Going on without it would leave the server without backups.
  BACKUP_DATABASE_URL: z
    .never('was removed. pgBackRest now backs up the server of DATABASE_URL: docs/operating/backup-and-restore.md#from-backup_database_url')
    .optional(),
  BACKUP_KEY: key32.optional(),
  BACKUP_KEY_PREVIOUS: key32.optional(),
  /** Retention of backups. */
  BACKUP_DAYS: z
    .string()
    .regex(/^\d{1,2}$/, daysText)
    .transform(Number)
    .refine((days) => days >= 1 && days <= daysMax, daysText)
    .default(14),
  ERASURES_FILE: z.string().optional(),
  PGBACKREST_INFO: z.string().optional(),
  REDIS_URL: redisUrl.optional(),
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: z.string().min(adminPasswordMin, `must have at least ${adminPasswordMin} characters`).max(256).optional(),
  ADMIN_TWO_FACTOR: requiredOrOptional.optional(),
  SECRET_KEY: key32.optional(),
  SECRET_KEY_PREVIOUS: key32.optional(),
  PUBLIC_URL: urlOf(['http:', 'https:'])
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'must not have a path')
    .optional(),
  BRAND_NAME: z.string().trim().min(1).max(40).default(defaultSite.brandName),
  SUPPORT_URL: urlOf(['https:', 'mailto:']).default(defaultSite.supportUrl),
  TRADINGVIEW_MOUNT: z.enum(['iframe', 'script'], 'must be iframe or script').default(defaultSite.tradingViewMount),
  LANDING_CLAIMS: landingClaims.default(defaultSite.claims),
  HTTPS_PROXY: urlOf(['http:', 'https:']).optional(),
  NO_PROXY: z.string().default(''),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  SMTP_TLS: requiredOrOptional.default('required'),
  ALERT_EMAIL: email.optional(),
  ALERT_TELEGRAM_TOKEN: z
    .string()
    .regex(/^\d+:[\w-]+$/, 'must be the token of a bot')
    .optional(),
  ALERT_TELEGRAM_CHAT: z
    .string()
    .regex(/^(-?\d+|@\w+)$/, 'must be the number of a chat, or @name of a channel')
    .optional(),
  ALERT_TELEGRAM_URL: urlOf(['http:', 'https:']).default('https://api.telegram.org'),
  SERVER_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  RATE_LIMITS: onOff.default('on'),
  PASSWORD_HASHES: z.enum(['standard', 'cheap'], 'must be standard or cheap').default('standard'),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[\d./:a-fA-F]+(,[\d./:a-fA-F]+)*$/, 'must be addresses or ranges with commas between')
    .transform((list) => list.split(','))
    .default([]),
  MARKET_SOURCES: z
    .string()
    .default(defaultSources)
    .transform((text, context) => {
      const names = text === 'none' ? [] : text.split(',').map((name) => name.trim())
      const known = names.filter((name): name is SourceName => name !== 'demo' && sourceNames.some((source) => source === name))
      if (known.length < names.length)
        context.addIssue({ code: 'custom', message: `must be none, or some of ${sourceNames.filter((name) => name !== 'demo').join(',')}` })
      return new Set(known)
    }),
  MARKET_DEMO: z.enum(['on', 'session', 'off'], 'must be on, session or off').optional(),
  CHART_FIRST: z.enum(firstCharts, 'must be tradingview or tezi').default('tradingview'),
  MARKET_HUB: onOff.default('on'),
  MARKET_CHANNEL: z
    .string()
    .regex(/^[\w:-]{1,80}$/, 'must be letters, digits, colons and dashes')
    .default('tezi:market'),
  MARKET_LICENCES: z
    .string()
    .default('')
    .transform((text, context): Licences => {
      const licences = parseLicences(text)
      if (typeof licences !== 'string') return licences
      context.addIssue({ code: 'custom', message: licences })
      return new Map()
    }),
  MARKET_URLS: z
    .string()
    .default('{}')
    .transform((text, context) => {
      const parsed = urlsSchema.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      context.addIssue({ code: 'custom', message: 'must be JSON like {"binance":{"restUrl":"https://...","socketUrl":"wss://..."}}' })
      return {}
    }),
  TWELVE_DATA_KEY: z.string().optional(),
  TWELVE_DATA_CREDITS: z
    .string()
    .regex(/^[1-9]\d{0,6}(\/[1-9]\d{0,8})?$/, 'must be calls per minute, or per minute and day, such as 377 or 8/800')
    .transform((text) => {
      const [perMinute = 0, perDay] = text.split('/').map(Number)
      return perDay === undefined ? { perMinute } : { perMinute, perDay }
    })
    .optional(),
  KITE_API_KEY: z.string().optional(),
  KITE_ACCESS_TOKEN: z.string().optional(),
  OPENALGO_KEY: z.string().optional(),
  CSV_DIR: z.string().optional(),
  KITE_APP_KEY: z.string().optional(),
  KITE_APP_SECRET: z.string().optional(),
  BROKER_HOSTS: z
    .string()
    .toLowerCase()
    .regex(/^[\w.-]+(:\d{1,5})?(,[\w.-]+(:\d{1,5})?)*$/, 'must be hosts with commas between, such as openalgo.lan:5000')
    .transform((list) => new Set(list.split(',')))
    .optional(),
})

export type EnvironmentValues = z.output<typeof environmentSchema>

/** Names of all settings, in schema order. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.shape)

/** Longer than a load balancer that polls every second needs to notice the failed readiness. */
const drainSecondsInProduction = 3

/** Defaults that differ in production. */
export const defaultsByMode = (isProduction: boolean) =>
  isProduction
    ? ({ DRAIN_SECONDS: drainSecondsInProduction, ADMIN_TWO_FACTOR: 'required', MARKET_DEMO: 'off' } as const)
    : ({ DRAIN_SECONDS: 0, ADMIN_TWO_FACTOR: 'optional', MARKET_DEMO: 'on' } as const)

/** Parses the variables; an empty value is treated as unset. */
export const parseEnvironment = (environment: Variables) =>
  environmentSchema.safeParse(Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')))
