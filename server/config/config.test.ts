// The configuration: defaults without any settings, and one clear line per invalid value, without its secret.
import { expect, test } from 'vitest'
import { defaultSite } from '#shared/base/site.ts'
import { readConfig } from './config.ts'
import { ConfigError } from './environment.ts'

test('no environment at all gives a usable configuration', () => {
  expect(readConfig({})).toEqual({
    isProduction: false,
    log: { level: 'info', format: 'auto' },
    requestLogShare: 1,
    host: '127.0.0.1',
    port: 3000,
    metrics: undefined,
    drainMs: 0,
    dataDir: './data',
    databaseUrl: undefined,
    databaseReplicaUrl: undefined,
    database: { size: 10, connectTimeoutMs: 5000, statementTimeoutMs: 10_000, lockTimeoutMs: 5000 },
    backup: undefined,
    redisUrl: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    needsAdminFactor: false,
    secretKey: undefined,
    previousSecretKey: undefined,
    publicOrigin: undefined,
    smtpUrl: undefined,
    isSmtpTlsOptional: false,
    alerts: { email: undefined, telegram: undefined },
    warnings: [],
    unknownVariables: [],
    hasRateLimits: true,
    passwordHashCost: 'standard',
    trustedProxies: [],
    hasLiveClaims: false,
    site: {
      ...defaultSite,
      brandName: 'Tezi',
      supportUrl: 'https://t.me/tezi_support',
      tradingViewMount: 'iframe',
      hasMail: false,
      firstChart: 'tradingview',
    },
    market: {
      sources: new Set(['binance', 'kraken', 'coinbase', 'twelve-data', 'kite', 'openalgo', 'csv']),
      hasDemo: true,
      firstChart: 'tradingview',
      demoHours: 'always',
      hasHub: true,
      channel: 'tezi:market',
      licences: new Map(),
      urls: {},
      twelveDataKey: undefined,
      twelveDataCredits: undefined,
      kiteKey: undefined,
      kiteToken: undefined,
      openAlgoKey: undefined,
      csvDir: undefined,
      brokers: { kiteLoginUrl: undefined, kiteApp: undefined, hosts: new Set() },
    },
  })
})

test('claims of the landing page are a figure and what it counts', () => {
  const { site, hasLiveClaims } = readConfig({ LANDING_CLAIMS: '27 charts; 3 analysts;22 assets; 99.9% data accuracy' })
  expect(hasLiveClaims).toBe(false)
  expect(site.claims).toEqual([
    { figure: '27', what: 'charts' },
    { figure: '3', what: 'analysts' },
    { figure: '22', what: 'assets' },
    { figure: '99.9%', what: 'data accuracy' },
  ])
})

test('every name is read', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
    LOG_REQUESTS: '0.05',
    HOST: '0.0.0.0',
    PORT: '8080',
    METRICS_HOST: '10.0.0.7',
    METRICS_PORT: '9464',
    DRAIN_SECONDS: '7.5',
    DATA_DIR: '/var/lib/tezi',
    DATABASE_URL: 'postgres://tezi:secret@db/tezi',
    DATABASE_REPLICA_URL: 'postgres://tezi:secret@replica/tezi',
    DATABASE_POOL_SIZE: '25',
    DATABASE_CONNECT_TIMEOUT_MS: '2000',
    DATABASE_STATEMENT_TIMEOUT_MS: '20000',
    DATABASE_LOCK_TIMEOUT_MS: '1000',
    BACKUP_DIR: '/mnt/backups',
    BACKUP_KEY: Buffer.alloc(32, 7).toString('base64'),
    BACKUP_KEY_PREVIOUS: Buffer.alloc(32, 6).toString('base64'),
    BACKUP_DAYS: '30',
    ERASURES_FILE: 'erasures.txt',
    PGBACKREST_INFO: '/var/lib/pgbackrest-info.json',
    REDIS_URL: 'redis://cache:6379',
    ADMIN_EMAIL: ' Owner@Example.IN ',
    ADMIN_PASSWORD: 'correct horse battery',
    ADMIN_TWO_FACTOR: 'optional',
    SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    SECRET_KEY_PREVIOUS: Buffer.alloc(32, 4).toString('base64'),
    PUBLIC_URL: 'https://tezi.example/',
    BRAND_NAME: 'Charts',
    SUPPORT_URL: 'https://wa.me/910000000000',
    SMTP_URL: 'smtps://mail.example:465',
    SMTP_TLS: 'required',
    ALERT_EMAIL: 'Ops@Example.IN',
    ALERT_TELEGRAM_TOKEN: '12345:abc-DEF',
    ALERT_TELEGRAM_CHAT: '-100',
    ALERT_TELEGRAM_URL: 'http://127.0.0.1:8081/',
    SERVER_SECRET: 'a secret of thirty-two characters',
    TRADINGVIEW_MOUNT: 'script',
    LANDING_CLAIMS: 'live',
    RATE_LIMITS: 'on',
    PASSWORD_HASHES: 'standard',
    TRUSTED_PROXIES: '10.0.0.0/8,::1',
    MARKET_SOURCES: 'binance,kite',
    MARKET_DEMO: 'off',
    MARKET_HUB: 'off',
    MARKET_CHANNEL: 'other:market',
    MARKET_LICENCES: 'nse=licensed:NSE/1',
    MARKET_URLS:
      '{"openalgo":{"restUrl":"http://127.0.0.1:5000","socketUrl":"ws://127.0.0.1:8765"},"kite":{"loginUrl":"https://kite.test/login"}}',
    TWELVE_DATA_KEY: 'a',
    TWELVE_DATA_CREDITS: '8/800',
    KITE_API_KEY: 'b',
    KITE_ACCESS_TOKEN: 'c',
    OPENALGO_KEY: 'd',
    CSV_DIR: '/var/lib/tezi/csv',
    CHART_FIRST: 'tezi',
    KITE_APP_KEY: 'e',
    KITE_APP_SECRET: 'f',
    BROKER_HOSTS: 'OpenAlgo.lan:5000,10.0.0.5',
  })
  expect(config).toEqual({
    isProduction: true,
    log: { level: 'warn', format: 'json' },
    requestLogShare: 0.05,
    host: '0.0.0.0',
    port: 8080,
    metrics: { host: '10.0.0.7', port: 9464 },
    drainMs: 7_500,
    dataDir: '/var/lib/tezi',
    databaseUrl: 'postgres://tezi:secret@db/tezi',
    databaseReplicaUrl: 'postgres://tezi:secret@replica/tezi',
    database: { size: 25, connectTimeoutMs: 2000, statementTimeoutMs: 20_000, lockTimeoutMs: 1000 },
    backup: {
      dir: '/mnt/backups',
      keys: [Buffer.alloc(32, 7), Buffer.alloc(32, 6)],
      days: 30,
    },
    erasuresFile: 'erasures.txt',
    pgbackrestInfo: '/var/lib/pgbackrest-info.json',
    redisUrl: 'redis://cache:6379',
    adminEmail: 'owner@example.in',
    adminPassword: 'correct horse battery',
    needsAdminFactor: false,
    secretKey: Buffer.alloc(32, 5),
    previousSecretKey: Buffer.alloc(32, 4),
    publicOrigin: 'https://tezi.example',
    smtpUrl: 'smtps://mail.example:465',
    isSmtpTlsOptional: false,
    serverSecret: 'a secret of thirty-two characters',
    alerts: { email: 'ops@example.in', telegram: { apiUrl: 'http://127.0.0.1:8081', token: '12345:abc-DEF', chat: '-100' } },
    warnings: [
      'SERVER_SECRET is deprecated: set SECRET_KEY instead, which makes all keys',
      'BACKUP_DIR has no effect with DATABASE_URL: docs/operating/backup-and-restore.md#your-own-postgresql',
    ],
    unknownVariables: [],
    hasRateLimits: true,
    passwordHashCost: 'standard',
    trustedProxies: ['10.0.0.0/8', '::1'],
    hasLiveClaims: true,
    site: {
      ...defaultSite,
      brandName: 'Charts',
      supportUrl: 'https://wa.me/910000000000',
      tradingViewMount: 'script',
      hasMail: true,
      firstChart: 'tezi',
    },
    market: {
      sources: new Set(['binance', 'kite']),
      hasDemo: false,
      firstChart: 'tezi',
      demoHours: 'always',
      hasHub: false,
      channel: 'other:market',
      licences: new Map([['nse', { mode: 'licensed', reference: 'NSE/1', delayMinutes: 0 }]]),
      urls: {
        openalgo: { restUrl: 'http://127.0.0.1:5000', socketUrl: 'ws://127.0.0.1:8765' },
        kite: { loginUrl: 'https://kite.test/login' },
      },
      twelveDataKey: 'a',
      twelveDataCredits: { perMinute: 8, perDay: 800 },
      kiteKey: 'b',
      kiteToken: 'c',
      openAlgoKey: 'd',
      csvDir: '/var/lib/tezi/csv',
      brokers: {
        kiteLoginUrl: 'https://kite.test/login',
        kiteApp: { apiKey: 'e', apiSecret: 'f' },
        hosts: new Set(['openalgo.lan:5000', '10.0.0.5']),
      },
    },
  })
})

test('production keeps serving for three seconds before it stops', () => {
  expect(readConfig({ NODE_ENV: 'production' }).drainMs).toBe(3000)
})

test('production with an external database warns without SECRET_KEY', () => {
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://tezi.example', DATABASE_URL: 'postgres://tezi@db/tezi' }
  expect(readConfig(production).warnings).toEqual([expect.stringContaining('SECRET_KEY is not set')])
  expect(readConfig({ ...production, SECRET_KEY: Buffer.alloc(32, 5).toString('base64') }).warnings).toEqual([])
  expect(readConfig({ ...production, DATABASE_URL: '' }).warnings).toEqual([])
})

test('admins need a second factor in production by default', () => {
  expect(readConfig({ NODE_ENV: 'production' }).needsAdminFactor).toBe(true)
  expect(readConfig({ NODE_ENV: 'production', ADMIN_TWO_FACTOR: 'optional' }).needsAdminFactor).toBe(false)
  expect(readConfig({ NODE_ENV: 'development' }).needsAdminFactor).toBe(false)
  expect(readConfig({ ADMIN_TWO_FACTOR: 'required' }).needsAdminFactor).toBe(true)
})

test('empty values are treated as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_PASSWORD: '' })).toEqual(readConfig({}))
})

test.each([
  [{ PORT: 'http' }, 'PORT: must be a port number'],
  [{ ADMIN_TWO_FACTOR: 'on' }, 'ADMIN_TWO_FACTOR: must be required or optional'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY: must be 32 random bytes in base64 (openssl rand -base64 32)'],
  [{ PORT: '65536' }, 'PORT: must be a port number'],
  [{ PORT: '-1' }, 'PORT: must be a port number'],
  [{ DATABASE_POOL_SIZE: '1' }, 'DATABASE_POOL_SIZE: must be a whole number from 2 to 500'],
  [{ DATABASE_LOCK_TIMEOUT_MS: '5s' }, 'DATABASE_LOCK_TIMEOUT_MS: must be a whole number from 100 to 600000'],
  [{ DRAIN_SECONDS: '61' }, 'DRAIN_SECONDS: must be seconds, 0 to 60'],
  [{ DRAIN_SECONDS: '-1' }, 'DRAIN_SECONDS: must be seconds, 0 to 60'],
  [{ HOST: 'a b' }, 'HOST: must be a host name or an address'],
  [{ DATABASE_URL: 'mysql://u:hunter2@db/x' }, 'DATABASE_URL: must be a URL that starts with postgres:// or postgresql://'],
  [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL: must be a URL that starts with redis:// or rediss:// or redis+sentinel://'],
  [{ REDIS_URL: 'redis+sentinel://tezi' }, 'REDIS_URL: must name the primary and its Sentinels'],
  [{ REDIS_URL: 'redis+sentinel://tezi?sentinel=a/b' }, 'REDIS_URL: must name the primary and its Sentinels'],
  [{ REDIS_URL: 'redis+sentinel://?sentinel=a' }, 'REDIS_URL: must name the primary and its Sentinels'],
  [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: must be a URL that starts with smtp:// or smtps://'],
  [{ ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL: must be an email address'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL: must be one of trace, debug'],
  [{ LOG_FORMAT: 'pretty' }, 'LOG_FORMAT: must be auto, json or text'],
  [{ LOG_REQUESTS: '1.5' }, 'LOG_REQUESTS: must be a share from 0 to 1'],
  [{ LOG_REQUESTS: '5%' }, 'LOG_REQUESTS: must be a share from 0 to 1'],
  [{ ADMIN_PASSWORD: 'hunter2' }, 'ADMIN_PASSWORD: must have at least 12 characters'],
  [{ PUBLIC_URL: 'tezi.example' }, 'PUBLIC_URL: must be a URL that starts with http:// or https://'],
  [{ PUBLIC_URL: 'https://tezi.example/app' }, 'PUBLIC_URL: must not have a path'],
  [{ SUPPORT_URL: 'javascript:alert(1)' }, 'SUPPORT_URL: must be a URL that starts with https:// or mailto:'],
  [
    { LANDING_CLAIMS: '5+ charts; many' },
    'LANDING_CLAIMS: must be live, or 4 claims such as "5+ charts; 1M+ analysts", separated by semicolons',
  ],
  [{ TRADINGVIEW_MOUNT: 'inline' }, 'TRADINGVIEW_MOUNT: must be iframe or script'],
  [{ RATE_LIMITS: 'false' }, 'RATE_LIMITS: must be on or off'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV: must be development, production or test'],
  [{ TRUSTED_PROXIES: 'all' }, 'TRUSTED_PROXIES: must be addresses or ranges with commas between'],
  [{ MARKET_SOURCES: 'binance,nasdaq' }, 'MARKET_SOURCES: must be none, or some of binance,kraken'],
  [{ MARKET_CHANNEL: 'a b' }, 'MARKET_CHANNEL: must be letters, digits, colons and dashes'],
  [{ MARKET_DEMO: 'yes' }, 'MARKET_DEMO: must be on, session or off'],
  [{ MARKET_LICENCES: 'nse=licensed' }, 'MARKET_LICENCES: needs a reference behind nse=licensed:'],
  [{ MARKET_LICENCES: 'nse=edu-30d' }, 'MARKET_LICENCES: needs a reference behind nse=edu-30d: that of your agreement'],
  [{ MARKET_LICENCES: 'nse=hunter2' }, 'MARKET_LICENCES: must be like nse=licensed:REFERENCE,bse=delayed-15:REFERENCE'],
  [{ MARKET_LICENCES: 'public=licensed:x' }, 'MARKET_LICENCES: must be like'],
  [{ MARKET_URLS: '{"binance":{"restUrl":"ftp://hunter2"}}' }, 'MARKET_URLS: must be JSON like'],
  [{ MARKET_URLS: '{' }, 'MARKET_URLS: must be JSON like'],
  [{ TWELVE_DATA_CREDITS: '0' }, 'TWELVE_DATA_CREDITS: must be calls per minute, or per minute and day, such as 377 or 8/800'],
  [{ TWELVE_DATA_CREDITS: '8/' }, 'TWELVE_DATA_CREDITS: must be calls per minute'],
  [{ TWELVE_DATA_CREDITS: '8 / 800' }, 'TWELVE_DATA_CREDITS: must be calls per minute'],
  [{ TWELVE_DATA_CREDITS: 'free' }, 'TWELVE_DATA_CREDITS: must be calls per minute'],
  [{ NODE_ENV: 'production', RATE_LIMITS: 'off' }, 'RATE_LIMITS: off is refused in production'],
  [{ ALERT_EMAIL: 'ops@example.in' }, 'ALERT_EMAIL: needs SMTP_URL'],
  [{ ALERT_TELEGRAM_TOKEN: 'hunter2' }, 'ALERT_TELEGRAM_TOKEN: must be the token of a bot'],
  [{ ALERT_TELEGRAM_TOKEN: '1:hunter2' }, 'ALERT_TELEGRAM_TOKEN and ALERT_TELEGRAM_CHAT: set both or neither'],
  [{ ALERT_TELEGRAM_CHAT: 'me' }, 'ALERT_TELEGRAM_CHAT: must be the number of a chat'],
  [{ BACKUP_DIR: '/mnt/backups' }, 'BACKUP_KEY: must be set with BACKUP_DIR'],
  [{ BACKUP_KEY: 'hunter2' }, 'BACKUP_KEY: must be 32 random bytes in base64'],
  [{ BACKUP_DIR: 'data/backups', BACKUP_KEY: Buffer.alloc(32).toString('base64') }, 'BACKUP_DIR: must not be inside DATA_DIR'],
  [{ DATABASE_REPLICA_URL: 'postgres://u:hunter2@db/x' }, 'DATABASE_REPLICA_URL: needs DATABASE_URL'],
  [
    { DATABASE_URL: 'postgres://u@db/x', BACKUP_DATABASE_URL: 'postgres://u:hunter2@db/x' },
    'BACKUP_DATABASE_URL: was removed. pgBackRest now backs up the server of DATABASE_URL: docs/operating/backup-and-restore.md#from-backup_database_url',
  ],
  [{ ERASURES_FILE: 'erasures.txt' }, 'ERASURES_FILE: needs DATABASE_URL'],
  [{ PGBACKREST_INFO: 'info.json' }, 'PGBACKREST_INFO: needs DATABASE_URL'],
  [{ BACKUP_DAYS: '36' }, 'BACKUP_DAYS: must be a whole number from 1 to 35'],
  [{ PASSWORD_HASHES: 'none' }, 'PASSWORD_HASHES: must be standard or cheap'],
  [{ NODE_ENV: 'production', PASSWORD_HASHES: 'cheap' }, 'PASSWORD_HASHES: cheap is refused in production'],
])('%j is rejected with a clear line', (environment, line) => {
  const read = () => readConfig(environment)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(line)
  expect(read).not.toThrow('hunter2')
})

test('generated prices are on by default except in production', () => {
  expect(readConfig({}).market.hasDemo).toBe(true)
  expect(readConfig({ NODE_ENV: 'production' }).market.hasDemo).toBe(false)
  expect(readConfig({ NODE_ENV: 'production', MARKET_DEMO: 'on' }).market.hasDemo).toBe(true)
  expect(readConfig({ MARKET_DEMO: 'off' }).market.hasDemo).toBe(false)
  expect(readConfig({ MARKET_DEMO: 'on' }).market.demoHours).toBe('always')
  expect(readConfig({ NODE_ENV: 'production', MARKET_DEMO: 'session' }).market).toMatchObject({ hasDemo: true, demoHours: 'session' })
})

test('a plan of Twelve Data may have no daily limit', () => {
  expect(readConfig({ TWELVE_DATA_CREDITS: '377' }).market.twelveDataCredits).toEqual({ perMinute: 377 })
})

test('Yahoo is used only if named, and no source is used with none', () => {
  expect(readConfig({}).market.sources.has('binance')).toBe(true)
  expect(readConfig({}).market.sources.has('yahoo')).toBe(false)
  expect([...readConfig({ MARKET_SOURCES: 'yahoo, csv' }).market.sources]).toEqual(['yahoo', 'csv'])
  expect([...readConfig({ MARKET_SOURCES: 'none' }).market.sources]).toEqual([])
})

test('mail over smtp:// needs STARTTLS unless the configuration disables it', () => {
  expect(readConfig({ SMTP_URL: 'smtp://mail.example' }).isSmtpTlsOptional).toBe(false)
  expect(readConfig({ SMTP_URL: 'smtp://mail.example', SMTP_TLS: 'optional' }).isSmtpTlsOptional).toBe(true)
  expect(() => readConfig({ SMTP_TLS: 'off' })).toThrow('SMTP_TLS: must be required or optional')
})

test.each([
  [{}, []],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'https://tezi.example' }, []],
  [{ NODE_ENV: 'production' }, ['PUBLIC_URL is not an https address']],
  [{ NODE_ENV: 'production', PUBLIC_URL: 'http://tezi.example' }, ['PUBLIC_URL is not an https address']],
  [
    { NODE_ENV: 'production', PUBLIC_URL: 'https://tezi.example', SMTP_URL: 'smtp://mail.example', SMTP_TLS: 'optional' },
    ['SMTP_TLS is optional'],
  ],
])('%j warns: %j', (environment, beginnings) => {
  const { warnings } = readConfig(environment)
  expect(warnings).toHaveLength(beginnings.length)
  for (const [index, beginning] of beginnings.entries()) expect(warnings[index]?.startsWith(beginning)).toBe(true)
})

test('metrics are served on a separate port, on loopback unless another host is set', () => {
  expect(() => readConfig({ METRICS_PORT: '3000' })).toThrow('METRICS_PORT: must differ from PORT')
  expect(() => readConfig({ METRICS_PORT: '70000' })).toThrow('METRICS_PORT: must be a port number')
  expect(() => readConfig({ METRICS_PORT: '9464', METRICS_HOST: 'a b' })).toThrow('METRICS_HOST: must be a host name or an address')
  expect(readConfig({ METRICS_HOST: '0.0.0.0' }).metrics).toBeUndefined()
  expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 })
})
