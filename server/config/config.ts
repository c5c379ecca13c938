// The only reader of the environment: parsed once, with defaults; an invalid value stops the start.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { adminPasswordMin, isEmail, normaliseEmail } from '#shared/auth/rules.ts'
import type { Site } from '#shared/base/site.ts'
import { alertConfigOf, alertVariables, type AlertConfig } from './alert-variables.ts'
import { backupConfigOf, backupVariables, type BackupConfig } from './backup-variables.ts'
import { poolLimitsDefault, type PoolLimits } from '../db/database.ts'
import { withEnvFile, type Environment, type ReadText } from './env-file.ts'
import type { LogSettings } from '../log.ts'
import { logVariables } from './log-variables.ts'
import { marketConfigOf, marketVariables, type MarketConfig } from './market-config.ts'
import type { Proxy } from '../outbound/proxy.ts'
import { warningsOf } from './setting-warnings.ts'
import { siteSettingsOf, siteVariables } from './site-variables.ts'
import { unknownVariables } from './unknown-variables.ts'
import { hostName, key32, portNumber, redisUrl, urlOf, wholeNumber } from './variable-kinds.ts'

export interface Config {
  readonly isProduction: boolean
  readonly log: LogSettings
  /** Fraction of successful requests that is logged, 0 to 1. */
  readonly requestLogShare: number
  readonly host: string
  readonly port: number
  /** Address of metrics and health checks; undefined disables both. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** How long the process keeps serving, with /readyz failing, after the stop signal. */
  readonly drainMs: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** A streaming replica of `databaseUrl`, for long reads of candles. */
  readonly databaseReplicaUrl: string | undefined
  readonly database: PoolLimits
  /** Undefined if backups are off. */
  readonly backup: BackupConfig | undefined
  readonly redisUrl: string | undefined
  readonly adminEmail: string | undefined
  readonly adminPassword: string | undefined
  /** True if admins must use two-factor sign-in. */
  readonly needsAdminFactor: boolean
  /** 32 bytes from which all keys are derived, see `secret-key.ts`; undefined if the server generates its own. */
  readonly secretKey: Buffer | undefined
  /** The `secretKey` before its last rotation: still decrypts broker connections and authenticator secrets. */
  readonly previousSecretKey: Buffer | undefined
  /** Public origin of the site, such as https://tezi.example; undefined means the host of the request. */
  readonly publicOrigin: string | undefined
  /** For outgoing connections; undefined if they are made directly. */
  readonly proxy: Proxy | undefined
  readonly smtpUrl: string | undefined
  /** Whether mail may be sent without TLS if the mail server does not offer it. */
  readonly isSmtpTlsOptional: boolean
  readonly alerts: AlertConfig
  /** Unsafe settings, for the log and `/readyz`. */
  readonly warnings: readonly string[]
  /** A line for each variable that looks like a misspelt setting, for the log. */
  readonly unknownVariables: readonly string[]
  /** Deprecated: the former name of `secretKey` for signatures and keyed hashes. `secretKey` wins. */
  readonly serverSecret: string | undefined
  readonly hasRateLimits: boolean
  readonly passwordHashCost: 'standard' | 'cheap'
  /** Addresses or ranges of reverse proxies whose X-Forwarded-For is trusted; empty means none. */
  readonly trustedProxies: readonly string[]
  /** Whether the landing page shows counts instead of `site.claims`. */
  readonly hasLiveClaims: boolean
  readonly site: Site
  readonly market: MarketConfig
}

/** Longer than a load balancer that polls every second needs to notice the failed readiness. */
const drainSecondsInProduction = 3

/** Thrown with one line per invalid value; never contains values of secrets. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const environmentSchema = z.object({
  ENV_FILE: z.string().default('.env'),
  NODE_ENV: z.enum(['development', 'production', 'test'], 'must be development, production or test').optional(),
  ...logVariables,
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
  DATABASE_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_REPLICA_URL: urlOf(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 500, poolLimitsDefault.size),
  DATABASE_CONNECT_TIMEOUT_MS: wholeNumber(100, 60_000, poolLimitsDefault.connectTimeoutMs),
  DATABASE_STATEMENT_TIMEOUT_MS: wholeNumber(100, 600_000, poolLimitsDefault.statementTimeoutMs),
  DATABASE_LOCK_TIMEOUT_MS: wholeNumber(100, 600_000, poolLimitsDefault.lockTimeoutMs),
  ...backupVariables,
  REDIS_URL: redisUrl.optional(),
  ADMIN_EMAIL: z.string().transform(normaliseEmail).refine(isEmail, 'must be an email address').optional(),
  ADMIN_PASSWORD: z.string().min(adminPasswordMin, `must have at least ${adminPasswordMin} characters`).max(256).optional(),
  ADMIN_TWO_FACTOR: z.enum(['required', 'optional'], 'must be required or optional').optional(),
  SECRET_KEY: key32.optional(),
  SECRET_KEY_PREVIOUS: key32.optional(),
  PUBLIC_URL: urlOf(['http:', 'https:'])
    .refine((url) => !URL.canParse(url) || new URL(url).pathname === '/', 'must not have a path')
    .optional(),
  ...siteVariables,
  HTTPS_PROXY: urlOf(['http:', 'https:']).optional(),
  NO_PROXY: z.string().default(''),
  SMTP_URL: urlOf(['smtp:', 'smtps:']).optional(),
  SMTP_TLS: z.enum(['required', 'optional'], 'must be required or optional').default('required'),
  ...alertVariables,
  SERVER_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  PASSWORD_HASHES: z.enum(['standard', 'cheap'], 'must be standard or cheap').default('standard'),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^[\d./:a-fA-F]+(,[\d./:a-fA-F]+)*$/, 'must be addresses or ranges with commas between')
    .transform((list) => list.split(','))
    .default([]),
  ...marketVariables,
})

type Variables = Readonly<Record<string, string | undefined>>

/** Names of all settings, in schema order. */
export const settingNames: readonly string[] = Object.keys(environmentSchema.shape)

/** Defaults that differ in production. */
const defaultsByMode = (isProduction: boolean) =>
  isProduction
    ? ({ DRAIN_SECONDS: drainSecondsInProduction, ADMIN_TWO_FACTOR: 'required', MARKET_DEMO: 'off' } as const)
    : ({ DRAIN_SECONDS: 0, ADMIN_TWO_FACTOR: 'optional', MARKET_DEMO: 'on' } as const)

/** The defaults of all settings for the mode of this environment; undefined without a default. */
export function defaultsOf(environment: Variables): Readonly<Record<string, unknown>> {
  return { ...environmentSchema.parse({}), ...defaultsByMode(environment['NODE_ENV'] === 'production') }
}

/** Names of settings with invalid values. */
export function rejectedSettings(environment: Variables): ReadonlySet<string> {
  const { error } = environmentSchema.safeParse(givenOf(environment))
  return new Set(error?.issues.map((issue) => issue.path.join('.')))
}

function givenOf(environment: Variables): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''))
}

/**
 * Parses the configuration from environment variables; an empty value is treated as unset.
 * @throws ConfigError naming each invalid variable and what it must be
 */
export function readConfig(environment: Variables): Config {
  const parsed = environmentSchema.safeParse(givenOf(environment))
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const values = parsed.data
  const isProduction = values.NODE_ENV === 'production'
  if (isProduction && values.RATE_LIMITS === 'off') throw new ConfigError('RATE_LIMITS: off is refused in production')
  if (isProduction && values.PASSWORD_HASHES === 'cheap') throw new ConfigError('PASSWORD_HASHES: cheap is refused in production')
  if (values.METRICS_PORT === values.PORT && values.PORT !== 0) throw new ConfigError('METRICS_PORT: must differ from PORT')
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) throw new ConfigError('DATABASE_REPLICA_URL: needs DATABASE_URL')
  const backup = backupConfigOf(values)
  if (backup !== undefined && 'issue' in backup) throw new ConfigError(backup.issue)
  const alerts = alertConfigOf(values)
  if ('issue' in alerts) throw new ConfigError(alerts.issue)
  const byMode = defaultsByMode(isProduction)
  const publicOrigin = values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL).origin
  return {
    isProduction,
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    requestLogShare: values.LOG_REQUESTS,
    host: values.HOST,
    port: values.PORT,
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    drainMs: (values.DRAIN_SECONDS ?? byMode.DRAIN_SECONDS) * 1000,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    database: {
      size: values.DATABASE_POOL_SIZE,
      connectTimeoutMs: values.DATABASE_CONNECT_TIMEOUT_MS,
      statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: values.DATABASE_LOCK_TIMEOUT_MS,
    },
    backup,
    redisUrl: values.REDIS_URL,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    needsAdminFactor: (values.ADMIN_TWO_FACTOR ?? byMode.ADMIN_TWO_FACTOR) === 'required',
    secretKey: values.SECRET_KEY,
    previousSecretKey: values.SECRET_KEY_PREVIOUS,
    publicOrigin,
    proxy: values.HTTPS_PROXY === undefined ? undefined : { url: values.HTTPS_PROXY, direct: values.NO_PROXY },
    smtpUrl: values.SMTP_URL,
    isSmtpTlsOptional: values.SMTP_TLS === 'optional',
    alerts,
    warnings: warningsOf(values, { publicOrigin, hasBackups: backup !== undefined }),
    unknownVariables: unknownVariables(Object.keys(environment), settingNames),
    serverSecret: values.SERVER_SECRET,
    hasRateLimits: values.RATE_LIMITS === 'on',
    passwordHashCost: values.PASSWORD_HASHES,
    trustedProxies: values.TRUSTED_PROXIES,
    ...siteSettingsOf(values),
    market: marketConfigOf({ ...values, MARKET_DEMO: values.MARKET_DEMO ?? byMode.MARKET_DEMO }),
  }
}

/** The configuration of this process: its variables, and those of `.env` in the working folder. @throws ConfigError */
export function readProcessConfig(): Config {
  return readConfig(readProcessEnvironment().values)
}

/** The unvalidated variables of this process and of its `.env` file. @throws ConfigError if the file cannot be read */
export function readProcessEnvironment(): Environment {
  try {
    return withEnvFile(process.env, readText)
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

const readText: ReadText = (file) => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
