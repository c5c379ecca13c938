// Formatting of audit log entries.
import { expect, test } from 'vitest'
import { actionWords, detailWords } from './audit-words.ts'

test.each([
  ['plan-updated', 'Plan updated'],
  ['sign-in', 'Sign in'],
  ['', ''],
])('%j reads %j', (action, words) => {
  expect(actionWords(action)).toBe(words)
})

test.each([
  ['', ''],
  ['{}', ''],
  ['{"months":3,"type":"crypto"}', 'months 3, type crypto'],
  [
    '{"before":{"price":999,"premiumEnd":null,"months":3},"after":{"price":1099,"months":3,"version":2}}',
    'price 999 → 1099, premium end –, months 3, version 2',
  ],
  ['{"before":{"end":null},"after":{"end":"2026-11-20T18:35:00.000Z"},"why":"asked"}', 'end – → 21 Nov 2026, 00:05, why asked'],
  ['{"before":null,"after":{"price":5}}', 'price 5'],
  ['{"before":1,"after":2}', '1 → 2'],
  ['{"filter":{"search":"asha"},"ids":[1,2]}', 'filter (search asha), ids [1,2]'],
  [`{"image":"${'a'.repeat(64)}"}`, `image ${'a'.repeat(40)}…`],
  ['just words', 'just words'],
  ['7', '7'],
])('the details %j read %j', (details, words) => {
  expect(detailWords(details)).toBe(words)
})
