// Which variables are reported as misspelt settings.
import { expect, test } from 'vitest'
import { settingNames } from './config.ts'
import { unknownVariables } from './unknown-variables.ts'

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
  const [line, ...others] = unknownVariables(['PATH', name], settingNames)
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
  expect(unknownVariables([...system, ...programs, ...kubernetes, ...settingNames], settingNames)).toEqual([])
})

test('a name with control characters is skipped', () => {
  expect(unknownVariables(['SMTP_\u001B[2J', `SMTP_${'A'.repeat(100)}`], settingNames)).toEqual([])
})
