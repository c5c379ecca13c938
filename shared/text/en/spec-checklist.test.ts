// Keeps docs/spec-checklist.md true: each row's test is there under its name and holds the words of the row to the letter.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

interface Row {
  readonly file: string
  readonly name: string
  readonly words: readonly string[]
}

/** Rows of three cells whose middle one names a test file; what stands in backticks are the words. */
const rows: readonly Row[] = read('docs/spec-checklist.md')
  .split('\n')
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')))
  .filter((cells) => /\.(?:test|e2e)\.ts$/.test(cells[2] ?? ''))
  .map(([, words = '', file = '', name = '']) => ({ file, name, words: [...words.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '') }))

test('the page has rows with words in them', () => {
  expect(rows.length).toBeGreaterThan(70)
  expect(rows.filter(({ words }) => words.length === 0)).toEqual([])
})

describe.each([...new Set(rows.map(({ file }) => file))])('%s', (file) => {
  test('has the named tests with their words', () => {
    expect(existsSync(path.join(root, file))).toBe(true)
    const source = read(file)
    const lost = rows
      .filter((row) => row.file === file)
      .flatMap(({ name, words }) => [name, ...words].filter((piece) => !source.includes(piece)).map((piece) => `${name}: ${piece}`))
    expect(lost).toEqual([])
  })
})
