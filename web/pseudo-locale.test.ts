// The pseudo-locale keeps the shape of the texts and what callers put into them.
import { expect, test } from 'vitest'
import { english } from '#shared/messages/english.ts'
import { pseudo, pseudoOf } from './pseudo-locale.ts'

/** All texts, with functions called as far as they take plain strings and numbers. */
function sentencesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesOf) : []
}

test('no English letter is left in any text, and each is 40 % longer', () => {
  const before = sentencesOf(english)
  const after = sentencesOf(pseudoOf(english))
  expect(after).toHaveLength(before.length)
  expect(before.length).toBeGreaterThan(500)
  for (const [index, text] of after.entries()) {
    expect(text).not.toMatch(/[A-Za-z]/)
    const length = before[index]?.length ?? 0
    if (/[A-Za-z]/.test(before[index] ?? '')) expect(text.length).toBeGreaterThanOrEqual(length * 1.3)
  }
})

test('it has Devanagari', () => {
  expect(pseudo('Save')).toBe('Šåṽéनमू')
  expect(pseudo('Sign in')).toBe('Šîĝñ îñ नमूना')
})

test('parameters stay as they are', () => {
  const text = { of: (name: string, count: number) => `${count} of ${name}` }
  const { of } = pseudoOf(text) as typeof text
  expect(of('Meera', 2)).toMatch(/^2 öƒ Meera न/)
  expect(of('', 2)).toMatch(/^2 öƒ {2}न/)
})
