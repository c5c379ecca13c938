// Zerodha sessions end at 06:00 in India, whatever the time of the login.
import { expect, test } from 'vitest'
import { kiteSessionEndMs } from './kite-session-end.ts'

test.each([
  ['2026-11-20T09:15:00+05:30', '2026-11-21T06:00:00+05:30'],
  ['2026-11-20T23:59:59+05:30', '2026-11-21T06:00:00+05:30'],
  ['2026-11-21T00:30:00+05:30', '2026-11-21T06:00:00+05:30'],
  ['2026-11-21T05:59:59.999+05:30', '2026-11-21T06:00:00+05:30'],
  ['2026-11-21T06:00:00+05:30', '2026-11-22T06:00:00+05:30'],
  ['2028-02-28T12:00:00+05:30', '2028-02-29T06:00:00+05:30'],
])('a login at %s is valid until %s', (login, end) => {
  expect(kiteSessionEndMs(Date.parse(login))).toBe(Date.parse(end))
})
