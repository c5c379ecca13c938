// Number formats.
import { expect, test } from 'vitest'
import { formatChange, formatNumber } from './format-number.ts'

test.each([
  [81204.35, 2, 'en-IN', '81,204.35'],
  [100000, 0, 'en-IN', '1,00,000'],
  [100000, 0, 'en-US', '100,000'],
  [1.08642, 5, 'en-US', '1.08642'],
  [-3.5, 1, 'en-US', '\u22123.5'],
] as const)('%d with %d decimals in %s is %s', (value, decimals, locale, text) => {
  expect(formatNumber(value, decimals, locale)).toBe(text)
})

test.each([
  [0.424, '+0.42%'],
  [-1.1, '\u22121.10%'],
  [0, '0.00%'],
  [-0.004, '0.00%'],
])('a change of %d percent is %s', (percent, text) => {
  expect(formatChange(percent)).toBe(text)
})
