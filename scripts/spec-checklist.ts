// The rows of docs/developing/spec-checklist.md, and which of their tests passed in a run.
import { appendFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '..')
const testFile = /\.(?:test|e2e)\.tsx?$/

export interface ChecklistRow {
  readonly file: string
  /** As written in the source, with the placeholders of a table. */
  readonly title: string
  /** What the test has to contain. */
  readonly quotes: readonly string[]
}

/** The cells of each table row of a page, without header and delimiter; `\|` inside a cell is a literal bar. */
export function rowsOf(page: string): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|')))
    .filter((cells) => !/^-+:?$/.test(cells[1] ?? ''))
}

/** The rows whose second cell is a test file. */
export function checklistRows(): ChecklistRow[] {
  return rowsOf(readFileSync(join(root, 'docs/developing/spec-checklist.md'), 'utf8'))
    .filter((cells) => testFile.test(cells[2] ?? ''))
    .map(([, words = '', file = '', title = '']) => ({
      file,
      title,
      quotes: [...words.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''),
    }))
}

/** Passed tests as lines of file, tab, title. */
export type PassedTests = ReadonlySet<string>

/** Rows whose test did not pass: it did not run, was skipped, or failed. A placeholder of a title matches any text. */
export function rowsWithoutPass(rows: readonly ChecklistRow[], passed: PassedTests): ChecklistRow[] {
  const titlesByFile = Map.groupBy(
    [...passed].map((line) => line.split('\t')),
    ([file = '']) => file,
  )
  return rows.filter(({ file, title }) => {
    const pattern = patternOf(title)
    return !titlesByFile.get(file)?.some(([, name = '']) => pattern.test(name))
  })
}

function patternOf(title: string): RegExp {
  const parts = title.split(/%[sdifjo#%]|\$\{[^}]*\}|\$[\w.]+/)
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.*')}$`, 's')
}

/** Folder for the lines of the reporters; they write nothing without it. */
export const passedTestsVariable = 'PASSED_TESTS_DIR'

export function recordPassed(file: string, titles: readonly string[]): void {
  const dir = process.env[passedTestsVariable]
  if (dir === undefined || titles.length === 0) return
  mkdirSync(dir, { recursive: true })
  appendFileSync(
    join(dir, String(process.pid)),
    titles.map((title) => `${relative(root, file)}\t${title.replaceAll(/\s+/g, ' ')}\n`).join(''),
  )
}

export function readPassed(dir: string): PassedTests {
  return new Set(readdirSync(dir).flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n')))
}
