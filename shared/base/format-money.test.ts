// Money formats in both currencies: grouping and decimals.
import { expect, test } from 'vitest'
import { formatMoney } from './format-money.ts'

test.each([
  [0, 'INR', '₹0'],
  [100_000, 'INR', '₹1,00,000'],
  [1234.5, 'INR', '₹1,234.50'],
  [100_000, 'USD', '$100,000'],
  [9.99, 'USD', '$9.99'],
] as const)('%d in %s reads %s', (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text)
})
