// The public files contain nothing that requires access rights: no provider studies, no personal data.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect } from '@playwright/test'
import { built } from '../scripts/first-load.ts'
import { studiesOf } from '../server/features/chart/service.ts'
import { chartFlagNames, type ChartFlags } from '../shared/chart/chart-flags.ts'
import { test } from './harness/test.ts'

const allFlags = Object.fromEntries(chartFlagNames.map((name) => [name, true])) as unknown as ChartFlags

/** Every file that the server serves, as the browser reads it. */
const files = readdirSync(built, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(built.length + 1), text: readableOf(path) }))

function readableOf(path: string): string {
  const bytes = readFileSync(path)
  return (path.endsWith('.br') ? brotliDecompressSync(bytes) : path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
}

const holding = (pattern: RegExp | string) =>
  files.filter(({ text }) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text))).map(({ path }) => path)

test.describe('the built pages', () => {
  test('are all checked, also the parts that only admins and premium users load', () => {
    for (const text of ['Export CSV', 'Premium user required', 'Audit Log', 'Market Data', 'Trend line', 'Live charts'])
      expect(holding(text).filter((path) => path.endsWith('.js'))).not.toEqual([])
  })

  for (const id of new Set([
    'STD;',
    'tv-basicstudies',
    ...studiesOf(allFlags),
    ...studiesOf(allFlags).map((id) => encodeURIComponent(id)),
  ])) {
    test(`contain no study ${id}`, () => {
      expect(holding(id)).toEqual([])
    })
  }

  for (const [what, trace] of [
    ['an email', /[a-z0-9._+-]+@[a-z0-9-]+\.(?:in|com|org|net|example)\b/i],
    ['the person of the tests', 'Asha Rao'],
    ['the phone of the tests', '9876543210'],
    ['a hash of a password', '$argon2'],
    ['the image of a plan', 'upi://pay?pa='],
    ['the address of a database', /postgres(?:ql)?:\/\//],
    ['a private key', '-----BEGIN'],
  ] as const) {
    test(`contain no ${what}`, () => {
      expect(holding(trace)).toEqual([])
    })
  }

  test('come without their sources', () => {
    expect(files.map(({ path }) => path).filter((path) => /\.(?:map|tsx?)(?:\.(?:br|gz))?$/.test(path))).toEqual([])
    expect(holding('sourceMappingURL=')).toEqual([])
  })
})
