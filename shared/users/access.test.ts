// Until when premium holds, at the boundaries of its dates.
import { expect, test } from 'vitest'
import { isPremiumAt } from './access.ts'

const nowMs = Date.parse('2026-11-20T12:00:00+05:30')

test.each([
  [null, null, false],
  [null, nowMs + 1, false],
  ['cancel', nowMs + 1, false],
  ['expired', nowMs + 1, false],
  ['paid', null, false],
  ['paid', nowMs - 1, false],
  ['paid', nowMs, false],
  ['paid', nowMs + 1, true],
  ['pending', null, false],
  ['pending', nowMs, false],
  ['pending', nowMs + 1, true],
])('status %s with an end at %s is premium: %s', (status, endMs, expected) => {
  expect(isPremiumAt(nowMs, status, endMs)).toBe(expected)
})
