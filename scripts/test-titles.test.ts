// Reading tests without running them: what counts as a test, and which source belongs to it.
import { expect, test } from 'vitest'
import { readTests } from './test-titles.ts'

const read = (source: string) => readTests('some.test.tsx', source)
const titles = (source: string) => read(source).map(({ title }) => title)

test('a file that is no TypeScript throws', () => {
  expect(() => read('test(')).toThrow('some.test.tsx cannot be parsed')
})

test.each([
  ['a comment', "// test('x', () => {})"],
  ['a text', 'const words = "test(\'x\', () => {})"'],
  ['a group', "describe('x', () => {}); test.describe('x', () => {})"],
  ['a skipped test', "test.skip('x', () => {}); it.todo('x'); test.fixme('x', () => {}); test.skip.each([1])('x', () => {})"],
  ['another call', "expect('x', 1); page.test('x')"],
])('%s is no test', (_, source) => {
  expect(titles(source)).toEqual([])
})

test.each([
  ["test('x', () => {})", 'x'],
  ["describe('a', () => { it('x', async () => {}) })", 'x'],
  ["for (const one of all) test.describe('a', () => test('x', { tag: '@slow' }, () => {}))", 'x'],
  ["test.each([[1, 'x']] as const)('%s is %d', (a, b) => {})", '%s is %d'],
  ["test.runIf(isLinux)('x', () => {})", 'x'],
  ['test(`${name} is x`, () => {})', '${name} is x'],
])('%s has the title %s', (source, title) => {
  expect(titles(source)).toEqual([title])
})

test('the source of a test is its call with its table, and what it uses of its file', () => {
  const [first, second] = read(`
    const deep = ['deep words']
    const shared = () => deep.at(0)
    const other = 'words of the other'
    test.each([['words of the table']])('first', () => void shared())
    test('second', () => void other)
  `)
  for (const words of ['deep words', 'words of the table']) expect(first?.source).toContain(words)
  expect(first?.source).not.toContain('words of the other')
  expect(second?.source).toContain('words of the other')
})
