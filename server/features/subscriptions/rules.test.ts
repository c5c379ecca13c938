// The state of a subscription, and its term after an admin's decision: months are added to the remaining term, and corrections move its end.
import { expect, test } from 'vitest'
import { dayMs } from '#shared/base/durations.ts'
import { subscriptionServerText, subscriptionText as text } from '#shared/subscriptions/text/en.ts'
import type { Subscriber } from './repository.ts'
import { acceptedTerm, endAfterMonths, parseMonths, resumedTerm, subscriptionStateOf } from './rules.ts'

const india = (at: string) => new Date(`${at}:00+05:30`)
const now = india('2026-11-20T12:00')

const user: Subscriber = {
  id: 'u1',
  name: 'Ravi',
  email: 'ravi@example.in',
  status: 'pending',
  premium_start: null,
  premium_end: null,
  anchor_day: null,
  subscription_months: 1,
  payment_type: 'upi',
  utr_no: '632412345678',
}

/** Paid for November; the anchor day of the end is 30. */
const running: Subscriber = {
  ...user,
  status: 'paid',
  premium_start: india('2026-10-30T09:00'),
  premium_end: india('2026-11-30T09:00'),
  anchor_day: 30,
}

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
  const premium_end = endsIn === null ? null : new Date(now.getTime() + endsIn)
  expect(subscriptionStateOf({ ...user, status, premium_end }, now.getTime())).toEqual({ status, hasTerm })
})

test.each([0, -1])('acceptance of %i months is rejected', (months) => {
  expect(() => acceptedTerm({ ...user, subscription_months: months }, now.getTime())).toThrow(
    expect.objectContaining({ kind: 'invalid', message: subscriptionServerText.noMonths, wireMessage: { code: 'subscriptions.noMonths' } }),
  )
})

test.each<[string, Partial<Subscriber>]>([
  ['never had one', {}],
  ['had one that is over', { ...running, premium_end: now }],
  ['was suspended', { ...running, status: 'cancel' }],
  ['has an end without a start', { ...running, premium_start: null }],
])('acceptance starts a term now for a user who %s', (_name, values) => {
  expect(acceptedTerm({ ...user, ...values, subscription_months: 3 }, now.getTime())).toEqual({
    premium_start: now,
    premium_end: india('2027-02-20T12:00'),
    anchor_day: 20,
    subscription_months: 3,
  })
})

test.each([
  // The anchor day is clipped in February and restored in March.
  [30, 3, '2027-02-28T09:00'],
  [30, 4, '2027-03-30T09:00'],
  [31, 1, '2026-12-31T09:00'],
  [null, 1, '2026-12-30T09:00'],
])('acceptance of a renewal with the anchor day %j adds %i months to the running term', (anchorDay, months, end) => {
  const renewal = { ...running, status: 'pending', anchor_day: anchorDay, subscription_months: months } as const
  expect(acceptedTerm(renewal, now.getTime())).toEqual({
    premium_start: running.premium_start,
    premium_end: india(end),
    anchor_day: anchorDay ?? 30,
    subscription_months: months,
  })
})

test.each([
  // Suspended at noon on the 20th with a term to the 30th: nine days and 21 hours are left.
  ['2026-11-20T12:00', '2026-11-30T09:00', 30],
  ['2026-11-25T08:00', '2026-12-05T05:00', 5],
  ['2027-01-22T03:00', '2027-02-01T00:00', 1],
])('the rest of a term that goes on at %s lasts to %s, and renewals count from the day %i', (from, end, anchorDay) => {
  const suspended = { ...running, status: 'cancel', premium_end: now } as const
  const rest = { ms: india('2026-11-30T09:00').getTime() - now.getTime(), formerEnd: india('2026-11-30T09:00') }
  expect(resumedTerm(suspended, rest, india(from).getTime())).toEqual({
    premium_start: running.premium_start,
    premium_end: india(end),
    anchor_day: anchorDay,
    subscription_months: 1,
  })
})

test('the rest of a term that ends on its former day keeps the anchor day', () => {
  const formerEnd = india('2027-02-28T09:00')
  const rest = { ms: dayMs, formerEnd }
  expect(resumedTerm({ ...running, anchor_day: 31 }, rest, india('2027-02-27T10:00').getTime()).anchor_day).toBe(31)
})

test.each<[string, Partial<Subscriber>]>([
  ['no term', { premium_end: null }],
  ['a term that is over', { premium_end: now }],
  ['a suspended subscription', { status: 'cancel' }],
  ['a pending request', { status: 'pending' }],
  ['no subscription', { status: null }],
])('other months do not move the end of %s', (_name, values) => {
  const changed = { ...running, ...values }
  expect(endAfterMonths(changed, 6, now.getTime())).toBe(changed.premium_end)
})

test.each([
  [30, 1, 1, '2026-11-30T09:00'],
  [30, 1, 3, '2027-01-30T09:00'],
  [30, 1, 4, '2027-02-28T09:00'],
  [30, 3, 1, '2026-09-30T09:00'],
  [31, 1, 2, '2026-12-31T09:00'],
  // Without an anchor day the term keeps the day of its end.
  [null, 1, 1, '2026-11-30T09:00'],
  [null, 1, 2, '2026-12-30T09:00'],
  [null, 1, 4, '2027-02-28T09:00'],
])('with the anchor day %j the change from %i to %i months moves the end to %s', (anchorDay, from, to, end) => {
  const changed = { ...running, anchor_day: anchorDay, subscription_months: from }
  expect(endAfterMonths(changed, to, now.getTime())).toEqual(india(end))
})

test('without an anchor day an end in the middle of a month stays there', () => {
  const middle = { ...running, anchor_day: null, premium_end: india('2026-12-15T01:00') }
  expect(endAfterMonths(middle, 2, now.getTime())).toEqual(india('2027-01-15T01:00'))
  expect(acceptedTerm({ ...middle, status: 'pending' }, now.getTime())).toMatchObject({
    premium_end: india('2027-01-15T01:00'),
    anchor_day: 15,
  })
})

test.each([
  [undefined, text.monthsRequired],
  [null, text.monthsRequired],
  ['', text.monthsRequired],
  [' ', text.monthsRequired],
  [0, text.monthsInvalid],
  ['-1', text.monthsInvalid],
  [1.5, text.monthsWhole],
  [' 3', text.monthsInvalid],
  ['three', text.monthsInvalid],
  [Number.NaN, text.monthsInvalid],
  [121, text.monthsWhole],
])('%j months are rejected: %s', (given, message) => {
  expect(() => parseMonths(given)).toThrow(
    expect.objectContaining({ kind: 'invalid', message, details: { fields: { months: expect.stringMatching(/^subscriptions\.months/) } } }),
  )
})

test.each([
  [1, 1],
  ['1', 1],
  ['120', 120],
  [120, 120],
])('%j months are %i', (given, months) => {
  expect(parseMonths(given)).toBe(months)
})
