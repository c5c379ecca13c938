// The configuration: parsed once, with defaults; an invalid value stops the start.
import path from 'node:path'
import { defaultSite, type Site } from '#shared/base/site.ts'
import { unknownVariables } from './effective-settings.ts'
import { ConfigError, readProcessEnvironment, type Variables } from './environment.ts'
import { defaultsByMode, parseEnvironment, type EnvironmentValues } from './environment-schema.ts'
import { marketConfigOf } from './market-config.ts'

export type Config = Readonly<ReturnType<typeof readConfig>>

/** Backups of the embedded database. */
export interface BackupConfig {
  /** Absolute path of the backup folder. */
  readonly dir: string
  /** 32 bytes each: of BACKUP_KEY, which encrypts, and of BACKUP_KEY_PREVIOUS, which still decrypts. */
  readonly keys: readonly [Buffer, ...Buffer[]]
  /** How long base backups are kept. */
  readonly days: number
}

/** The configuration of this process: its variables, and those of `.env` in the working folder. @throws ConfigError */
export function readProcessConfig(): Config {
  return readConfig(readProcessEnvironment().values)
}

/**
 * Parses the configuration from environment variables; an empty value is treated as unset.
 * @throws ConfigError naming each invalid variable and what it must be
 */
export function readConfig(environment: Variables) {
  const parsed = parseEnvironment(environment)
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
  const values = parsed.data
  const isProduction = values.NODE_ENV === 'production'
  if (isProduction && values.RATE_LIMITS === 'off') throw new ConfigError('RATE_LIMITS: off is refused in production')
  if (isProduction && values.PASSWORD_HASHES === 'cheap') throw new ConfigError('PASSWORD_HASHES: cheap is refused in production')
  if (values.METRICS_PORT === values.PORT && values.PORT !== 0) throw new ConfigError('METRICS_PORT: must differ from PORT')
  if (values.DATABASE_REPLICA_URL && !values.DATABASE_URL) throw new ConfigError('DATABASE_REPLICA_URL: needs DATABASE_URL')
  const backup = backupConfigOf(values)
  const alerts = alertConfigOf(values)
  const byMode = defaultsByMode(isProduction)
  const publicOrigin = values.PUBLIC_URL === undefined ? undefined : new URL(values.PUBLIC_URL).origin
  return {
    isProduction,
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    /** Fraction of successful requests that is logged, 0 to 1. */
    requestLogShare: values.LOG_REQUESTS,
    host: values.HOST,
    port: values.PORT,
    /** Address of metrics and health checks; undefined disables both. */
    metrics: values.METRICS_PORT === undefined ? undefined : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    /** How long the process keeps serving, with /readyz failing, after the stop signal. */
    drainMs: (values.DRAIN_SECONDS ?? byMode.DRAIN_SECONDS) * 1000,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    /** A streaming replica of `databaseUrl`, for long reads of candles. */
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
    database: {
      size: values.DATABASE_POOL_SIZE,
      connectTimeoutMs: values.DATABASE_CONNECT_TIMEOUT_MS,
      statementTimeoutMs: values.DATABASE_STATEMENT_TIMEOUT_MS,
      lockTimeoutMs: values.DATABASE_LOCK_TIMEOUT_MS,
    },
    /** Undefined if backups are off. */
    backup,
    /** Where the list of erased accounts is kept for restores of the server of `databaseUrl`. */
    erasuresFile: values.ERASURES_FILE,
    /** Output of `pgbackrest info --output=json`, for the doctor. */
    pgbackrestInfo: values.PGBACKREST_INFO,
    redisUrl: values.REDIS_URL,
    adminEmail: values.ADMIN_EMAIL,
    adminPassword: values.ADMIN_PASSWORD,
    /** True if admins must use two-factor sign-in. */
    needsAdminFactor: (values.ADMIN_TWO_FACTOR ?? byMode.ADMIN_TWO_FACTOR) === 'required',
    /** 32 bytes from which all keys are derived, see `secret-box.ts`; undefined if the server generates its own. */
    secretKey: values.SECRET_KEY,
    /** The `secretKey` before its last rotation: still decrypts broker connections and authenticator secrets. */
    previousSecretKey: values.SECRET_KEY_PREVIOUS,
    /** Public origin of the site, such as https://tezi.example; undefined means the host of the request. */
    publicOrigin,
    /** For outgoing connections; undefined if they are made directly. */
    proxy: values.HTTPS_PROXY === undefined ? undefined : { url: values.HTTPS_PROXY, direct: values.NO_PROXY },
    smtpUrl: values.SMTP_URL,
    /** Whether mail may be sent without TLS if the mail server does not offer it. */
    isSmtpTlsOptional: values.SMTP_TLS === 'optional',
    alerts,
    /** Unsafe settings, for the log and `/readyz`. */
    warnings: warningsOf(values, { publicOrigin, hasBackups: backup !== undefined }),
    /** A line for each variable that looks like a misspelt setting, for the log. */
    unknownVariables: unknownVariables(Object.keys(environment)),
    /** Deprecated: the former name of `secretKey` for signatures and keyed hashes. `secretKey` wins. */
    serverSecret: values.SERVER_SECRET,
    hasRateLimits: values.RATE_LIMITS === 'on',
    passwordHashCost: values.PASSWORD_HASHES,
    /** Addresses or ranges of reverse proxies whose X-Forwarded-For is trusted; empty means none. */
    trustedProxies: values.TRUSTED_PROXIES,
    ...siteSettingsOf(values),
    market: marketConfigOf(values, values.MARKET_DEMO ?? byMode.MARKET_DEMO),
  }
}

function alertConfigOf(values: EnvironmentValues) {
  const { ALERT_EMAIL: email, ALERT_TELEGRAM_TOKEN: token, ALERT_TELEGRAM_CHAT: chat, ALERT_TELEGRAM_URL, SMTP_URL } = values
  if (email !== undefined && SMTP_URL === undefined) throw new ConfigError('ALERT_EMAIL: needs SMTP_URL')
  if ((token === undefined) !== (chat === undefined))
    throw new ConfigError('ALERT_TELEGRAM_TOKEN and ALERT_TELEGRAM_CHAT: set both or neither')
  const telegram = token === undefined || chat === undefined ? undefined : { apiUrl: ALERT_TELEGRAM_URL.replace(/\/+$/, ''), token, chat }
  return { email, telegram }
}

function backupConfigOf(values: EnvironmentValues): BackupConfig | undefined {
  for (const name of ['ERASURES_FILE', 'PGBACKREST_INFO'] as const)
    if (values[name] !== undefined && values.DATABASE_URL === undefined) throw new ConfigError(`${name}: needs DATABASE_URL`)
  const { BACKUP_DIR, BACKUP_KEY, BACKUP_KEY_PREVIOUS: previous, BACKUP_DAYS: days, DATA_DIR } = values
  if (BACKUP_DIR === undefined) return undefined
  if (BACKUP_KEY === undefined) throw new ConfigError('BACKUP_KEY: must be set with BACKUP_DIR (openssl rand -base64 32)')
  const dir = path.resolve(BACKUP_DIR)
  const within = path.relative(path.resolve(DATA_DIR), dir)
  if (!within.startsWith('..') && !path.isAbsolute(within)) throw new ConfigError('BACKUP_DIR: must not be inside DATA_DIR')
  return { dir, keys: previous === undefined ? [BACKUP_KEY] : [BACKUP_KEY, previous], days }
}

/** What the pages show of the settings. In development mail goes to the outbox. */
function siteSettingsOf(values: EnvironmentValues) {
  /** Whether the landing page shows counts instead of `site.claims`. */
  const hasLiveClaims = values.LANDING_CLAIMS === 'live'
  const site: Site = {
    ...defaultSite,
    brandName: values.BRAND_NAME,
    supportUrl: values.SUPPORT_URL,
    tradingViewMount: values.TRADINGVIEW_MOUNT,
    hasMail: values.SMTP_URL !== undefined || values.NODE_ENV === 'development',
    firstChart: values.CHART_FIRST,
    ...(values.LANDING_CLAIMS === 'live' ? {} : { claims: values.LANDING_CLAIMS }),
  }
  return { site, hasLiveClaims }
}

/** What an operator should change. */
function warningsOf(values: EnvironmentValues, facts: { publicOrigin: string | undefined; hasBackups: boolean }): string[] {
  const isProduction = values.NODE_ENV === 'production'
  const found: readonly (readonly [boolean, string])[] = [
    [
      isProduction && facts.publicOrigin?.startsWith('https:') !== true,
      'PUBLIC_URL is not an https address: session cookies and passwords can be read on the way',
    ],
    [
      isProduction && values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined,
      'SECRET_KEY is not set: another server or a new DATA_DIR cannot read what this one has encrypted',
    ],
    [values.SERVER_SECRET !== undefined, 'SERVER_SECRET is deprecated: set SECRET_KEY instead, which makes all keys'],
    [
      facts.hasBackups && values.DATABASE_URL !== undefined,
      'BACKUP_DIR has no effect with DATABASE_URL: docs/operating/backup-and-restore.md#your-own-postgresql',
    ],
    [isProduction && values.SMTP_TLS === 'optional', 'SMTP_TLS is optional: password links can be read on the way'],
  ]
  return found.flatMap(([applies, warning]) => (applies ? [warning] : []))
}
