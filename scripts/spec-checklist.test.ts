// Which rows of the checklist hold after a run.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestCase, TestResult } from '@playwright/test/reporter'
import { expect, onTestFinished, test, vi } from 'vitest'
import PassedTests from './passed-tests-playwright.ts'
import { checklistRows, passedTestsVariable, readPassed, root, rowsOf, rowsWithoutPass } from './spec-checklist.ts'

const row = (title: string) => ({ file: 'web/a.test.tsx', title, quotes: [] })
const missing = (title: string, ...passed: string[]) => rowsWithoutPass([row(title)], new Set(passed)).length

test.each([
  ['nothing passed', 'opens', []],
  ['a test of another file', 'opens', ['web/b.test.tsx\topens']],
  ['a longer title', 'opens', ['web/a.test.tsx\topens twice']],
  ['a special character of patterns', 'opens.', ['web/a.test.tsx\topens!']],
])('a row does not hold with %s', (_, title, passed) => {
  expect(missing(title, ...passed)).toBe(1)
})

test.each([
  ['opens (a+b).', 'opens (a+b).'],
  ['%s opens %d of %j', 'EUR/USD opens 1 of {"a":2}'],
  ['$name opens', 'Asha opens'],
  ['${who.name} opens', 'Asha opens'],
])('a row with the title %s holds when %s passed', (title, passed) => {
  expect(missing(title, `web/a.test.tsx\t${passed}`)).toBe(0)
})

test('a table is read without header and delimiter, with literal bars', () => {
  expect(rowsOf('| a | b |\n| --- | --: |\n| c \\| d | e |\ntext')).toEqual([
    ['', 'a', 'b', ''],
    ['', 'c | d', 'e', ''],
  ])
})

test('the checklist has rows, and every row quotes something', () => {
  expect(checklistRows().length).toBeGreaterThan(70)
  expect(checklistRows().filter(({ quotes }) => quotes.length === 0)).toEqual([])
})

/** What the step `specification` of `npm test` does with these passed tests. */
function checkSpecification(passed: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'passed-tests-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, '1'), passed.map((line) => `${line}\n`).join(''))
  const script = join(root, 'scripts/check-specification.ts')
  const { status, stderr } = spawnSync(process.execPath, [script], {
    env: { ...process.env, [passedTestsVariable]: dir },
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('the step exits with 1 and names the test as soon as one row has none that passed', () => {
  const lines = checklistRows().map(({ file, title }) => `${file}\t${title}`)
  const [first = '', ...others] = new Set(lines)
  const sentence = `${first.replace('\t', ': did not run and pass: ')}\n`
  expect(checkSpecification([first, ...others])).toEqual({ status: 0, stderr: '' })
  expect(checkSpecification(others)).toEqual({ status: 1, stderr: sentence.repeat(lines.filter((line) => line === first).length) })
})

test('only tests that passed are recorded', () => {
  const dir = mkdtempSync(join(tmpdir(), 'passed-tests-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  vi.stubEnv(passedTestsVariable, dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  const reporter = new PassedTests()
  for (const status of ['passed', 'failed', 'timedOut', 'skipped', 'interrupted'] as const)
    reporter.onTestEnd({ location: { file: join(root, 'e2e/a.e2e.ts') }, title: status } as TestCase, { status } as TestResult)
  expect([...readPassed(dir)].filter(Boolean)).toEqual(['e2e/a.e2e.ts\tpassed'])
})
