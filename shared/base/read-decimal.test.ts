// Decimal parsing: accepted and rejected texts.
import { expect, test } from 'vitest'
import { amountOf, readDecimal } from './read-decimal.ts'

test.each([
  '',
  ' ',
  ' 5',
  '5 ',
  '+5',
  '--5',
  '0x10',
  '0b1',
  '0o7',
  '1e1',
  '1E1',
  '1_000',
  '1,000',
  '1.',
  '.5',
  '1.2.3',
  '５',
  '५',
  '²',
  'five',
  'NaN',
  'Infinity',
  '5\n',
  '5\u0000',
])('%j is not a number', (text) => {
  expect(readDecimal(text)).toBeNaN()
})

test.each([
  ['0', 0],
  ['-0', -0],
  ['007', 7],
  ['12', 12],
  ['-5', -5],
  ['2999.50', 2999.5],
  ['9007199254740993', 9007199254740992],
  ['9'.repeat(400), Infinity],
] as const)('%j is %d', (text, value) => {
  expect(readDecimal(text)).toBe(value)
})

test('a number is returned unchanged', () => {
  expect([amountOf(1e1), amountOf('1e1'), amountOf('10')]).toEqual([10, Number.NaN, 10])
  // JavaScript writes these two with an exponent, which a text must not have.
  expect([amountOf(1e-7), amountOf(1e21)]).toEqual([1e-7, 1e21])
})
