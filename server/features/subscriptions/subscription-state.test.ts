// Whether a user has paid days left.
import { expect, test } from 'vitest'
import { stateOf, type Subscriber } from './subscription-state.ts'

const nowMs = Date.parse('2026-11-20T12:00:00+05:30')

test.each([
  [null, null, false],
  ['paid', null, false],
  ['paid', -1, false],
  ['paid', 0, false],
  ['paid', 1, true],
  ['pending', 0, false],
  ['pending', 1, true],
  // A suspended user may have an end in the future, which does not count.
  ['cancel', 1, false],
] as const)('status %s with an end %s ms from now has paid days left: %s', (status, endsIn, hasTerm) => {
  const user: Subscriber = {
    id: 'u1',
    name: 'Ravi',
    email: 'ravi@example.in',
    status,
    premium_start: null,
    premium_end: endsIn === null ? null : new Date(nowMs + endsIn),
    anchor_day: null,
    subscription_months: 1,
    payment_type: null,
    utr_no: null,
  }
  expect(stateOf(user, nowMs)).toEqual({ status, hasTerm })
})
