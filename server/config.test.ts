// The configuration: defaults that need nothing, and one clear line per bad value, without its secret.
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('no environment at all gives a usable configuration', () => {
  expect(readConfig({})).toEqual({
    isProduction: false,
    host: '127.0.0.1',
    port: 3000,
    dataDir: './data',
    databaseUrl: undefined,
    redisUrl: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    publicOrigin: undefined,
    smtpUrl: undefined,
    hasRateLimits: true,
    trustedProxies: [],
    site: { brandName: 'Tezi', supportUrl: 'https://t.me/tezi_support', tradingViewMount: 'iframe', hasMail: false },
  })
})

test('every name is read', () => {
  const config = readConfig({
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    PORT: '8080',
    DATA_DIR: '/var/lib/tezi',
    DATABASE_URL: 'postgres://tezi:secret@db/tezi',
    REDIS_URL: 'redis://cache:6379',
    ADMIN_EMAIL: ' Owner@Example.IN ',
    ADMIN_PASSWORD: 'correct horse battery',
    PUBLIC_URL: 'https://tezi.example/',
    BRAND_NAME: 'Charts',
    SUPPORT_URL: 'https://wa.me/910000000000',
    SMTP_URL: 'smtps://mail.example:465',
    TRADINGVIEW_MOUNT: 'script',
    RATE_LIMITS: 'on',
    TRUSTED_PROXIES: '10.0.0.0/8,::1',
  })
  expect(config).toEqual({
    isProduction: true,
    host: '0.0.0.0',
    port: 8080,
    dataDir: '/var/lib/tezi',
    databaseUrl: 'postgres://tezi:secret@db/tezi',
    redisUrl: 'redis://cache:6379',
    adminEmail: 'owner@example.in',
    adminPassword: 'correct horse battery',
    publicOrigin: 'https://tezi.example',
    smtpUrl: 'smtps://mail.example:465',
    hasRateLimits: true,
    trustedProxies: ['10.0.0.0/8', '::1'],
    site: { brandName: 'Charts', supportUrl: 'https://wa.me/910000000000', tradingViewMount: 'script', hasMail: true },
  })
})

test('empty values count as absent', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', ADMIN_PASSWORD: '' })).toEqual(readConfig({}))
})

test.each([
  [{ PORT: 'http' }, 'PORT: must be a port number'],
  [{ PORT: '65536' }, 'PORT: must be a port number'],
  [{ PORT: '-1' }, 'PORT: must be a port number'],
  [{ HOST: 'a b' }, 'HOST: must be a host name or an address'],
  [{ DATABASE_URL: 'mysql://u:hunter2@db/x' }, 'DATABASE_URL: must be a URL that starts with postgres:// or postgresql://'],
  [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL: must be a URL that starts with redis:// or rediss://'],
  [{ SMTP_URL: 'mail.example' }, 'SMTP_URL: must be a URL that starts with smtp:// or smtps://'],
  [{ ADMIN_EMAIL: 'admin' }, 'ADMIN_EMAIL: must be an email address'],
  [{ ADMIN_PASSWORD: 'hunter2' }, 'ADMIN_PASSWORD: must have at least 12 characters'],
  [{ PUBLIC_URL: 'tezi.example' }, 'PUBLIC_URL: must be a URL that starts with http:// or https://'],
  [{ PUBLIC_URL: 'https://tezi.example/app' }, 'PUBLIC_URL: must not have a path'],
  [{ SUPPORT_URL: 'javascript:alert(1)' }, 'SUPPORT_URL: must be a URL that starts with https:// or mailto:'],
  [{ TRADINGVIEW_MOUNT: 'inline' }, 'TRADINGVIEW_MOUNT: must be iframe or script'],
  [{ RATE_LIMITS: 'false' }, 'RATE_LIMITS: must be on or off'],
  [{ NODE_ENV: 'prod' }, 'NODE_ENV: must be development, production or test'],
  [{ TRUSTED_PROXIES: 'all' }, 'TRUSTED_PROXIES: must be addresses or ranges with commas between'],
  [{ NODE_ENV: 'production', RATE_LIMITS: 'off' }, 'RATE_LIMITS: off is refused in production'],
])('%j is refused in a clear line', (environment, line) => {
  const read = () => readConfig(environment)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(line)
  expect(read).not.toThrow('hunter2')
})
