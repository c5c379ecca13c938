// Output of `npx tezi config` for each setting, and which variables are reported as misspelt settings.
import { expect, test } from 'vitest'
import { effectiveSettings, unknownVariables } from './effective-settings.ts'
import { withEnvFile } from './environment.ts'
import { settingNames } from './environment-schema.ts'

function settings(own: Readonly<Record<string, string>>, file = '') {
  return new Map(effectiveSettings(withEnvFile(own, () => file)).map((setting) => [setting.name, setting]))
}

test('all settings are shown, with defaults of the mode', () => {
  expect([...settings({}).keys()]).toEqual(settingNames)
  expect(settings({}).get('MARKET_SOURCES')?.value).toBe('binance,kraken,coinbase,twelve-data,kite,openalgo,csv')
  expect(settings({}).get('MARKET_DEMO')).toEqual({ name: 'MARKET_DEMO', value: 'on', origin: 'default' })
  expect(settings({}).get('LANDING_CLAIMS')?.value).toBe('5+ charts; 1M+ analysts; 20+ assets; 99.9% data accuracy')
  expect([...settings({}).values()].filter(({ value }) => value.includes('[object'))).toEqual([])
  expect(settings({ NODE_ENV: 'production' }).get('MARKET_DEMO')?.value).toBe('off')
  expect(settings({ PORT: '' }, 'PORT=4000').get('PORT')).toMatchObject({ value: '3000', origin: 'default' })
})

test.each([
  ['SECRET_KEY', Buffer.alloc(32, 5).toString('base64'), '(set, 32 to 63 characters)'],
  ['SECRET_KEY_PREVIOUS', Buffer.alloc(32, 5).toString('base64'), '(set, 32 to 63 characters)'],
  ['SERVER_SECRET', 'hunter2'.repeat(10), '(set, 64 or more characters)'],
  ['ADMIN_PASSWORD', 'hunter2-hunter2-hunter2', '(set, 16 to 31 characters)'],
  ['TWELVE_DATA_KEY', 'hunter2', '(set, less than 16 characters)'],
  ['KITE_API_KEY', 'hunter2', '(set, less than 16 characters)'],
  ['KITE_ACCESS_TOKEN', 'hunter2', '(set, less than 16 characters)'],
  ['ALERT_TELEGRAM_TOKEN', '1:hunter2', '(set, less than 16 characters)'],
  ['KITE_APP_KEY', 'hunter2', '(set, less than 16 characters)'],
  ['KITE_APP_SECRET', 'hunter2', '(set, less than 16 characters)'],
  ['OPENALGO_KEY', 'hunter2', '(set, less than 16 characters)'],
  ['DATABASE_URL', 'postgres://tezi:hunter2@db:5432/tezi?password=hunter2&sslmode=require', 'postgres://***@db:5432/tezi?***'],
  ['DATABASE_URL', 'postgres://db:hunter2/', '(set, 16 to 31 characters)'],
  ['REDIS_URL', 'rediss://:hunter2@cache', 'rediss://***@cache'],
  ['SMTP_URL', 'smtps://hunter2%40x.in:hunter2@mail:465?from=a@b.in', 'smtps://***@mail:465?***'],
  ['SMTP_URL', 'smtps://me:hunter2@hunter2@mail:465', 'smtps://***@mail:465'],
  ['MARKET_URLS', '{"kraken":{"restUrl":"https://u:hunter2@k.in/a?key=hunter2"}}', '{"kraken":{"restUrl":"https://***@k.in/a?***"}}'],
  // A secret on the wrong line.
  ['PORT', 'hunter2', '(set, less than 16 characters)'],
])('%s never shows a secret', (name, value, shown) => {
  expect(settings({}, `${name}='${value}'`).get(name)).toEqual({ name, value: shown, origin: '.env' })
  expect(settings({ [name]: value }).get(name)).toEqual({ name, value: shown, origin: 'environment' })
})

test.each([
  ['SMTP_HOST', ''],
  ['MARKET_SOURCE', 'MARKET_SOURCES'],
  ['KITE_TOKEN', ''],
  ['ADMIN_PASSWRD', 'ADMIN_PASSWORD'],
  ['PROT', 'PORT'],
  ['PUBILC_URL', 'PUBLIC_URL'],
  ['PUPLIK_URL', 'PUBLIC_URL'],
  ['smtp_url', 'SMTP_URL'],
  ['https_proxy', 'HTTPS_PROXY'],
  ['TRADINGVEW_MONT', 'TRADINGVIEW_MOUNT'],
])('%s is reported; suggestion %j', (name, meant) => {
  const [line, ...others] = unknownVariables(['PATH', name])
  expect(others).toEqual([])
  expect(line).toMatch(new RegExp(`^${name} is not a setting of Tezi`))
  expect(line?.split('Did you mean ')[1] ?? '').toBe(meant === '' ? '' : `${meant}?`)
})

test('variables of the system and of other programs are not reported', () => {
  const system = [
    'HOME',
    'HOSTNAME',
    'PATH',
    'PWD',
    'TERM',
    'MAIL',
    'USER',
    'LANG',
    'TZ',
    'SHLVL',
    '_',
    'WEB_PORT',
    'http_proxy',
    'HTTP_PROXY',
  ]
  const programs = ['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'NVM_DIR', 'GPG_KEY', 'npm_lifecycle_event', 'XDG_DATA_DIRS']
  const kubernetes = ['REDIS_SERVICE_HOST', 'REDIS_SERVICE_PORT', 'REDIS_PORT_6379_TCP', 'SMTP_PORT_25_TCP_ADDR']
  expect(unknownVariables([...system, ...programs, ...kubernetes, ...settingNames])).toEqual([])
})

test('a name with control characters is skipped', () => {
  expect(unknownVariables(['SMTP_\u001B[2J', `SMTP_${'A'.repeat(100)}`])).toEqual([])
})
