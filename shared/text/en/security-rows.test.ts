// Keeps docs/security.md honest: each row names what shows it, and each of these is there, once and with tests in it.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const testFiles = globSync('{server,shared,web}/**/*.test.ts', { cwd: root })

const rows = readFileSync(path.join(root, 'docs/security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name = '', what = '', shownBy = '']) => ({
    name,
    what,
    files: [...shownBy.matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => file),
  }))

/** The file itself, or else every test whose path ends so; journeys and scripts are always named from the root. */
function filesOf(name: string): readonly string[] {
  return existsSync(path.join(root, name)) ? [name] : testFiles.filter((file) => `/${file}`.endsWith(`/${name}`))
}

test('the page has rows, each with a sentence and something that shows it', () => {
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter(({ name, what, files }) => name === '' || what === '' || files.length === 0)).toEqual([])
})

describe.each([...new Set(rows.flatMap(({ files }) => files))])('%s', (name) => {
  test('is one file, with something to run', () => {
    const files = filesOf(name)
    expect(files).toHaveLength(1)
    const source = readFileSync(path.join(root, files[0] ?? ''), 'utf8')
    expect(source).toMatch(/\.(?:test|e2e)\.ts$/.test(name) ? /^\s*(?:test|it)(?:\.each)?\(/m : /\S/)
  })
})
