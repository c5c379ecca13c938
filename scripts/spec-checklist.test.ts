// Which rows of the checklist hold after a run.
import { expect, test } from 'vitest'
import { checklistRows, rowsOf, rowsWithoutPass } from './spec-checklist.ts'

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
