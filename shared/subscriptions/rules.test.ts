// Payment references as pasted by users: detected rail, and error messages.
import { expect, test } from 'vitest'
import { inEnglish } from '#shared/http/app-error.ts'
import { findReferenceIssue, normaliseReference, railOf } from './rules.ts'

const hash = 'ab12'.repeat(16)

test.each([
  ['regular', '632412345678', 'upi'],
  ['regular', ' 6324 1234 5678 ', 'upi'],
  ['regular', 'hdfcn52026112012', 'neft'],
  ['regular', 'HDFCR52026112012345678', 'rtgs'],
  ['crypto', '123456789012345678', 'binance'],
  ['crypto', '1234567890123456789', 'binance'],
  ['crypto', hash, 'tron'],
  ['crypto', `0x${hash}`, 'evm'],
  ['crypto', ` 0X${hash}`, 'evm'],
  // The longest accepted text, including spaces.
  ['regular', ' '.repeat(68) + '632412345678', 'upi'],
] as const)('%s reference %s belongs to %s', (type, reference, rail) => {
  expect(railOf(type, reference)).toBe(rail)
  expect(findReferenceIssue(type, reference)).toBeUndefined()
})

test('a reference has one normalised form', () => {
  expect(
    new Set([`0x${hash}`, `0X${hash.toUpperCase()}`, ` ${hash.slice(0, 9)} ${hash.slice(9)}`, hash].map(normaliseReference)).size,
  ).toBe(1)
})

test.each([
  ['regular', '', 'Please fill in UTR No. field.'],
  ['regular', '  ', 'Please fill in UTR No. field.'],
  ['crypto', '', 'Please fill in Order ID field.'],
  ['regular', '63241234567', 'This is not a UTR'],
  ['regular', 'T2611201234567890123456', 'This is not a UTR'],
  ['regular', '123456789012345678', 'This is not a UTR'],
  ['regular', '6324123456780', 'This is not a UTR'],
  ['regular', '0HDFCN52026112012', 'This is not a UTR'],
  ['regular', 'HDFCN520261120123', 'This is not a UTR'],
  ['regular', 'HDFCN5202611201', 'This is not a UTR'],
  ['regular', 'HDF1N52026112012', 'This is not a UTR'],
  ['regular', '0HDFCR52026112012345678', 'This is not a UTR'],
  ['regular', 'HDFCR520261120123456789', 'This is not a UTR'],
  ['regular', 'HDFCR5202611201234567', 'This is not a UTR'],
  ['regular', 'HDFCN52026112012345678', 'This is not a UTR'],
  ['crypto', '632412345678', 'This is not an Order ID'],
  ['crypto', '12345678901234567', 'This is not an Order ID'],
  ['crypto', 'A123456789012345678', 'This is not an Order ID'],
  ['crypto', '1234567890123456789A', 'This is not an Order ID'],
  ['crypto', '12345678901234567890', 'This is not an Order ID'],
  ['crypto', `0x0x${hash}`, 'This is not an Order ID'],
  ['crypto', `0x${hash}0`, 'This is not an Order ID'],
  ['regular', '<script>alert(1)</script>', 'This is not a UTR'],
  ['regular', ' '.repeat(69) + '632412345678', 'This is not a UTR'],
] as const)('%s reference "%s" gets its message', (type, reference, sentence) => {
  const code = findReferenceIssue(type, reference)
  expect(code && inEnglish(code)).toContain(sentence)
})
